//! The secrets that are known, found again by how they begin.

use std::collections::VecDeque;
use std::sync::Arc;

use indexmap::IndexMap;

/// Shorter values stand in texts by chance, so they are not looked for.
pub(super) const LEAST: usize = 8;
/// Bytes of issued secrets that are kept; an API that issues without end makes the oldest be forgotten.
const MOST_BYTES: usize = 16 << 20;

/// Where a secret comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It was given, and this environment variable holds it.
    Given(String),
    /// It is a part of what was given, or the API issued it.
    Other,
}

/// Values to be found in texts.
#[derive(Debug, Default)]
pub(super) struct Values {
    by_start: IndexMap<[u8; LEAST], Vec<Entry>>,
    /// The first two bytes of every value: at most positions of a text nothing more has to be looked at.
    starts: Starts,
    issued: VecDeque<Arc<str>>,
    issued_bytes: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub value: Arc<str>,
    pub origin: Origin,
}

impl Values {
    /// Adds a value that was given; the name of its own environment variable wins over being a part of another.
    pub fn give(&mut self, value: &str, origin: Origin) {
        let Some(start) = start_of(value.as_bytes()) else { return };
        self.starts.add(start);
        let entries = self.by_start.entry(start).or_default();
        match entries.iter_mut().find(|entry| *entry.value == *value) {
            Some(entry) if origin != Origin::Other => entry.origin = origin,
            Some(_) => {}
            None => entries.push(Entry { value: value.into(), origin }),
        }
    }

    /// Adds a value that the API issued.
    pub fn issue(&mut self, value: &str) {
        let Some(start) = start_of(value.as_bytes()) else { return };
        if self.knows(value) {
            return;
        }
        let value: Arc<str> = value.into();
        self.issued_bytes += value.len();
        self.issued.push_back(Arc::clone(&value));
        self.starts.add(start);
        self.by_start.entry(start).or_default().push(Entry { value, origin: Origin::Other });
        while self.issued_bytes > MOST_BYTES
            && let Some(oldest) = self.issued.pop_front()
        {
            self.issued_bytes -= oldest.len();
            if let Some(entries) = start_of(oldest.as_bytes()).and_then(|start| self.by_start.get_mut(&start))
            {
                entries.retain(|entry| !Arc::ptr_eq(&entry.value, &oldest));
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    pub fn knows(&self, value: &str) -> bool {
        let entries = start_of(value.as_bytes()).and_then(|start| self.by_start.get(&start));
        entries.is_some_and(|entries| entries.iter().any(|entry| *entry.value == *value))
    }

    /// The longest value that stands at a position.
    pub fn at(&self, text: &[u8], position: usize) -> Option<&Entry> {
        let rest = text.get(position..)?;
        let start = start_of(rest).filter(|start| self.starts.has(*start))?;
        let entries = self.by_start.get(&start)?.iter();
        entries.filter(|entry| rest.starts_with(entry.value.as_bytes())).max_by_key(|entry| entry.value.len())
    }

    /// How many bytes at the end of a text are the beginning of a value that goes on where the text is cut.
    pub fn begun_by(&self, text: &[u8], accepted: impl Fn(&Entry) -> bool) -> usize {
        let mut most = 0;
        // A value that begins in the text begins with its first bytes there; only those positions are looked at.
        let from = text.len().saturating_sub(MOST_CUT);
        for position in from..text.len().saturating_sub(LEAST - 1) {
            let rest = &text[position..];
            let entries = start_of(rest).and_then(|start| self.by_start.get(&start));
            let begins = |entry: &Entry| entry.value.as_bytes().starts_with(rest) && accepted(entry);
            if entries.is_some_and(|entries| entries.iter().any(begins)) {
                most = most.max(rest.len());
            }
        }
        most
    }

    /// How many bytes at the beginning of a text are the end of a value that began before the text was cut.
    pub fn ended_by(&self, text: &[u8], accepted: impl Fn(&Entry) -> bool) -> usize {
        let Some(start) = start_of(text) else { return 0 };
        let overlap = |entry: &Entry| {
            let value = entry.value.as_bytes();
            let places =
                (1..value.len().saturating_sub(LEAST - 1)).filter(|at| value[*at..].starts_with(&start));
            let tails = places.map(|at| &value[at..]);
            tails
                .filter(|tail| text.starts_with(tail) || tail.starts_with(text))
                .map(|tail| tail.len().min(text.len()))
                .max()
        };
        let entries = self.by_start.values().flatten().filter(|entry| accepted(entry));
        entries.filter_map(overlap).max().unwrap_or(0)
    }
}

/// Which pairs of bytes values begin with; none that was there is ever taken out.
#[derive(Debug)]
struct Starts(Box<[u64; 1024]>);

impl Default for Starts {
    fn default() -> Self {
        Self(Box::new([0; 1024]))
    }
}

impl Starts {
    fn add(&mut self, [first, second, ..]: [u8; LEAST]) {
        let pair = usize::from(first) << 8 | usize::from(second);
        self.0[pair / 64] |= 1 << (pair % 64);
    }

    fn has(&self, [first, second, ..]: [u8; LEAST]) -> bool {
        let pair = usize::from(first) << 8 | usize::from(second);
        self.0[pair / 64] & 1 << (pair % 64) != 0
    }
}

/// The longest beginning of a value that is looked for before a cut.
const MOST_CUT: usize = 4096;

fn start_of(value: &[u8]) -> Option<[u8; LEAST]> {
    value.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_value_at_a_position_is_found() {
        let mut values = Values::default();
        values.issue("abcdefgh");
        values.issue("abcdefghij");
        values.issue("short");
        let found = |text: &str, at| values.at(text.as_bytes(), at).map(|entry| entry.value.to_string());
        assert_eq!(found("xabcdefghijk", 1).as_deref(), Some("abcdefghij"));
        assert_eq!(found("xabcdefghi", 1).as_deref(), Some("abcdefgh"));
        assert_eq!(found("xabcdefg", 1), None);
        assert_eq!(found("short", 0), None);
    }

    #[test]
    fn a_value_that_was_cut_is_found_by_what_is_left_of_it() {
        let mut values = Values::default();
        values.issue("0123456789abcdef");
        assert_eq!(values.begun_by(b"the token 0123456789", |_| true), 10);
        assert_eq!(values.begun_by(b"the token 0123456", |_| true), 0);
        assert_eq!(values.ended_by(b"56789abcdef is wrong", |_| true), 11);
        assert_eq!(values.ended_by(b"456789ab", |_| true), 8);
        assert_eq!(values.ended_by(b"abcdef is wrong", |_| true), 0);
    }

    #[test]
    fn an_api_that_issues_without_end_fills_no_memory() {
        let mut values = Values::default();
        values.give("given-credential", Origin::Given("A".to_owned()));
        for number in 0..40 {
            values.issue(&format!("{number:08}{}", "x".repeat(1 << 20)));
        }
        assert!(values.issued_bytes <= MOST_BYTES, "{}", values.issued_bytes);
        assert!(values.knows("given-credential"));
        assert!(values.knows(&format!("{:08}{}", 39, "x".repeat(1 << 20))));
    }
}

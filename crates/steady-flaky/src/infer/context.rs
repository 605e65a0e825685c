//! What is known around a value: the name it goes by, and the time.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use steady_model::{Place, words};

use super::Strength;

const DAY: i64 = 86_400;

/// A text that is this machine's, its runtime's or this process's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The text.
    pub text: String,
    /// Words in the names of values that may be it, where the text alone says too little, as a number does; empty: any name.
    pub names: &'static [&'static str],
}

impl Fact {
    /// A text that says enough by itself: a port, a host name, a folder, a version.
    pub fn distinctive(text: impl Into<String>) -> Self {
        Self { text: text.into(), names: &[] }
    }
}

/// What is known around a value.
#[derive(Debug, Clone)]
pub struct Context {
    /// The words of the value's name in lower case: `createdAt` is `created`, `at`.
    words: Vec<String>,
    now: Timestamp,
    own: Vec<Fact>,
}

impl Context {
    /// A value of this name, received at this time.
    pub fn new(name: &str, now: Timestamp) -> Self {
        Self { words: words(name), now, own: Vec::new() }
    }

    /// The value at a place: its name is the header's, or the last field's on the way to it.
    pub fn at(place: &Place, now: Timestamp) -> Self {
        let name = match place {
            Place::Status => "status",
            Place::Header(name) => name,
            Place::Body(pointer) => {
                let is_index = |token: &&str| token.bytes().all(|byte| byte.is_ascii_digit());
                pointer.rsplit('/').find(|token| !is_index(token)).unwrap_or_default()
            }
        };
        Self::new(name, now)
    }

    /// With texts that are this machine's or this process's, as far as the name lets them count: its port, its host name, its folder.
    #[must_use]
    pub fn owning(mut self, own: &[Fact]) -> Self {
        self.own =
            own.iter().filter(|fact| fact.names.is_empty() || self.says(fact.names)).cloned().collect();
        self
    }

    /// Texts that are this machine's or this process's.
    pub(super) fn own(&self) -> &[Fact] {
        &self.own
    }

    /// Whether the name has one of these words.
    pub(super) fn says(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Days between a time and now; times without an offset are taken as UTC.
    pub(super) fn days_from(&self, time: DateTime) -> i64 {
        let here = TimeZone::UTC.to_datetime(self.now);
        time.date().duration_since(here.date()).as_hours().abs() / 24
    }

    /// Days between seconds since 1970 and now.
    pub(super) fn days_from_seconds(&self, seconds: i64) -> i64 {
        self.now.as_second().saturating_sub(seconds).saturating_abs() / DAY
    }
}

/// What a point in time is worth by its distance from now: this run's, this year's, or any.
pub(super) fn by_distance(days: i64) -> Strength {
    match days {
        0..=2 => Strength::Certain,
        3..=400 => Strength::Likely,
        _ => Strength::Weak,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_do_not_name_a_value() {
        let now = Timestamp::UNIX_EPOCH;
        let context = Context::at(&Place::Body("/items/3/0".to_owned()), now);
        assert!(context.says(&["items"]));
        assert!(Context::at(&Place::Body(String::new()), now).words.is_empty());
    }

    #[test]
    fn distance_is_in_whole_days() {
        let context = Context::new("", "2026-03-10T12:00:00Z".parse().expect("a time"));
        assert_eq!(context.days_from("2026-03-12T23:00:00".parse().expect("a time")), 2);
        assert_eq!(context.days_from("2025-03-10T00:00:00".parse().expect("a time")), 365);
        assert_eq!(context.days_from_seconds(0), 20_522);
    }
}

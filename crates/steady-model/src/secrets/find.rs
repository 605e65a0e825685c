//! Finds known secrets in a text, as they are and encoded.

use std::ops::Range;

use super::runs::{Run, readings, runs};
use super::values::{Entry, Origin, Values};
use super::views::{View, views};

/// How deep base64 is looked for inside of base64.
const DEPTH: usize = 2;
/// What reports put where they cut a text.
const CUT: &[u8] = "…".as_bytes();

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The bytes it takes.
    pub range: Range<usize>,
    /// Where the secret comes from.
    pub origin: Origin,
    /// Whether it stands there as it is, and whole.
    pub plain: bool,
}

/// Looks for values in texts.
pub(super) struct Finder<'a, A> {
    pub values: &'a Values,
    /// Which values count.
    pub accepts: A,
    /// Whether the text may have been cut: what is left of a secret there is one, too.
    pub cut: bool,
}

impl<A: Fn(&Entry) -> bool> Finder<'_, A> {
    /// The secrets in a text, in order; those that overlap are one.
    pub fn find(&self, text: &str) -> Vec<Found> {
        if self.values.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (index, view) in views(text.as_bytes()).iter().enumerate() {
            self.find_plain(view, index == 0, &mut found);
            if self.cut {
                self.find_cut(view, &mut found);
            }
            self.find_runs(view, &mut found);
        }
        merged(found)
    }

    fn find_plain(&self, view: &View, plain: bool, found: &mut Vec<Found>) {
        let mut at = 0;
        while at < view.bytes.len() {
            match self.values.at(&view.bytes, at).filter(|entry| (self.accepts)(entry)) {
                Some(entry) => {
                    let range = at..at + entry.value.len();
                    at = range.end;
                    found.push(Found { range: view.origin(&range), origin: entry.origin.clone(), plain });
                }
                None => at += 1,
            }
        }
    }

    fn find_cut(&self, view: &View, found: &mut Vec<Found>) {
        let mut note = |range: Range<usize>| {
            if !range.is_empty() {
                found.push(Found { range: view.origin(&range), origin: Origin::Other, plain: false });
            }
        };
        let bytes = &view.bytes;
        note(bytes.len() - self.values.begun_by(bytes, &self.accepts)..bytes.len());
        let cuts: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(CUT)).collect();
        for (index, at) in cuts.iter().copied().enumerate() {
            let after = at + CUT.len();
            let next = cuts.get(index + 1).copied().unwrap_or(bytes.len());
            note(at - self.values.begun_by(&bytes[..at], &self.accepts)..at);
            note(after..after + self.values.ended_by(&bytes[after..next], &self.accepts));
        }
    }

    fn find_runs(&self, view: &View, found: &mut Vec<Found>) {
        for range in self.encoded_in(&view.bytes, DEPTH) {
            found.push(Found { range: view.origin(&range), origin: Origin::Other, plain: false });
        }
    }

    /// Base64 that holds a value: the segments of a path that do, and what is left of the run if that does. The range is
    /// everything that belongs together, since what is left of base64 would be read with little effort.
    fn encoded_in(&self, bytes: &[u8], depth: usize) -> Vec<Range<usize>> {
        let holds = |range: &Range<usize>| {
            readings(&bytes[range.clone()]).any(|said| self.holds(&said, bytes, range, depth))
        };
        let in_run = |run: Run| {
            let mut found: Vec<Range<usize>> =
                run.segments.iter().filter(|segment| holds(segment)).cloned().collect();
            let rest: Vec<Range<usize>> = run.without(&found).into_iter().filter(holds).collect();
            found.extend(rest);
            found
        };
        runs(bytes).into_iter().flat_map(in_run).collect()
    }

    fn holds(&self, said: &[u8], around: &[u8], run: &Range<usize>, depth: usize) -> bool {
        if self.cut {
            let ends = around[run.end..].is_empty() || around[run.end..].starts_with(CUT);
            let begins = around[..run.start].ends_with(CUT);
            if ends && self.values.begun_by(said, &self.accepts) > 0
                || begins && self.values.ended_by(said, &self.accepts) > 0
            {
                return true;
            }
        }
        views(said).iter().any(|view| {
            let mut positions = 0..view.bytes.len();
            positions.any(|at| self.values.at(&view.bytes, at).is_some_and(|entry| (self.accepts)(entry)))
                || depth > 0 && !self.encoded_in(&view.bytes, depth - 1).is_empty()
        })
    }
}

fn merged(mut found: Vec<Found>) -> Vec<Found> {
    // The longer one first, and of two equal ones the one that was found first: as it is, then decoded.
    found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for next in found {
        match merged.last_mut() {
            Some(last) if next.range.start < last.range.end => {
                if next.range.end > last.range.end {
                    *last = Found {
                        range: last.range.start..next.range.end,
                        origin: Origin::Other,
                        plain: false,
                    };
                }
            }
            _ => merged.push(next),
        }
    }
    merged
}

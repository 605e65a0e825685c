//! Patterns, compiled once per thread.

use std::cell::RefCell;
use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};

/// Patterns kept per thread; a suite rarely has more different ones.
const KEPT: usize = 1_000;
/// Bytes a compiled pattern may take: suites come from anywhere.
const LARGEST: usize = 4 << 20;

thread_local! {
    static COMPILED: RefCell<BTreeMap<String, Option<Regex>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Whether the pattern matches the whole text; an invalid one matches nothing.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.len() >= KEPT && !compiled.contains_key(pattern) {
            compiled.clear();
        }
        let regex = compiled.entry(pattern.to_owned()).or_insert_with(|| compile(pattern));
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    })
}

fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(&format!("^(?:{pattern})$")).size_limit(LARGEST).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_describes_the_whole_text() {
        assert!(matches("[0-9]+", "123"));
        for text in ["123x", "x123", "", "12\n3", "123\n"] {
            assert!(!matches("[0-9]+", text), "{text:?}");
        }
        assert!(matches("a|bc", "bc") && !matches("a|bc", "ac"), "alternatives are anchored together");
        assert!(matches("[\\s\\S]*", "one\ntwo"));
    }

    #[test]
    fn a_pattern_that_cannot_be_read_describes_nothing() {
        assert!(!matches("(", "("));
        assert!(!matches("a{99999}{99999}", "a"));
    }
}

//! Selects tests by a pattern.

use steady_model::fits_wildcards;

/// Picks tests by their id: a part of it, or, with `*` (anything) or `?` (one character), the whole of it.
///
/// ```
/// # use steady_store::TestPattern;
/// assert!(TestPattern::new("cart").matches("tests/test_cart.py::test_total[3]"));
/// assert!(TestPattern::new("tests/*::test_total[?]").matches("tests/test_cart.py::test_total[3]"));
/// assert!(!TestPattern::new("test_cart*").matches("tests/test_cart.py::test_total[3]"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPattern(String);

impl TestPattern {
    /// Any text is a pattern.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// Whether a test matches.
    pub fn matches(&self, id: &str) -> bool {
        if self.0.contains(['*', '?']) { fits_wildcards(&self.0, id) } else { id.contains(&self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_may_stand_anywhere_and_for_nothing() {
        let cases = [
            ("*", "", true),
            ("a*", "a", true),
            ("*a*b", "xaxxb", true),
            ("*ab", "aab", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "acb", false),
            ("?", "", false),
            ("é?", "éa", true),
            ("a?*", "a", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(TestPattern::new(pattern).matches(text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn many_stars_do_not_take_long() {
        let pattern = TestPattern::new("*a".repeat(200) + "?b");
        assert!(!pattern.matches(&"a".repeat(5000)));
    }
}

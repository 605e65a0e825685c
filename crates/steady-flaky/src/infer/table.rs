//! Checks a family's table of values it must know and of look-alikes it must not match.

use steady_model::rerun::Category;

use super::engine::{Rule, find};
use super::{Context, Strength};

/// The time all tables take for now.
pub const NOW: &str = "2026-03-10T12:00:00Z";

/// Name and text of a value.
pub type Row<'a> = (&'a str, &'a str);

/// Holds that the whole of each known value is suspected by this family and that no part of a look-alike is.
pub fn check(rule: &Rule, category: Category, known: &[Row<'_>], look_alikes: &[Row<'_>]) {
    assert!(known.len() >= 8 && look_alikes.len() >= 8, "a table has at least 8 rows of each");
    for (name, text) in known {
        let found = hits(rule, name, text);
        assert!(
            found.iter().any(|hit| hit.whole && hit.category == category),
            "{name}: {text} should be a {}, found {found:?}",
            rule.family
        );
    }
    for (name, text) in look_alikes {
        let found = hits(rule, name, text);
        assert!(found.is_empty(), "{name}: {text} should not be a {}, found {found:?}", rule.family);
    }
}

/// The strength of the suspicion about a whole value.
pub fn strength(rule: &Rule, name: &str, text: &str) -> Option<Strength> {
    hits(rule, name, text).into_iter().find(|hit| hit.whole).map(|hit| hit.strength)
}

fn hits(rule: &Rule, name: &str, text: &str) -> Vec<super::Suspicion> {
    let context = Context::new(name, NOW.parse().expect("a time"));
    find(text, &context).into_iter().filter(|hit| hit.family == rule.family).collect()
}

//! The comments that say why an assertion was changed.

use crate::relax::Moving;
use steady_model::Place;
use steady_model::rerun::Category;

/// The comment above what took an assertion's place: why, in a few words. The values seen are in the findings, and of another
/// run tomorrow.
pub(super) fn note(moving: &Moving) -> String {
    let field = field(&moving.place);
    let category = moving.category;
    match moving.category {
        Category::Unord => format!("{field} comes in any order ({category})"),
        _ if moving.is_inferred() => format!("{field} may vary ({category}, by its form)"),
        _ => format!("{field} varies ({category})"),
    }
}

/// The comment above an assertion that became one itself, with the values that were seen.
pub(super) fn note_of_values(moving: &Moving) -> String {
    let field = field(&moving.place);
    let how = if moving.is_inferred() { ", by its form" } else { "" };
    let category = moving.category;
    let is_secret = moving.observed.iter().all(|value| value.starts_with("***"));
    let seen = match moving.category {
        Category::Unord => ": any order".to_owned(),
        _ if is_secret => String::new(),
        _ => format!(": {}", moving.observed.join(" vs. ")),
    };
    format!("Flaky value of field {field}{seen} ({category}{how})")
}

/// The name of a place in a comment.
fn field(place: &Place) -> String {
    match place {
        Place::Body(pointer) if pointer.is_empty() => "body".to_owned(),
        Place::Body(pointer) => pointer.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use steady_model::{Handling, MatcherName, Step};

    use super::*;

    #[test]
    fn a_comment_above_a_relaxed_assertion_has_no_values() {
        let moving = |category, evidence| Moving {
            place: Place::Body("/day".to_owned()),
            category,
            evidence: vec![evidence],
            observed: vec!["2026-11-17".to_owned(), "2026-11-18".to_owned()],
            handling: Handling::Relaxed,
            avoided: false,
            matcher: MatcherName::Pattern,
        };
        assert_eq!(note(&moving(Category::Time, Step::Rerun)), "/day varies (Time)");
        assert_eq!(note(&moving(Category::Env, Step::Inferred)), "/day may vary (Env, by its form)");
        assert_eq!(note(&moving(Category::Unord, Step::Rerun)), "/day comes in any order (Unord)");
        // One that becomes a comment keeps them.
        assert_eq!(
            note_of_values(&moving(Category::Time, Step::Rerun)),
            "Flaky value of field /day: 2026-11-17 vs. 2026-11-18 (Time)"
        );
    }
}

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

    fn moving(category: Category, evidence: Step) -> Moving {
        Moving {
            place: Place::Body("/day".to_owned()),
            category,
            evidence: vec![evidence],
            observed: vec!["2026-11-17".to_owned(), "2026-11-18".to_owned()],
            handling: Handling::Relaxed,
            avoided: false,
            matcher: MatcherName::Pattern,
        }
    }

    #[test]
    fn a_comment_above_a_relaxed_assertion_has_no_values() {
        assert_eq!(note(&moving(Category::Time, Step::Rerun)), "/day varies (Time)");
        assert_eq!(note(&moving(Category::Env, Step::Inferred)), "/day may vary (Env, by its form)");
        assert_eq!(note(&moving(Category::Unord, Step::Rerun)), "/day comes in any order (Unord)");
        // One that becomes a comment keeps them.
        assert_eq!(
            note_of_values(&moving(Category::Time, Step::Rerun)),
            "Flaky value of field /day: 2026-11-17 vs. 2026-11-18 (Time)"
        );
    }

    #[test]
    fn a_comment_has_no_secret_and_no_order() {
        let secret = ["***", "***…"].map(str::to_owned).to_vec();
        let secret = Moving { observed: secret, ..moving(Category::Rand, Step::Rerun) };
        assert_eq!(note_of_values(&secret), "Flaky value of field /day (Rand)");
        let unordered = moving(Category::Unord, Step::Inferred);
        assert_eq!(note_of_values(&unordered), "Flaky value of field /day: any order (Unord, by its form)");
    }

    #[test]
    fn a_place_outside_of_the_members_of_a_body_has_a_name() {
        let body = Moving { place: Place::Body(String::new()), ..moving(Category::Time, Step::Rerun) };
        assert_eq!(note(&body), "body varies (Time)");
        let status = Moving { place: Place::Status, ..moving(Category::State, Step::Rerun) };
        assert_eq!(note(&status), "status varies (State)");
    }
}

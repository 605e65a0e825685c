//! pytest writes a test a second time for two reasons, and neither is a second test.
//!
//! When the test failed and its teardown breaks too, the second entry holds the teardown's error. When
//! pytest-rerunfailures runs it again, every earlier try has an entry without any outcome: it reads like a pass, and was a
//! failure.

use indexmap::IndexMap;
use steady_model::rerun::Outcome;

use crate::case::{Attempt, Case};

/// What is known of a try that was run again.
const RUN_AGAIN: &str = "failed and was run again; pytest's JUnit report does not say why";

/// Joins the entries of one test.
pub(super) fn join(cases: Vec<Case>) -> Vec<Case> {
    let mut tests: IndexMap<String, Case> = IndexMap::with_capacity(cases.len());
    for mut case in cases {
        let Some(earlier) = tests.get_mut(&case.id) else {
            tests.insert(case.id.clone(), case);
            continue;
        };
        if let Some(last) = earlier.attempts.last_mut() {
            if last.outcome == Outcome::Failed && last.message.as_deref() != Some(RUN_AGAIN) {
                continue;
            }
            *last = Attempt::new(Outcome::Failed, last.milliseconds, RUN_AGAIN);
        }
        earlier.attempts.append(&mut case.attempts);
    }
    tests.into_values().collect()
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed};

    use super::*;

    #[test]
    fn entries_of_one_test_are_joined() {
        let table = [
            (vec![Passed], vec![Passed]),
            (vec![Failed, Failed], vec![Failed]),
            (vec![Passed, Passed], vec![Failed, Passed]),
            (vec![Passed, Passed, Failed, Failed], vec![Failed, Failed, Failed]),
        ];
        for (entries, expected) in table {
            let case = |outcome: &Outcome| Case::once("a".to_owned(), Attempt::new(*outcome, None, "boom"));
            let joined = join(entries.iter().map(case).collect());
            let outcomes: Vec<Outcome> = joined[0].attempts.iter().map(|attempt| attempt.outcome).collect();
            assert_eq!((joined.len(), outcomes), (1, expected), "{entries:?}");
        }
    }
}

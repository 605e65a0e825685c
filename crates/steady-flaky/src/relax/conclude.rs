//! From observed tests to a suite's tests and the findings about them.

use indexmap::IndexMap;
use steady_model::rerun::Category;
use steady_model::{Flaky, Handling, OperationId, Place, TestCase};

use super::{Described, MovingCall, ObservedTest, Policy};

/// The tests with their assertions handled, and one finding per operation, status and place, however many tests saw it.
pub fn conclude(
    observed: &[ObservedTest],
    policy: Policy,
    described: &dyn Described,
) -> (Vec<TestCase>, Vec<Flaky>) {
    let mut places: IndexMap<(OperationId, u16, Place), Flaky> = IndexMap::new();
    let mut tests = Vec::with_capacity(observed.len());
    for observed in observed {
        let (test, moving) = observed.handled(policy, described);
        for found in moving {
            let key = (found.operation.clone(), found.status, found.moving.place.clone());
            let entry = places
                .entry(key)
                .or_insert_with(|| found.moving.finding(found.operation.clone(), found.status));
            add(entry, found, &test.name);
        }
        tests.push(test);
    }
    (tests, places.into_values().collect())
}

/// Another test may have seen more: what is known for certain wins over what is not.
fn add(entry: &mut Flaky, found: MovingCall, test: &str) {
    let moving = found.moving;
    let knows_more = entry.is_inferred() && !moving.is_inferred();
    if entry.category == Category::Unk || knows_more {
        entry.category = moving.category;
    }
    let was_avoided = entry.note.is_some() && !moving.avoided;
    let was_captured = entry.handling == Handling::Captured && moving.handling != Handling::Captured;
    if knows_more || was_avoided || (was_captured && !moving.avoided) {
        entry.note = moving.note();
        entry.observed = moving.observed;
        entry.handling = moving.handling;
        entry.matcher = moving.matcher;
    }
    for step in moving.evidence {
        if !entry.evidence.contains(&step) {
            entry.evidence.push(step);
        }
    }
    if !entry.tests.iter().any(|known| known == test) {
        entry.tests.push(test.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steady_model::{Assertion, Matcher, MatcherName, Method, Payload, Response};
    use steady_suite::Variables;

    use super::*;
    use crate::classify::Step;
    use crate::drive::fakes::{self, call, test_case};

    /// A test of one call that takes a name, answered with these statuses.
    fn observed(name: &str, statuses: &[u16]) -> ObservedTest {
        let status = Assertion::new(Place::Status, Matcher::Equals(json!(201)));
        let call = call(Method::Post, "/names", vec![status]);
        let mut observed = fakes::observed(test_case(name, vec![call]));
        for status in statuses {
            let body = Payload::default();
            let response = Response { status: *status, headers: Vec::new(), body, truncated: false };
            observed.record_run(Step::Rerun, [&response], &Variables::default());
        }
        observed
    }

    /// A test that takes a new name each time, after the same one had been refused.
    fn careful(name: &str) -> ObservedTest {
        let mut observed = observed(name, &[201, 201]);
        observed.avoids(&OperationId::new(Method::Post, "/names".to_owned()), 201, 409);
        observed
    }

    #[test]
    fn what_a_test_got_around_is_reported_and_its_assertion_stays() {
        let (tests, flaky) = conclude(&[careful("takes_a_name")], Policy::Relax, &());
        assert!(tests[0].calls[0].expect[0].matcher.is_exact());
        let [flaky] = flaky.as_slice() else { panic!("one finding, not {flaky:?}") };
        assert_eq!((flaky.status, &flaky.place, flaky.category), (201, &Place::Status, Category::State));
        assert_eq!(
            (&flaky.evidence[..], &flaky.observed[..]),
            (&[Step::Rerun][..], &["201".to_owned(), "409".to_owned()][..])
        );
        assert_eq!((flaky.handling, flaky.matcher), (Handling::Kept, MatcherName::Equals));
        assert!(flaky.note.is_some());
        assert_eq!(flaky.tests, ["takes_a_name"]);
    }

    #[test]
    fn an_assertion_that_had_to_give_way_is_reported_before_one_that_did_not() {
        let careless = || observed("takes_it_again", &[201, 409]);
        for tests in [[careful("takes_a_name"), careless()], [careless(), careful("takes_a_name")]] {
            let (_, flaky) = conclude(&tests, Policy::Relax, &());
            let [flaky] = flaky.as_slice() else { panic!("one finding, not {flaky:?}") };
            assert_eq!((flaky.handling, &flaky.note), (Handling::Relaxed, &None));
            assert_eq!(flaky.tests.len(), 2);
        }
    }

    #[test]
    fn what_still_moves_is_reported_once() {
        let mut observed = observed("takes_a_name", &[201, 409]);
        observed.avoids(&OperationId::new(Method::Post, "/names".to_owned()), 201, 409);
        let (_, moving) = observed.handled(Policy::Relax, &());
        assert_eq!(moving.len(), 1);
        assert_eq!(moving[0].moving.handling, Handling::Relaxed);
    }
}

//! Values that an earlier response of the same test had already.

use std::collections::BTreeSet;

use crate::relax::{Handled, Moving};
use serde_json::Value;
use steady_assertions::{HeldBody, SourceAssertion};
use steady_model::rerun::Category;
use steady_model::{Assertion, Handling, Matcher, Place};

use super::code_tests::Answer;

/// Asserts of every value that varies, and was in every run that of the same field of an earlier response which the test holds,
/// that it is the same: no pattern says as much.
pub(super) fn relate<'r>(
    handled: &mut Handled,
    assertion: &SourceAssertion,
    answers: &[&Answer],
    got: impl Fn(&HeldBody) -> Vec<&'r Answer>,
) {
    // In a function that several tests call, a name holds another response in each.
    if !assertion.also.is_empty() || !assertion.supported {
        return;
    }
    let Handled { expect, moving, .. } = handled;
    for moving in moving.iter_mut().filter(|moving| moving.handling == Handling::Relaxed) {
        let Place::Body(pointer) = &moving.place else { continue };
        let related = assertion.held.iter().find_map(|held| {
            let variable = held.variable(pointer)?;
            is_kept(moving, answers, &got(held)).then_some(variable)
        });
        let Some(variable) = related else { continue };
        // What the test says of it already, and holds, stays.
        let Some(first) = expect.iter().position(|now| now.place == moving.place) else { continue };
        if assertion.places.contains(&expect[first]) {
            continue;
        }
        let same = Assertion::new(moving.place.clone(), Matcher::Variable(variable));
        moving.handling = Handling::Captured;
        moving.matcher = same.matcher.name();
        expect.retain(|now| now.place != moving.place);
        expect.insert(first, same);
    }
}

/// Whether a value was every time the one that the earlier response of the same test had, and can be so by nothing but that it
/// was kept.
fn is_kept(moving: &Moving, answers: &[&Answer], earlier: &[&Answer]) -> bool {
    let mut values = BTreeSet::new();
    let same = answers.iter().all(|answer| {
        let is_before = |other: &&&Answer| {
            other.run == answer.run
                && other.test.is_some()
                && other.test == answer.test
                && other.sequence < answer.sequence
        };
        let before = earlier.iter().filter(is_before).max_by_key(|other| other.sequence);
        let before = before.and_then(|before| before.observation.at(&moving.place));
        let Some(value) = answer.observation.at(&moving.place) else { return false };
        values.insert(value.to_string());
        is_distinctive(moving.category, &value) && before == Some(value)
    });
    same && values.len() > 1
}

/// Whether two of these are the same only when one is taken from the other. The same process, machine or day is another reason, and
/// so is the same second.
fn is_distinctive(category: Category, value: &Value) -> bool {
    /// Milliseconds since 1970 are more than this, seconds less.
    const MILLISECONDS: f64 = 1e12;
    match (category, value) {
        (Category::Rand | Category::Crypt, Value::String(_)) => true,
        (Category::Time, Value::String(text)) => {
            let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
            fraction.bytes().take_while(u8::is_ascii_digit).count() >= 3
        }
        (Category::Time, Value::Number(number)) => {
            number.as_f64().is_some_and(|number| number >= MILLISECONDS || number.fract() != 0.0)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Observation, Step};
    use serde_json::json;
    use steady_assertions::Source;
    use steady_model::MatcherName;
    use steady_model::rerun::TestId;

    use super::*;
    use crate::drive::fakes::response;

    const TEXT: &str = "def test_a():
    order = c.post(u).json()
    again = c.get(u).json()
    assert again[\"x\"] == \"old\"
";

    fn answer(run: usize, test: &str, sequence: u32, x: &Value) -> Answer {
        Answer {
            observation: Observation::new(Step::Rerun, &response(200, &json!({ "x": x }))),
            test: Some(TestId::of([test])),
            request: "GET /".to_owned(),
            run,
            sequence,
            approved: false,
            inside: false,
        }
    }

    /// What a field becomes that had these values in the first and the second response, run by run.
    fn becomes(category: Category, runs: &[(Value, Value)]) -> String {
        let source = Source::read("a.py", TEXT).unwrap();
        let assertion = &source.assertions()[0];
        let place = Place::Body("/x".to_owned());
        let moving = Moving {
            place: place.clone(),
            category,
            evidence: Vec::new(),
            observed: Vec::new(),
            handling: Handling::Relaxed,
            avoided: false,
            matcher: MatcherName::String,
        };
        let weaker = Assertion::new(place, Matcher::Present);
        let mut handled =
            Handled { expect: vec![weaker.clone(), weaker], moving: vec![moving], failing: Vec::new() };
        let all = |sequence: u32| -> Vec<Answer> {
            let value = |pair: &(Value, Value)| if sequence == 1 { pair.0.clone() } else { pair.1.clone() };
            let of_run = |(run, pair)| answer(run, "test_a", sequence, &value(pair));
            runs.iter().enumerate().map(of_run).collect()
        };
        let (earlier, later) = (all(1), all(2));
        let later: Vec<&Answer> = later.iter().collect();
        relate(&mut handled, assertion, &later, |_| earlier.iter().collect());
        let last = handled.expect.last().map(|now| now.matcher.clone());
        match last {
            Some(Matcher::Variable(name)) if handled.expect.len() == 1 => name,
            other => other.map(|other| other.name().to_string()).unwrap_or_default(),
        }
    }

    #[test]
    fn a_value_that_an_earlier_response_had_every_time_is_that_value() {
        let pair = |value: &str| (json!(value), json!(value));
        assert_eq!(becomes(Category::Rand, &[pair("a1"), pair("b2")]), "order/x");
        let instants = ["2026-11-18T09:09:34.115859Z", "2026-11-18T09:09:38.299913Z"].map(pair);
        assert_eq!(becomes(Category::Time, &instants), "order/x");
    }

    #[test]
    fn values_that_are_the_same_for_another_reason_are_not_related() {
        let pair = |value: Value| (value.clone(), value);
        let differs = [pair(json!("a1")), (json!("b2"), json!("c3"))];
        assert_eq!(becomes(Category::Rand, &differs), "present");
        // The same day, second or process.
        for (category, values) in [
            (Category::Time, ["2026-11-18", "2026-11-19"].map(|value| json!(value))),
            (Category::Time, ["2026-11-18T09:09:34Z", "2026-11-18T09:09:38Z"].map(|value| json!(value))),
            (Category::Time, [1_794_993_065, 1_794_993_071].map(|value| json!(value))),
            (Category::Env, [4711, 4712].map(|value| json!(value))),
        ] {
            assert_eq!(becomes(category, &values.map(pair)), "present");
        }
        // One run shows nothing.
        assert_eq!(becomes(Category::Rand, &[pair(json!("a1")), pair(json!("a1"))]), "present");
    }
}

//! From trials to a suite's tests and the findings about them.

use indexmap::IndexMap;
use steady_model::rerun::Category;
use steady_model::{Flaky, OperationId, Place, TestCase};

use super::{Described, Handling, MovingCall, Policy, Trial};

/// The tests of some trials, handled, and one finding per operation, status and place, however many tests saw it.
pub fn conclude(trials: &[Trial], policy: Policy, described: &dyn Described) -> (Vec<TestCase>, Vec<Flaky>) {
    let mut places: IndexMap<(OperationId, u16, Place), Flaky> = IndexMap::new();
    let mut tests = Vec::with_capacity(trials.len());
    for trial in trials {
        let (test, moving) = trial.handled(policy, described);
        for found in moving {
            let key = (found.operation.clone(), found.status, found.moving.place.clone());
            let entry = places.entry(key).or_insert_with(|| finding(&found));
            add(entry, found, &test.name);
        }
        tests.push(test);
    }
    (tests, places.into_values().collect())
}

fn finding(found: &MovingCall) -> Flaky {
    let moving = &found.moving;
    Flaky {
        operation: found.operation.clone(),
        status: found.status,
        place: moving.place.clone(),
        category: category_name(moving.category).to_owned(),
        evidence: Vec::new(),
        observed: moving.observed.clone(),
        handling: moving.handling.to_string(),
        matcher: moving.matcher.clone(),
        tests: Vec::new(),
    }
}

/// Another test may have seen more: what is known for certain wins over what is not.
fn add(entry: &mut Flaky, found: MovingCall, test: &str) {
    let moving = found.moving;
    let inferred_only = |evidence: &[String]| evidence.iter().all(|step| step == "inferred");
    let knows_more = inferred_only(&entry.evidence) && !inferred_only(&moving.evidence);
    if entry.category == category_name(Category::Unk) || knows_more {
        category_name(moving.category).clone_into(&mut entry.category);
    }
    if knows_more
        || (entry.handling == Handling::Captured.to_string() && moving.handling != Handling::Captured)
    {
        entry.observed = moving.observed;
        entry.handling = moving.handling.to_string();
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

/// The categories of `findings.json` know no concurrency: to a client it is unexplained.
pub fn category_name(category: Category) -> &'static str {
    match category {
        Category::Concurrency => Category::Unk.name(),
        other => other.name(),
    }
}

//! Short ways to write runs, for tests.

use steady_model::rerun::{Condition, Ending, Outcome, Run, TestId, TestResult};

pub fn run(number: u32, ending: Ending, outcomes: &[(&str, Outcome)]) -> Run {
    under(Condition::default(), number, ending, outcomes)
}

pub fn under(condition: Condition, number: u32, ending: Ending, outcomes: &[(&str, Outcome)]) -> Run {
    let results = outcomes
        .iter()
        .map(|(id, outcome)| TestResult {
            id: TestId::from(*id),
            outcome: *outcome,
            milliseconds: None,
            message: (*outcome == Outcome::Failed).then(|| format!("{id} failed in run {number}")),
        })
        .collect();
    Run { number, condition, ending, milliseconds: 1.0, results, excerpt: String::new() }
}

pub fn stopped(number: u32, outcomes: &[(&str, Outcome)]) -> Run {
    run(number, Ending::Stopped, outcomes)
}

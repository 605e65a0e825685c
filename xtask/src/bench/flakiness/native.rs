//! The suites run again and again by the native runner.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;

use anyhow::Result;
use steady_http::ClientOptions;
use steady_model::rerun::Condition;
use steady_model::{Suite, TestCase};
use steady_suite::{ProcessEnvironment, RunOptions, TestOutcome, run_suite};

use super::Options;
use super::live::{Live, Subject};
use super::suites::Suites;

/// Both suites under the same runs.
#[derive(Debug, Default)]
pub struct Contrast {
    /// The handled suite.
    pub handled: Ledger,
    /// The unhandled suite.
    pub unhandled: Ledger,
    /// How often the API was started.
    pub starts: usize,
}

/// What went wrong in all runs of a suite.
#[derive(Debug, Default)]
pub struct Ledger {
    /// How often the suite was run.
    pub runs: u32,
    /// Assertions that failed, each with its first failure.
    pub failures: BTreeMap<Spot, Failed>,
}

/// An assertion of a suite.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The test.
    pub test: String,
    /// Which of its calls.
    pub call: usize,
    /// The place that could not be asserted, or another reason.
    pub place: String,
}

/// How an assertion failed.
#[derive(Debug, Clone)]
pub struct Failed {
    /// What was expected and what came, the first time.
    pub message: String,
    /// Under which condition.
    pub condition: String,
    /// How often.
    pub times: u32,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} call {} `{}`", self.test, self.call + 1, self.place)
    }
}

impl Ledger {
    /// The tests that failed at least once.
    pub fn failing_tests(&self) -> usize {
        self.failures.keys().map(|spot| spot.test.as_str()).collect::<BTreeSet<_>>().len()
    }

    fn add(&mut self, test: &TestCase, outcome: &TestOutcome, condition: &Condition) {
        for (call, place, message) in failures(test, outcome) {
            let spot = Spot { test: test.name.clone(), call, place };
            let first = || Failed { message, condition: condition.to_string(), times: 0 };
            self.failures.entry(spot).or_insert_with(first).times += 1;
        }
    }
}

/// Runs both suites as often as asked, spread over fresh starts under all conditions.
pub async fn rerun(
    subject: &Subject,
    suites: &Suites,
    conditions: &[Condition],
    options: &Options,
) -> Result<Contrast> {
    let mut contrast = Contrast::default();
    for (index, condition) in conditions.iter().enumerate() {
        let times = share(options.runs, conditions.len(), index);
        if times == 0 {
            continue;
        }
        let mut live = subject.start(condition, None).await?;
        contrast.starts += 1;
        let seed = options.seed + index as u64;
        run(&live, &suites.handled.suite, times, seed, condition, &mut contrast.handled).await?;
        live.sut.reset().await?;
        run(&live, &suites.unhandled.suite, times, seed, condition, &mut contrast.unhandled).await?;
        println!(
            "native, {condition}: {times} more runs; failing so far: {} tests handled, {} unhandled",
            contrast.handled.failing_tests(),
            contrast.unhandled.failing_tests()
        );
    }
    for (spot, failed) in &contrast.handled.failures {
        println!("FLAKY {spot}, {} times, first with {}: {}", failed.times, failed.condition, failed.message);
    }
    Ok(contrast)
}

/// The part of `all` that the `index`th of `count` gets; the parts are even and add up.
fn share(all: u32, count: usize, index: usize) -> u32 {
    let all = all as usize;
    ((index + 1) * all / count - index * all / count) as u32
}

/// Runs a suite some times, shuffled, and notes what fails.
pub async fn run(
    live: &Live,
    suite: &Suite,
    times: u32,
    seed: u64,
    condition: &Condition,
    ledger: &mut Ledger,
) -> Result<()> {
    let client = ClientOptions::default();
    let options = RunOptions { repeat: times, shuffle: true, workers: 1, seed, client };
    run_suite(&live.client()?, suite, &ProcessEnvironment, &options, |finished| {
        ledger.add(finished.test, &finished.outcome, condition);
        ControlFlow::Continue(())
    })
    .await;
    ledger.runs += times;
    Ok(())
}

/// Call, place and message of everything that is wrong.
fn failures(test: &TestCase, outcome: &TestOutcome) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    for (index, call) in outcome.calls.iter().enumerate() {
        if let Err(error) = &call.result {
            found.push((index, "connection".to_owned(), error.to_string()));
        }
        for mismatch in &call.mismatches {
            let operation = test.calls.get(index).map(|call| call.operation.to_string()).unwrap_or_default();
            found.push((index, mismatch.place.to_string(), format!("{operation}: {mismatch}")));
        }
    }
    found.extend(outcome.error.as_ref().map(|error| (error.call(), "request".to_owned(), error.to_string())));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_and_add_up() {
        let shares: Vec<u32> = (0..3).map(|index| share(10, 3, index)).collect();
        assert_eq!(shares, [3, 3, 4]);
        assert_eq!((0..7).map(|index| share(100, 7, index)).sum::<u32>(), 100);
    }
}

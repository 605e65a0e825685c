//! The observations of every test, in all runs so far.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use steady_model::rerun::{Condition, Counts, Ending, Outcome, Run, TestId, TestResult};
use steady_results::command_id;

/// How many durations of a test are kept: enough for a median, and bounded.
const KEPT_DURATIONS: usize = 1_000;

/// The observations so far.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The name of the command as a whole.
    pub command_id: TestId,
    /// Every test, in the order of its first appearance.
    pub tests: IndexMap<TestId, Observations>,
    /// The command as a whole, for runs that report no single tests.
    pub command: Observations,
    /// How many runs were seen.
    pub runs: u32,
    /// How many single tests were run.
    pub executions: u64,
}

/// The observations of one test.
#[derive(Debug, Clone, Default)]
pub struct Observations {
    /// Its outcomes under each condition, those of all attempts.
    pub by_condition: BTreeMap<Condition, Counts>,
    /// Of these, the outcomes of second and later attempts in one run.
    pub again: BTreeMap<Condition, Counts>,
    /// The conditions under which it failed the first time it was tried.
    pub began_failing: BTreeSet<Condition>,
    /// Its first failure.
    pub failure: Option<Failure>,
    /// The first run it passed in.
    pub passed_run: Option<u32>,
    /// How long it took, in milliseconds.
    pub durations: Vec<f64>,
}

/// A failure of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The run it failed in.
    pub run: u32,
    /// The condition of that run.
    pub condition: Condition,
    /// Its message.
    pub message: String,
}

impl Evidence {
    /// Nothing seen yet of this command.
    pub fn new(command: &[String]) -> Self {
        Self::named(command_id(command))
    }

    /// Nothing seen yet of the command of this name.
    pub fn named(command_id: TestId) -> Self {
        Self { command_id, tests: IndexMap::new(), command: Observations::default(), runs: 0, executions: 0 }
    }

    /// Adds one run.
    pub fn observe(&mut self, run: &Run) {
        self.runs += 1;
        // An interrupted run is not evidence about the tests.
        if run.ending == Ending::Stopped {
            return;
        }
        // A result for the command itself is counted by its ending.
        let mut before = BTreeSet::new();
        for result in run.results.iter().filter(|result| result.id != self.command_id) {
            let again = !before.insert(&result.id);
            self.tests.entry(result.id.clone()).or_default().observe(run, result, again);
            self.executions += u64::from(result.outcome != Outcome::Skipped);
        }
        self.command.observe(run, &of_command(&self.command_id, run), false);
        if run.results.is_empty() {
            self.executions += 1;
        }
    }

    /// Whether the command's own outcome adds information: it ran no tests, or failed although all passed.
    pub fn command_matters(&self) -> bool {
        self.tests.is_empty() || self.command.all().failed > 0
    }
}

/// The command's outcome beyond that of its tests: a failing test explains a failing command.
fn of_command(id: &TestId, run: &Run) -> TestResult {
    let failing = run.results.iter().any(|result| result.id != *id && result.outcome == Outcome::Failed);
    // A crash is more than a failed test; a test that was still running when time was up is why it was up.
    let explained = failing && !matches!(run.ending, Ending::Signalled(_));
    let failed = !run.ending.is_success() && !explained;
    TestResult {
        id: id.clone(),
        outcome: if failed { Outcome::Failed } else { Outcome::Passed },
        milliseconds: Some(run.milliseconds),
        message: failed.then(|| format!("{}\n{}", run.ending, run.excerpt)),
    }
}

impl Observations {
    fn observe(&mut self, run: &Run, result: &TestResult, again: bool) {
        if again {
            count(self.again.entry(run.condition.clone()).or_default(), result.outcome);
        }
        let counts = self.by_condition.entry(run.condition.clone()).or_default();
        if counts.executed() == 0 && result.outcome == Outcome::Failed {
            self.began_failing.insert(run.condition.clone());
        }
        count(counts, result.outcome);
        match result.outcome {
            Outcome::Passed => {
                self.passed_run.get_or_insert(run.number);
            }
            Outcome::Failed => {
                self.failure.get_or_insert_with(|| Failure {
                    run: run.number,
                    condition: run.condition.clone(),
                    message: result.message.clone().unwrap_or_default(),
                });
            }
            Outcome::Skipped => {}
        }
        if let Some(milliseconds) = result.milliseconds
            && self.durations.len() < KEPT_DURATIONS
        {
            self.durations.push(milliseconds);
        }
    }

    /// The outcomes in plain runs.
    pub fn plain(&self) -> Counts {
        self.under(&Condition::default())
    }

    /// The outcomes under a condition.
    pub fn under(&self, condition: &Condition) -> Counts {
        self.by_condition.get(condition).copied().unwrap_or_default()
    }

    /// The outcomes of first attempts under a condition: later ones are made only after a failure.
    pub fn first_under(&self, condition: &Condition) -> Counts {
        let (all, again) = (self.under(condition), self.again_under(condition));
        Counts {
            passed: all.passed - again.passed,
            failed: all.failed - again.failed,
            skipped: all.skipped - again.skipped,
        }
    }

    /// The outcomes of later attempts under a condition.
    pub fn again_under(&self, condition: &Condition) -> Counts {
        self.again.get(condition).copied().unwrap_or_default()
    }

    /// The outcomes in all runs.
    pub fn all(&self) -> Counts {
        self.by_condition.values().fold(Counts::default(), |sum, counts| Counts {
            passed: sum.passed + counts.passed,
            failed: sum.failed + counts.failed,
            skipped: sum.skipped + counts.skipped,
        })
    }
}

fn count(counts: &mut Counts, outcome: Outcome) {
    match outcome {
        Outcome::Passed => counts.passed += 1,
        Outcome::Failed => counts.failed += 1,
        Outcome::Skipped => counts.skipped += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, stopped};

    #[test]
    fn a_failing_command_is_explained_by_a_failing_test() {
        let mut evidence = Evidence::new(&[]);
        evidence.observe(&run(1, Ending::Exited(1), &[("a", Outcome::Failed), ("b", Outcome::Passed)]));
        assert!(!evidence.command_matters());
        evidence.observe(&run(2, Ending::Exited(1), &[("a", Outcome::Passed), ("b", Outcome::Passed)]));
        assert!(evidence.command_matters());
        assert_eq!(evidence.executions, 4);
    }

    #[test]
    fn a_test_retried_within_a_run_counts_twice() {
        let mut evidence = Evidence::new(&[]);
        evidence.observe(&run(1, Ending::Exited(0), &[("a", Outcome::Failed), ("a", Outcome::Passed)]));
        let plain = evidence.tests[&TestId::from("a")].plain();
        assert_eq!((plain.passed, plain.failed), (1, 1));
        let test = &evidence.tests[&TestId::from("a")];
        let (first, again) =
            (test.first_under(&Condition::default()), test.again_under(&Condition::default()));
        assert_eq!((first.passed, first.failed), (0, 1));
        assert_eq!((again.passed, again.failed), (1, 0));
    }

    #[test]
    fn an_interrupted_run_says_nothing() {
        let mut evidence = Evidence::new(&[]);
        evidence.observe(&stopped(1, &[("a", Outcome::Failed)]));
        assert!(evidence.tests.is_empty());
        assert_eq!(evidence.command.all().executed(), 0);
    }
}

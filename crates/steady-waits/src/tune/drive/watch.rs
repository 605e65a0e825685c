//! Which tests of a run count, and whether they passed.

use std::path::Path;

use steady_model::rerun::{Ending, Outcome as TestOutcome, Run, TestId, TestResult};

use super::super::Outcome;
use super::TuneError;

/// How much of what a command says is told.
const LINES: usize = 20;
const CHARACTERS: usize = 2_000;
/// How many of the other tests are told.
const OTHERS: usize = 5;

/// The tests that count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Watched {
    /// These.
    Tests(Vec<TestId>),
    /// The command tells of no tests: its exit code counts.
    ExitCode,
}

impl Watched {
    /// Finds the tests in the first run: by title, else those of the file, else all there are.
    pub fn find(run: &Run, path: &Path, test: Option<&str>, known: bool) -> Result<Self, TuneError> {
        let executed: Vec<&TestId> = executed(run).map(|result| &result.id).collect();
        if executed.is_empty() && !known && test.is_none() {
            return Ok(Self::ExitCode);
        }
        let of_file: Vec<&TestId> =
            executed.iter().copied().filter(|id| file_of(id).is_some_and(|file| is_of(file, path))).collect();
        let around = if of_file.is_empty() { &executed } else { &of_file };
        let chosen: Vec<TestId> = match test {
            Some(title) => around.iter().filter(|id| is_titled(id, title)).map(|id| (*id).clone()).collect(),
            None => around.iter().map(|id| (*id).clone()).collect(),
        };
        if chosen.is_empty() {
            let instead = executed.iter().take(OTHERS).map(|id| plain(id.as_str())).collect();
            return Err(TuneError::TestNotFound {
                test: test.map(str::to_owned),
                instead,
                output: said(run, &[]),
            });
        }
        Ok(Self::Tests(chosen))
    }

    /// The tests, where they are known.
    pub fn tests(&self) -> &[TestId] {
        match self {
            Self::Tests(tests) => tests,
            Self::ExitCode => &[],
        }
    }

    /// What the run says of them. A test that is missing did not pass; nor did a command that fails without a failed test.
    pub fn outcome(&self, run: &Run) -> Outcome {
        let outcome = self.outcome_of_tests(run);
        Outcome { passed: outcome.passed && !is_unexplained(run), ..outcome }
    }

    /// What the run says of them, whatever the command makes of it.
    pub fn outcome_of_tests(&self, run: &Run) -> Outcome {
        let whole = Outcome { passed: run.ending.is_success(), milliseconds: run.milliseconds };
        let Self::Tests(tests) = self else { return whole };
        let of = |id: &TestId| run.results.iter().find(|result| result.id == *id);
        let passed = |id| of(id).is_some_and(|result| result.outcome == TestOutcome::Passed);
        let times: Option<f64> = tests.iter().map(|id| of(id)?.milliseconds).sum();
        Outcome { passed: tests.iter().all(passed), milliseconds: times.unwrap_or(run.milliseconds) }
    }
}

/// Whether a run failed and no test says why.
pub(super) fn is_unexplained(run: &Run) -> bool {
    !run.ending.is_success() && !run.results.iter().any(|result| result.outcome == TestOutcome::Failed)
}

/// Whether the run was ended from outside, and says nothing.
pub(super) fn is_stopped(run: &Run) -> bool {
    run.ending == Ending::Stopped
}

/// What a run says about its failure: the message of a test that counts, else the end of what it printed.
pub(super) fn said(run: &Run, tests: &[TestId]) -> String {
    let message = run
        .results
        .iter()
        .filter(|result| tests.is_empty() || tests.contains(&result.id))
        .find_map(|result| result.message.as_deref());
    let text = message.filter(|message| !message.trim().is_empty()).unwrap_or(&run.excerpt);
    let lines: Vec<String> = text.lines().map(plain).filter(|line| !line.is_empty()).take(LINES).collect();
    lines.join("\n").chars().take(CHARACTERS).collect()
}

/// Without colours and other control characters.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            // A colour ends with a letter.
            letters.by_ref().find(char::is_ascii_alphabetic);
        } else if !letter.is_control() {
            plain.push(letter);
        }
    }
    plain.trim_end().to_owned()
}

fn executed(run: &Run) -> impl Iterator<Item = &TestResult> {
    run.results.iter().filter(|result| result.outcome != TestOutcome::Skipped)
}

/// The file that an id begins with.
pub(super) fn file_of(id: &TestId) -> Option<&str> {
    id.as_str().split_once("::").map(|(file, _)| file)
}

/// Whether a runner's name for a file means this one: some leave out the folder of all tests.
pub(super) fn is_of(file: &str, path: &Path) -> bool {
    !file.is_empty() && path.ends_with(file)
}

/// Whether a test has this title: its own, or with those around it, however they are joined.
pub(super) fn is_titled(id: &TestId, title: &str) -> bool {
    let id = id.as_str();
    let parts: Vec<&str> = id.split("::").collect();
    let without_project = |part: &str| part.rsplit_once(" [").map(|(title, _)| title.to_owned());
    let matches = |last: &str| {
        (0..parts.len()).any(|start| {
            let mut titles = parts[start..].to_vec();
            if let Some(end) = titles.last_mut() {
                *end = last;
            }
            ["::", " ", " > ", " \u{203a} "].iter().any(|between| titles.join(between) == title)
        })
    };
    let last = parts.last().copied().unwrap_or_default();
    let numbered = last.rsplit_once('#').filter(|(_, number)| number.parse::<u32>().is_ok());
    matches(last)
        || without_project(last).is_some_and(|last| matches(&last))
        || numbered.is_some_and(|(last, _)| matches(last))
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Condition;

    use super::*;

    fn run(ending: Ending, results: &[(&str, TestOutcome)]) -> Run {
        let result = |(id, outcome): &(&str, TestOutcome)| TestResult {
            id: TestId::from(*id),
            outcome: *outcome,
            milliseconds: Some(2.0),
            message: None,
        };
        Run {
            number: 1,
            condition: Condition::default(),
            ending,
            milliseconds: 900.0,
            results: results.iter().map(result).collect(),
            excerpt: "\u{1b}[31mred\u{1b}[0m\u{7}\nnext".to_owned(),
        }
    }

    const SHOP: [(&str, TestOutcome); 3] = [
        ("e2e/a.test.js::cart::adds up", TestOutcome::Passed),
        ("e2e/a.test.js::cart::is empty", TestOutcome::Failed),
        ("e2e/b.test.js::adds up", TestOutcome::Passed),
    ];

    #[test]
    fn a_test_is_found_by_its_title_in_its_file() {
        let run = run(Ending::Exited(1), &SHOP);
        let found = |test| Watched::find(&run, Path::new("e2e/a.test.js"), Some(test), true).unwrap();
        for title in ["adds up", "cart adds up", "cart > adds up", "cart::adds up"] {
            assert_eq!(found(title), Watched::Tests(vec![TestId::from(SHOP[0].0)]), "{title}");
        }
        assert!(found("adds up").outcome(&run).passed);
        assert_eq!(found("adds up").outcome(&run).milliseconds, 2.0);
        assert!(!found("is empty").outcome(&run).passed);
    }

    #[test]
    fn names_of_projects_and_numbers_are_no_part_of_a_title() {
        for id in ["a.spec.ts::adds up [chromium]", "a.spec.ts::adds up#2"] {
            assert!(is_titled(&TestId::from(id), "adds up"), "{id}");
        }
        assert!(is_titled(&TestId::from("a.spec.ts::sorts [a, b]"), "sorts [a, b]"));
        assert!(!is_titled(&TestId::from("a.spec.ts::never adds up"), "adds up"));
    }

    #[test]
    fn without_a_title_all_tests_of_the_file_count() {
        let run = run(Ending::Exited(1), &SHOP);
        let found = Watched::find(&run, Path::new("e2e/b.test.js"), None, true).unwrap();
        assert_eq!(found.tests(), [TestId::from(SHOP[2].0)]);
        let helper = Watched::find(&run, Path::new("e2e/helper.js"), None, true).unwrap();
        assert_eq!(helper.tests().len(), 3);
    }

    #[test]
    fn a_test_that_is_not_run_is_told_with_those_that_are() {
        let run = run(Ending::Exited(1), &SHOP);
        let error = Watched::find(&run, Path::new("e2e/a.test.js"), Some("other"), true).unwrap_err();
        assert_eq!(error.to_string(), "no test `other` was run by the command");
        let TuneError::TestNotFound { instead, output, .. } = error else { panic!("{error}") };
        assert_eq!((instead.len(), output.as_str()), (3, "red\nnext"));
    }

    #[test]
    fn a_command_that_tells_of_no_tests_is_judged_by_its_exit_code() {
        let silent = run(Ending::Exited(0), &[]);
        let watched = Watched::find(&silent, Path::new("a.js"), None, false).unwrap();
        assert_eq!(watched, Watched::ExitCode);
        assert!(watched.outcome(&silent).passed);
        assert!(!watched.outcome(&run(Ending::Exited(1), &[])).passed);
        assert!(Watched::find(&silent, Path::new("a.js"), None, true).is_err());
        assert!(Watched::find(&silent, Path::new("a.js"), Some("a"), false).is_err());
    }

    #[test]
    fn a_missing_test_and_an_unexplained_exit_code_are_failures() {
        let watched = Watched::Tests(vec![TestId::from(SHOP[0].0)]);
        assert!(!watched.outcome(&run(Ending::Exited(0), &SHOP[2..])).passed);
        assert!(!watched.outcome(&run(Ending::Exited(1), &SHOP[..1])).passed);
    }
}

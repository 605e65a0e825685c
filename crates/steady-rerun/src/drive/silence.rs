//! Detects commands whose runs report no tests, or never the same ones: they are given up early, with a reason.

use std::collections::BTreeSet;
use std::time::Duration;

use steady_model::rerun::{Ending, Run, TestId};
use steady_results::without_colours;

use crate::evidence::{Evidence, Observations};

/// The number of runs after which a command without results is given up.
const PATIENCE: u32 = 3;

/// The runs of a command report no tests that could be judged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum SilenceError {
    /// It was always killed.
    #[error("the command did not end within {timeout:?} in any of {runs} runs")]
    Endless { timeout: Duration, runs: u32 },
    /// The results pattern matches no results.
    #[error("no run reported a test: {note}")]
    Unread { note: String },
    /// Its runner had nothing to run.
    #[error("{runner} ran no test: {ending}, and the last it printed is `{said}`")]
    Nothing { runner: &'static str, ending: Ending, said: String },
    /// Its runner failed because of what steady adds to it.
    #[error("{runner} could not load what steady adds to report its tests: {said}")]
    Injected { runner: &'static str, said: String },
    /// Its tests have other names in every run.
    #[error("no test has the same name in two runs: one reported `{one}`, another `{other}`")]
    Renamed { one: TestId, other: TestId },
}

/// Watches the runs for reported tests.
#[derive(Debug)]
pub struct Silence {
    /// The runner, if it is known to report every test.
    runner: Option<&'static str>,
    timeout: Option<Duration>,
    runs: u32,
    timed_out: u32,
    reported: bool,
    note: Option<String>,
    last: Option<(Ending, String)>,
}

impl Silence {
    /// `runner` is one that is known to report every test.
    pub fn new(runner: Option<&'static str>, timeout: Option<Duration>) -> Self {
        Self { runner, timeout, runs: 0, timed_out: 0, reported: false, note: None, last: None }
    }

    /// Adds a run and what could not be read of it.
    pub fn hear(&mut self, run: &Run, notes: &[String]) {
        if run.ending == Ending::Stopped {
            return;
        }
        self.runs += 1;
        self.timed_out += u32::from(run.ending == Ending::TimedOut);
        self.reported |= !run.results.is_empty();
        self.note = self.note.take().or_else(|| notes.first().cloned());
        self.last = Some((run.ending, run.excerpt.clone()));
    }

    /// Why the command is given up, after enough runs.
    pub fn broken_off(&self, evidence: &Evidence) -> Option<SilenceError> {
        if self.runs < PATIENCE {
            return None;
        }
        self.at_end().or_else(|| renamed(evidence))
    }

    /// Why the runs cannot be judged, after the last one.
    pub fn at_end(&self) -> Option<SilenceError> {
        if self.reported || self.runs == 0 {
            return None;
        }
        if let Some(timeout) = self.timeout
            && self.timed_out == self.runs
        {
            return Some(SilenceError::Endless { timeout, runs: self.runs });
        }
        if let Some(note) = &self.note {
            return Some(SilenceError::Unread { note: note.clone() });
        }
        let (ending, printed) = self.last.as_ref()?;
        let runner = self.runner?;
        let error = error_line(printed);
        if let Some(said) = error.clone().filter(|_| INJECTED.iter().any(|path| printed.contains(path))) {
            return Some(SilenceError::Injected { runner, said });
        }
        let said = error.or_else(|| last_line(printed)).unwrap_or_default();
        Some(SilenceError::Nothing { runner, ending: *ending, said })
    }
}

/// How steady's own files appear in a stack.
const INJECTED: [&str; 2] = ["/inject/steady-", "/inject/steady_"];

/// The line with the error: `TypeError: x is not a function`, `error: unknown option`. A stack follows it.
fn error_line(printed: &str) -> Option<String> {
    let plain = without_colours(printed);
    let names_an_error = |line: &&str| {
        let (kind, rest) = line.split_once(": ").unwrap_or((line, ""));
        let kind = kind.rsplit([' ', '.']).next().unwrap_or(kind);
        !rest.is_empty()
            && (kind.ends_with("Error") || kind.ends_with("Exception") || kind.eq_ignore_ascii_case("error"))
    };
    plain.lines().map(str::trim).find(names_an_error).map(str::to_owned)
}

fn last_line(printed: &str) -> Option<String> {
    let plain = without_colours(printed);
    plain.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// Every test was seen just once, though there were several runs.
fn renamed(evidence: &Evidence) -> Option<SilenceError> {
    if !evidence.tests.values().all(seen_once) {
        return None;
    }
    let mut names = evidence.tests.keys();
    Some(SilenceError::Renamed { one: names.next()?.clone(), other: names.next()?.clone() })
}

/// A warning when some names come up in one run only, in run after run.
pub fn unstable_names(evidence: &Evidence) -> Option<String> {
    let once: Vec<(&TestId, &Observations)> =
        evidence.tests.iter().filter(|(_, observations)| seen_once(observations)).collect();
    let runs: BTreeSet<u32> = once.iter().filter_map(|(_, observations)| run_of(observations)).collect();
    let ((one, _), (other, _)) = (once.first()?, once.last()?);
    (runs.len() >= PATIENCE as usize).then(|| {
        format!(
            "{} names of tests come up in one run only, such as `{one}` and `{other}`: take what differs between runs \
             (a time, a port, a folder) out of the names",
            once.len()
        )
    })
}

fn seen_once(observations: &Observations) -> bool {
    let all = observations.all();
    all.executed() + all.skipped == 1
}

fn run_of(observations: &Observations) -> Option<u32> {
    observations.passed_run.or(observations.failure.as_ref().map(|failure| failure.run))
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Outcome;

    use super::*;
    use crate::testing::run;

    fn after(runner: Option<&'static str>, notes: &[String], runs: &[Run]) -> Option<String> {
        let mut silence = Silence::new(runner, Some(Duration::from_secs(1)));
        let mut evidence = Evidence::new(&[]);
        for run in runs {
            silence.hear(run, notes);
            evidence.observe(run);
        }
        silence.broken_off(&evidence).map(|error| error.to_string())
    }

    #[test]
    fn a_command_gets_three_chances_to_tell_of_a_test() {
        let mut runs = vec![run(1, Ending::Exited(5), &[]), run(2, Ending::Exited(5), &[])];
        assert_eq!(after(Some("pytest"), &[], &runs), None);
        runs.push(run(3, Ending::Exited(5), &[]));
        let reason = after(Some("pytest"), &[], &runs).unwrap();
        assert!(reason.starts_with("pytest ran no test: exit code 5"), "{reason}");
        let reason = after(None, &["no file matches `a`".to_owned()], &runs).unwrap();
        assert_eq!(reason, "no run reported a test: no file matches `a`");
        // An unknown command is judged by its exit code.
        assert_eq!(after(None, &[], &runs), None);
        runs.push(run(4, Ending::Exited(0), &[("a", Outcome::Passed), ("b", Outcome::Skipped)]));
        runs.push(run(5, Ending::Exited(0), &[("a", Outcome::Passed)]));
        assert_eq!(after(Some("pytest"), &[], &runs), None);
    }

    #[test]
    fn the_runners_own_error_is_told_and_not_the_end_of_its_stack() {
        let printed = |excerpt: &str| Run { excerpt: excerpt.to_owned(), ..run(1, Ending::Exited(1), &[]) };
        let runs = |excerpt: &str| [1, 2, 3].map(|_| printed(excerpt));
        let stack = "failed to load config\n\u{1b}[31mTypeError\u{1b}[0m: f is not a function\n    at x (/p/.steady/0/inject/steady-a.mjs:1)\n    at y\n";
        assert_eq!(
            after(Some("vitest"), &[], &runs(stack)).unwrap(),
            "vitest could not load what steady adds to report its tests: TypeError: f is not a function"
        );
        let reason =
            after(Some("jest"), &[], &runs("Error: no config\n    at a\n\u{1b}[2m  Duration 3 s\u{1b}[0m"))
                .unwrap();
        assert_eq!(reason, "jest ran no test: exit code 1, and the last it printed is `Error: no config`");
        let reason =
            after(Some("jest"), &[], &runs("No tests found\n\u{1b}[2m  Duration 3 s\u{1b}[0m")).unwrap();
        assert_eq!(reason, "jest ran no test: exit code 1, and the last it printed is `Duration 3 s`");
    }

    #[test]
    fn a_command_that_never_ends_is_given_up() {
        let runs = [1, 2, 3].map(|number| run(number, Ending::TimedOut, &[]));
        assert_eq!(after(None, &[], &runs).unwrap(), "the command did not end within 1s in any of 3 runs");
    }

    #[test]
    fn names_that_differ_in_every_run_are_told() {
        let named = |number, name| run(number, Ending::Exited(0), &[(name, Outcome::Passed)]);
        let runs = [named(1, "at 1"), named(2, "at 2"), named(3, "at 3")];
        let reason = after(None, &[], &runs).unwrap();
        assert_eq!(reason, "no test has the same name in two runs: one reported `at 1`, another `at 2`");
        assert_eq!(after(None, &[], &[named(1, "a"), named(2, "a"), named(3, "b")]), None);
    }
}

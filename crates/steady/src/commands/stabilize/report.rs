//! What `steady stabilize` prints when it is done.

use std::path::Path;

use steady_flaky::drive::{Cost, SortedTests, TestLeft};
use steady_model::Flaky;

use crate::flaky::flaky_lines;
use crate::ui::{Verbosity, counted, escape_lines, grouped};

/// Tests listed before the rest is only counted.
const NAMES: usize = 10;

/// What was found and how it was handled, ready to be printed.
#[derive(Debug)]
pub struct StabilizeReport<'a> {
    /// What varies.
    pub flaky: &'a [Flaky],
    /// The tests that are not steady.
    pub remaining: Remaining<'a>,
    /// What it took.
    pub cost: &'a Cost,
    /// What would change.
    pub diff: Option<&'a str>,
    /// Whether it was cut short; then nothing is changed.
    pub interrupted: bool,
    /// Whether the files were changed.
    pub written: bool,
    /// What was looked at.
    pub path: &'a Path,
}

/// The tests that are not steady in the end.
#[derive(Debug, Clone, Copy)]
pub enum Remaining<'a> {
    /// Tests of a suite.
    Suite {
        /// Those that fail every time.
        failing: &'a [String],
        /// Those that still pass and fail.
        still_flaky: &'a [String],
    },
    /// Tests in code, all of them sorted.
    Code(&'a SortedTests),
}

impl Remaining<'_> {
    fn is_empty(self) -> bool {
        match self {
            Self::Suite { failing, still_flaky } => failing.is_empty() && still_flaky.is_empty(),
            Self::Code(tests) => tests.passing() == tests.len(),
        }
    }

    fn lines(self, verbosity: Verbosity) -> String {
        let limit = if verbosity == Verbosity::Verbose { usize::MAX } else { NAMES };
        match self {
            Self::Suite { failing, still_flaky } => [
                named("Broken: these tests fail every time; they were not changed", failing, limit),
                named(
                    "Still flaky: these tests pass and fail, and no assertion explains why",
                    still_flaky,
                    limit,
                ),
            ]
            .concat(),
            Self::Code(tests) => {
                let of = |headline: &str, left: &[TestLeft]| {
                    let lines: Vec<String> = left.iter().map(left_line).collect();
                    named(headline, &lines, limit)
                };
                let mut text = [
                    of("Broken: fails every time, and not because of a volatile value", &tests.broken),
                    of("Still flaky: passes and fails after the rewrite", &tests.still_flaky),
                    of(
                        "Not followed: fails where steady cannot tell which response is meant",
                        &tests.not_followed,
                    ),
                ]
                .concat();
                if verbosity == Verbosity::Verbose {
                    text.push_str(&named("Rewritten, passes now", &tests.rewritten, limit));
                    text.push_str(&named("Unchanged, passes", &tests.unchanged, limit));
                }
                text
            }
        }
    }

    /// How many tests came to what.
    fn counts(self) -> String {
        let Self::Code(tests) = self else { return String::new() };
        let counts = [
            (tests.rewritten.len(), "rewritten and passing"),
            (tests.unchanged.len(), "unchanged and passing"),
            (tests.broken.len(), "broken"),
            (tests.still_flaky.len(), "still flaky"),
            (tests.not_followed.len(), "not followed"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        format!("{}: {}\n", counted(tests.len(), "test"), counts.join(", "))
    }
}

/// `tests/test_a.py::test_list, 3 of 3 runs failed at tests/test_a.py:12, reason`
fn left_line(left: &TestLeft) -> String {
    let mut line =
        format!("{}: failed in {} of {}", left.test, left.failed, counted(left.runs as usize, "run"));
    if let Some(place) = &left.place {
        line.push_str(&format!(", at {place}"));
    }
    if let Some(reason) = &left.reason {
        line.push_str(&format!("\n      {reason}"));
    }
    line
}

impl StabilizeReport<'_> {
    /// Whether there is nothing to report.
    pub fn is_clean(&self) -> bool {
        self.flaky.is_empty() && self.remaining.is_empty()
    }

    /// The report as styled text.
    pub fn render(&self, verbosity: Verbosity) -> String {
        let mut text = flaky_lines(self.flaky, verbosity, "; -v lists them");
        if self.flaky.is_empty() && verbosity > Verbosity::Quiet {
            text.push_str("No value changed between runs\n\n");
        }
        text.push_str(&self.remaining.lines(verbosity));
        if let Some(diff) = self.diff.filter(|diff| !diff.is_empty()) {
            text.push_str(&escape_lines(diff));
            text.push('\n');
        }
        if verbosity > Verbosity::Quiet {
            text.push_str(&format!(
                "Ran all tests {} times ({}): {} requests, {:.1} s\n",
                self.cost.runs(),
                self.cost,
                grouped(self.cost.requests()),
                self.cost.elapsed().as_secs_f64()
            ));
            text.push_str(&self.remaining.counts());
            text.push_str(&self.outcome());
        }
        text
    }

    fn outcome(&self) -> String {
        if self.interrupted {
            return "interrupted: nothing is changed\n".to_owned();
        }
        match (self.written, self.diff) {
            (true, _) => format!("Wrote {}\n", self.path.display()),
            (false, Some(diff)) if !diff.is_empty() => "Apply this with --write\n".to_owned(),
            _ => "Nothing to change\n".to_owned(),
        }
    }
}

/// A headline and the names below it; nothing without names.
fn named(headline: &str, names: &[String], limit: usize) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut text = format!("{headline}\n");
    for name in names.iter().take(limit) {
        text.push_str(&format!("    {}\n", escape_lines(name)));
    }
    if names.len() > limit {
        text.push_str(&format!("    and {} more; -v lists them\n", names.len() - limit));
    }
    text.push('\n');
    text
}

//! What `steady stabilize` prints when it is done.

use std::path::Path;

use steady_model::Flaky;
use steady_stabilize::Cost;

use super::{Verbosity, escape_controls, escape_lines, flaky_lines, grouped};

/// Tests listed before the rest is only counted.
const NAMES: usize = 10;

/// What was found and what became of it, ready to be told.
#[derive(Debug)]
pub struct StabilizeReport<'a> {
    /// What varies.
    pub flaky: &'a [Flaky],
    /// Tests that fail every time.
    pub failing: &'a [String],
    /// Tests that still pass and fail.
    pub unmended: &'a [String],
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

impl StabilizeReport<'_> {
    /// Whether there is nothing to tell.
    pub fn is_clean(&self) -> bool {
        self.flaky.is_empty() && self.failing.is_empty() && self.unmended.is_empty()
    }

    /// The report as styled text.
    pub fn render(&self, verbosity: Verbosity) -> String {
        let mut text = flaky_lines(self.flaky, verbosity);
        if self.flaky.is_empty() && verbosity > Verbosity::Quiet {
            text.push_str("Nothing varies between runs\n\n");
        }
        text.push_str(&named(
            "These tests fail every time: they are not flaky, and left as they were",
            self.failing,
        ));
        text.push_str(&named(
            "These tests still pass and fail: none of the assertions that were understood makes them do so",
            self.unmended,
        ));
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
fn named(headline: &str, names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut text = format!("{headline}\n");
    for name in names.iter().take(NAMES) {
        text.push_str(&format!("    {}\n", escape_controls(name)));
    }
    if names.len() > NAMES {
        text.push_str(&format!("    and {} more\n", names.len() - NAMES));
    }
    text.push('\n');
    text
}

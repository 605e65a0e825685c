//! What `steady stabilize` prints when it is done.

use std::path::Path;

use steady_model::Flaky;
use steady_stabilize::Cost;

use super::{Verbosity, counted, escape_controls, escape_lines, flaky_lines, grouped};

/// Tests listed before the rest is only counted.
const FAILING: usize = 10;

/// What was found and what became of it, ready to be told.
#[derive(Debug)]
pub struct StabilizeReport<'a> {
    /// What varies.
    pub flaky: &'a [Flaky],
    /// Tests that fail every time.
    pub failing: &'a [String],
    /// What it took.
    pub cost: &'a Cost,
    /// What would change.
    pub diff: Option<&'a str>,
    /// Whether the files were changed.
    pub written: bool,
    /// What was looked at.
    pub path: &'a Path,
}

impl StabilizeReport<'_> {
    /// The report as styled text.
    pub fn render(&self, verbosity: Verbosity) -> String {
        let mut text = flaky_lines(self.flaky, verbosity);
        if self.flaky.is_empty() && verbosity > Verbosity::Quiet {
            text.push_str("Nothing varies between runs\n\n");
        }
        text.push_str(&self.failing());
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

    fn failing(&self) -> String {
        if self.failing.is_empty() {
            return String::new();
        }
        let fail = if self.failing.len() == 1 { "fails" } else { "fail" };
        let mut text = format!(
            "{} {fail} every time, which is not flaky, and {} left as it was\n",
            counted(self.failing.len(), "test"),
            if self.failing.len() == 1 { "is" } else { "are each" }
        );
        for name in self.failing.iter().take(FAILING) {
            text.push_str(&format!("    {}\n", escape_controls(name)));
        }
        if self.failing.len() > FAILING {
            text.push_str(&format!("    and {} more\n", self.failing.len() - FAILING));
        }
        text.push('\n');
        text
    }

    fn outcome(&self) -> String {
        match (self.written, self.diff) {
            (true, _) => format!("Wrote {}\n", self.path.display()),
            (false, Some(diff)) if !diff.is_empty() => "Apply this with --write\n".to_owned(),
            _ => "Nothing to change\n".to_owned(),
        }
    }
}

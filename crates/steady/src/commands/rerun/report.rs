//! What `steady rerun` prints at its end.
//!
//! ```text
//! FLAKY tests/test_cart.py::test_total: 6 of 20 failed, 30.0 % (11.9–54.3 %), Time
//!   fails with clock +1d3h: 7 of 7 (as is: 6 of 20)
//!   run 3: assert '2026-11-16' == '2026-11-15'
//! SENSITIVE tests/test_cart.py::test_empty: 0 of 20 failed, 0 % (0–16.8 %), State
//!   fails after tests/test_cart.py::test_add (3 of 3)
//!
//! 48 tests in 31 runs (22.4 s): 45 stable, 1 flaky, 1 sensitive, 1 broken
//! ```

mod message;

use std::fmt::Write;

use steady_model::rerun::{
    Counts, Dependence, Flip, NotTried, Rate, Reason, RerunReport, Role, TestReport, Verdict,
};

use crate::ui::{Verbosity, counted, escape_controls, grouped};
use message::failure_message;

const BAD: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const DOUBTFUL: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const GOOD: anstyle::Style = anstyle::AnsiColor::Green.on_default();
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// The verdicts, in the order of [`Verdict`], the worst first.
const ORDER: [Verdict; 6] = [
    Verdict::Flaky,
    Verdict::Sensitive,
    Verdict::Broken,
    Verdict::Undecided,
    Verdict::Stable,
    Verdict::Skipped,
];

/// The whole report.
pub fn render(report: &RerunReport, verbosity: Verbosity) -> String {
    let mut text = String::new();
    for verdict in ORDER {
        for test in report.tests.iter().filter(|test| test.verdict == verdict && is_shown(test, verbosity)) {
            text.push_str(&describe(test));
        }
    }
    if verbosity > Verbosity::Quiet {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&summary(report));
    }
    text.push_str(&not_tried(report));
    text
}

/// A test that failed is shown even where the runs are too few to say what it is.
fn is_shown(test: &TestReport, verbosity: Verbosity) -> bool {
    test.all.failed > 0 || verbosity == Verbosity::Verbose
}

fn describe(test: &TestReport) -> String {
    let style = match test.verdict {
        Verdict::Flaky | Verdict::Broken => BAD,
        Verdict::Sensitive | Verdict::Undecided => DOUBTFUL,
        Verdict::Stable | Verdict::Skipped => GOOD,
    };
    let verdict = test.verdict.to_string().to_uppercase();
    let name = escape_controls(test.id.as_str());
    let mut text = format!("{style}{verdict}{style:#} {name}: {}", failures(test.plain, test.rate));
    if let Some(category) = test.category {
        let _ = write!(text, ", {category}");
    }
    text.push('\n');
    for flip in &test.flips {
        let _ = writeln!(text, "  {}", flipped(flip, test.plain));
    }
    if let Some(dependence) = &test.dependence {
        let _ = writeln!(text, "  {}", depends(test, dependence));
    }
    if let Some(difference) = &test.difference {
        let condition = if difference.condition.is_plain() {
            String::new()
        } else {
            format!(" ({})", difference.condition)
        };
        let message = failure_message(&difference.message);
        let _ = writeln!(text, "  {DIM}run {}{condition}:{DIM:#} {message}", difference.failed_run);
    }
    text
}

/// What is said of a test in one sentence, for places that have room for no more.
pub fn sentence(test: &TestReport) -> String {
    let mut text = format!("{}: {}", test.verdict, failures(test.plain, test.rate));
    if let Some(category) = test.category {
        let _ = write!(text, ", {category}");
    }
    if let Some(flip) = test.flips.first() {
        let _ = write!(text, "; {}", flipped(flip, test.plain));
    }
    if let Some(dependence) = &test.dependence {
        let _ = write!(text, "; {}", depends(test, dependence));
    }
    if let Some(difference) = &test.difference {
        let _ = write!(text, "; run {}: {}", difference.failed_run, failure_message(&difference.message));
    }
    text
}

/// `6 of 20 failed, 30 % (11.9–54.3 %)`
fn failures(counts: Counts, rate: Rate) -> String {
    match rate.observed {
        None => "never ran".to_owned(),
        Some(observed) => format!(
            "{} of {} failed, {} % ({}–{} %)",
            grouped(counts.failed.into()),
            grouped(counts.executed().into()),
            percent(observed),
            percent(rate.low),
            percent(rate.high)
        ),
    }
}

fn percent(share: f64) -> String {
    let rounded = format!("{:.1}", share * 100.0);
    rounded.strip_suffix(".0").map(str::to_owned).unwrap_or(rounded)
}

fn flipped(flip: &Flip, plain: Counts) -> String {
    let outcome = if flip.counts.failed > 0 { "fails" } else { "passes" };
    let shown = if flip.counts.failed > 0 { flip.counts.failed } else { flip.counts.passed };
    let before = if flip.counts.failed > 0 { plain.failed } else { plain.passed };
    format!(
        "{outcome} with {} {}: {shown} of {} (as is: {before} of {})",
        flip.perturbation,
        escape_controls(&flip.value),
        flip.counts.executed(),
        plain.executed()
    )
}

/// `fails after tests/test_cart.py::test_add (3 of 3)`
fn depends(test: &TestReport, dependence: &Dependence) -> String {
    let (confirmed, tried) = (dependence.confirmed, dependence.tried);
    if dependence.tests == [test.id.clone()] {
        return format!(
            "fails whenever it is tried first, passes when it is tried again ({confirmed} of {tried})"
        );
    }
    let tests: Vec<String> = dependence.tests.iter().map(|test| escape_controls(test.as_str())).collect();
    let relation = match dependence.role {
        Role::Polluter => "fails after",
        Role::Setter => "fails unless it runs after",
    };
    format!("{relation} {} ({confirmed} of {tried})", tests.join(" and "))
}

fn summary(report: &RerunReport) -> String {
    let tally = |verdict| report.tests.iter().filter(|test| test.verdict == verdict).count();
    let parts: Vec<String> = [
        Verdict::Stable,
        Verdict::Flaky,
        Verdict::Sensitive,
        Verdict::Broken,
        Verdict::Undecided,
        Verdict::Skipped,
    ]
    .into_iter()
    .filter(|verdict| tally(*verdict) > 0)
    .map(|verdict| format!("{} {verdict}", grouped(tally(verdict) as u64)))
    .collect();
    let what = if parts.is_empty() { "no test ran".to_owned() } else { parts.join(", ") };
    let mut text = format!(
        "{} in {} ({:.1} s): {what}\n",
        counted(report.tests.len(), "test"),
        counted(report.runs as usize, "run"),
        report.seconds
    );
    if let Some(bound) = weakest_bound(report) {
        let _ = writeln!(
            text,
            "{DIM}a stable test may still fail up to {} % of the time (95 %): more runs narrow this{DIM:#}",
            percent(bound)
        );
    }
    text
}

/// What was to be tried and was not, a line per reason.
fn not_tried(report: &RerunReport) -> String {
    let reasons = [
        (Reason::Time, "out of time"),
        (Reason::Interrupted, "interrupted"),
        (Reason::Explain, "more runs with `--explain N` or `--explain full`"),
        (Reason::Error, "a run failed to start"),
        (Reason::Unsupported, "not possible with this command"),
    ];
    let mut text = String::new();
    for (reason, why) in reasons {
        let left: Vec<String> =
            report.not_tried.iter().filter(|left| left.reason == reason).map(left_out).collect();
        if !left.is_empty() {
            let _ = writeln!(text, "{DOUBTFUL}not tried{DOUBTFUL:#}: {} ({why})", left.join(", "));
        }
    }
    text
}

/// `clock`, or `clock +800d` where other values were tried.
fn left_out(left: &NotTried) -> String {
    let name = left.perturbation.name();
    match left.tried {
        0 => name.to_owned(),
        tried => format!("{name} ({} of {} values)", left.values.len(), left.values.len() + tried as usize),
    }
}

/// The highest failure rate that the runs leave open for a test called stable.
fn weakest_bound(report: &RerunReport) -> Option<f64> {
    let stable = report.tests.iter().filter(|test| test.verdict == Verdict::Stable);
    stable.map(|test| test.rate.high).reduce(f64::max)
}

#[cfg(test)]
mod tests;

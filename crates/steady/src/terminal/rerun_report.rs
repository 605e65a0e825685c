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

use std::fmt::Write;

use steady_model::rerun::{Counts, Flip, Rate, RerunReport, Role, TestReport, Verdict};

use super::{Verbosity, counted, escape_controls, grouped};

const BAD: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const DOUBTFUL: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const GOOD: anstyle::Style = anstyle::AnsiColor::Green.on_default();
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// The longest part of a failure's message that is shown.
const MESSAGE_WIDTH: usize = 160;

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
        for test in report.tests.iter().filter(|test| test.verdict == verdict) {
            if is_shown(test, verbosity) {
                text.push_str(&describe(test));
            }
        }
    }
    if verbosity > Verbosity::Quiet {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&summary(report));
    }
    text
}

fn is_shown(test: &TestReport, verbosity: Verbosity) -> bool {
    match test.verdict {
        Verdict::Flaky | Verdict::Sensitive | Verdict::Broken => true,
        Verdict::Undecided => test.all.failed > 0 || verbosity == Verbosity::Verbose,
        Verdict::Stable | Verdict::Skipped => verbosity == Verbosity::Verbose,
    }
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
        let tests: Vec<String> = dependence.tests.iter().map(|test| escape_controls(test.as_str())).collect();
        let relation = match dependence.role {
            Role::Polluter => "fails after",
            Role::Setter => "fails unless it runs after",
        };
        let (confirmed, tried) = (dependence.confirmed, dependence.tried);
        let _ = writeln!(text, "  {relation} {} ({confirmed} of {tried})", tests.join(" and "));
    }
    if let Some(difference) = &test.difference {
        let condition = if difference.condition.is_plain() {
            String::new()
        } else {
            format!(" ({})", difference.condition)
        };
        let message = first_line(&difference.message);
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
    if let Some(difference) = &test.difference {
        let _ = write!(text, "; run {}: {}", difference.failed_run, first_line(&difference.message));
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

/// The first line that says something, shortened.
fn first_line(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("(no message)");
    let mut shown: String = line.chars().take(MESSAGE_WIDTH).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    escape_controls(&shown)
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
            "{DIM}a stable test may still fail up to {} % of the time (95 %): more runs say more{DIM:#}",
            percent(bound)
        );
    }
    text
}

/// The highest failure rate that the runs leave open for a test called stable.
fn weakest_bound(report: &RerunReport) -> Option<f64> {
    let stable = report.tests.iter().filter(|test| test.verdict == Verdict::Stable);
    stable.map(|test| test.rate.high).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use steady_model::FORMAT_VERSION;
    use steady_model::rerun::{Category, Condition, Dependence, Difference, Perturbation, TestId};

    use super::*;

    fn test(id: &str, verdict: Verdict, passed: u32, failed: u32) -> TestReport {
        let plain = Counts { passed, failed, skipped: 0 };
        let observed = f64::from(failed) / f64::from(passed + failed);
        TestReport {
            id: TestId::from(id),
            verdict,
            plain,
            all: plain,
            rate: Rate { observed: Some(observed), low: 0.0, high: 0.1684, confidence: 0.95 },
            category: None,
            flips: vec![],
            dependence: None,
            difference: None,
            median_milliseconds: None,
        }
    }

    fn report() -> RerunReport {
        let mut flaky = test("a.py::due\u{1b}[2J", Verdict::Flaky, 14, 6);
        flaky.category = Some(Category::Time);
        flaky.flips.push(Flip {
            perturbation: Perturbation::Clock,
            value: "+1d3h".into(),
            counts: Counts { passed: 0, failed: 7, skipped: 0 },
            p_value: 0.001,
        });
        flaky.difference = Some(Difference {
            failed_run: 3,
            condition: Condition::default(),
            passed_run: Some(1),
            message: "\n  AssertionError: late\nmore".into(),
        });
        let mut sensitive = test("a.py::empty", Verdict::Sensitive, 20, 0);
        sensitive.category = Some(Category::State);
        sensitive.dependence = Some(Dependence {
            role: Role::Polluter,
            tests: vec![TestId::from("a.py::add")],
            confirmed: 3,
            tried: 3,
        });
        RerunReport {
            version: FORMAT_VERSION,
            command: vec!["pytest".into()],
            confidence: 0.99,
            flake_rate: 0.01,
            seed: 1,
            runs: 27,
            executions: 81,
            seconds: 12.34,
            part: None,
            tests: vec![flaky, sensitive, test("a.py::add", Verdict::Stable, 20, 0)],
        }
    }

    #[test]
    fn unstable_tests_come_with_their_cause() {
        insta::assert_snapshot!(anstream::adapter::strip_str(&render(&report(), Verbosity::Normal)), @r"
        FLAKY a.py::due\u{1b}[2J: 6 of 20 failed, 30 % (0–16.8 %), Time
          fails with clock +1d3h: 7 of 7 (as is: 6 of 20)
          run 3: AssertionError: late
        SENSITIVE a.py::empty: 0 of 20 failed, 0 % (0–16.8 %), State
          fails after a.py::add (3 of 3)

        3 tests in 27 runs (12.3 s): 1 stable, 1 flaky, 1 sensitive
        a stable test may still fail up to 16.8 % of the time (95 %): more runs say more
        ");
    }

    #[test]
    fn quiet_leaves_only_what_is_wrong() {
        let text = render(&report(), Verbosity::Quiet);
        assert!(!text.contains("stable") && text.contains("SENSITIVE"), "{text}");
    }
}

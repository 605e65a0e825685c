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

use steady_model::rerun::{
    Counts, Dependence, Flip, NotTried, Rate, Reason, RerunReport, Role, TestReport, Verdict,
};

use crate::ui::{Verbosity, counted, escape_controls, first_line, grouped};

const BAD: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const DOUBTFUL: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const GOOD: anstyle::Style = anstyle::AnsiColor::Green.on_default();
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// How many values of a failed comparison are shown.
const MOST_VALUES: usize = 4;

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

/// The first line that says something, and the values after it: Jest and Playwright write `expect(received).toBe(expected)`
/// there, and what was expected and received in lines of their own, before the stack.
fn failure_message(message: &str) -> String {
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = shortened(lines.next().unwrap_or_default());
    let before_stack = lines.take_while(|line| !line.starts_with("at "));
    let values: Vec<&str> = before_stack.filter(|line| is_value(line)).take(MOST_VALUES).collect();
    if values.is_empty() { first } else { format!("{first}; {}", shortened(&values.join(", "))) }
}

/// `Expected: 3`, `Received string: "a"`, and the lines of a difference: `- 3`, `+ "b": 2,`.
fn is_value(line: &str) -> bool {
    let labelled = line.split_once(": ").is_some_and(|(label, value)| {
        let mut words = label.split(' ');
        let capital = words.next().is_some_and(|word| {
            word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && is_lower(&word[1..])
        });
        capital && words.all(is_lower) && !value.trim().is_empty()
    });
    let differs = line.strip_prefix(['-', '+']).is_some_and(|rest| {
        // pytest explains a value after `+  where` and `+  and`.
        rest.starts_with(' ')
            && !rest.trim_start().starts_with("where ")
            && !rest.trim_start().starts_with("and   ")
            && !rest.trim_start().starts_with("Expected")
            && !rest.trim_start().starts_with("Received")
    });
    labelled || differs
}

fn is_lower(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The first line that says something, shortened.
fn shortened(message: &str) -> String {
    first_line(message, MESSAGE_WIDTH).unwrap_or_else(|| "(no message)".to_owned())
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
mod tests {
    use steady_model::rerun::{Category, Condition, Difference, Perturbation, TestId};

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
        sensitive.all.failed = 3;
        sensitive.dependence = Some(Dependence {
            role: Role::Polluter,
            tests: vec![TestId::from("a.py::add")],
            confirmed: 3,
            tried: 3,
        });
        RerunReport {
            version: RerunReport::VERSION,
            command: vec!["pytest".into()],
            confidence: 0.99,
            flake_rate: 0.01,
            seed: 1,
            runs: 27,
            executions: 81,
            seconds: 12.34,
            part: None,
            not_tried: vec![],
            tests: vec![flaky, sensitive, test("a.py::add", Verdict::Stable, 20, 0)],
        }
    }

    #[test]
    fn unstable_tests_come_with_their_cause() {
        insta::assert_snapshot!(anstream::adapter::strip_str(&render(&report(), Verbosity::Normal)));
    }

    #[test]
    fn a_message_keeps_the_values_that_differ() {
        let jest = "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2\n    at Object.<anonymous> (a.js:1:2)\nNode: x";
        assert_eq!(
            failure_message(jest),
            "Error: expect(received).toBe(expected) // Object.is equality; Expected: 3, Received: 2"
        );
        let equal = "Error: expect(received).toEqual(expected)\n\n- Expected  - 1\n+ Received  + 1\n\n  Object {\n-   \"a\": 1,\n+   \"a\": 2,\n  }\n    at x";
        assert_eq!(
            failure_message(equal),
            "Error: expect(received).toEqual(expected); -   \"a\": 1,, +   \"a\": 2,"
        );
        assert_eq!(
            failure_message("assert 4 == 5\ndef test():\n>  assert 4 == 5\nE  AssertionError: x"),
            "assert 4 == 5"
        );
        let explained = "assert False\n +  where False = f()\n +    and   {'a'} = shop.TAGS";
        assert_eq!(failure_message(explained), "assert False");
    }

    #[test]
    fn one_sentence_has_the_values_and_what_the_test_depends_on() {
        let [mut flaky, sensitive, _] = <[TestReport; 3]>::try_from(report().tests).unwrap();
        flaky.difference.as_mut().unwrap().message =
            "Error: expect(received).toBe(expected)\n\nExpected: 3\nReceived: 2\n    at a.js:1:2".into();
        let text = sentence(&flaky);
        assert!(text.ends_with("expect(received).toBe(expected); Expected: 3, Received: 2"), "{text}");
        assert!(
            sentence(&sensitive).ends_with("; fails after a.py::add (3 of 3)"),
            "{}",
            sentence(&sensitive)
        );
    }

    #[test]
    fn a_test_that_needs_a_second_attempt_is_told_as_that() {
        let mut test = test("a.py::warm", Verdict::Flaky, 20, 20);
        let tests = vec![test.id.clone()];
        test.dependence = Some(Dependence { role: Role::Setter, tests, confirmed: 20, tried: 20 });
        let reported = "fails whenever it is tried first, passes when it is tried again (20 of 20)";
        assert!(describe(&test).contains(reported), "{}", describe(&test));
    }

    #[test]
    fn what_was_not_tried_is_listed() {
        let left = |perturbation, values: &[&str], tried, reason| NotTried {
            perturbation,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            tried,
            reason,
        };
        let mut report = report();
        report.not_tried = vec![
            left(Perturbation::Random, &["1", "2"], 0, Reason::Time),
            left(Perturbation::Order, &["7"], 5, Reason::Time),
            left(Perturbation::Clock, &[], 0, Reason::Unsupported),
        ];
        let text = anstream::adapter::strip_str(&render(&report, Verbosity::Quiet)).to_string();
        assert!(
            text.ends_with(
                "not tried: random, order (1 of 6 values) (out of time)\n\
                 not tried: clock (not possible with this command)\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn quiet_leaves_only_what_is_wrong() {
        let text = render(&report(), Verbosity::Quiet);
        assert!(!text.contains("stable") && text.contains("SENSITIVE"), "{text}");
    }
}

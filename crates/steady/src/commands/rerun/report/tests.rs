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
fn one_sentence_has_the_values_and_what_the_test_depends_on() {
    let [mut flaky, sensitive, _] = <[TestReport; 3]>::try_from(report().tests).unwrap();
    flaky.difference.as_mut().unwrap().message =
        "Error: expect(received).toBe(expected)\n\nExpected: 3\nReceived: 2\n    at a.js:1:2".into();
    let text = sentence(&flaky);
    assert!(text.ends_with("expect(received).toBe(expected); Expected: 3, Received: 2"), "{text}");
    assert!(sentence(&sensitive).ends_with("; fails after a.py::add (3 of 3)"), "{}", sentence(&sensitive));
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

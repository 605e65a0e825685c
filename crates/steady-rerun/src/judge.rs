//! The verdict on a test over many runs.

use steady_model::rerun::{
    Category, Condition, Counts, Dependence, Difference, Rate, Role, TestId, TestReport, Verdict,
};
use steady_stats::{Confidence, Decision, Sample, Sprt, clopper_pearson, fisher};

use crate::category::category;
use crate::evidence::{Evidence, Observations};
use crate::flips::{FAMILY_ERROR, flips};

/// The confidence of the interval of a rate, independent of the decision's.
const INTERVAL_CONFIDENCE: f64 = 0.95;

/// One report per test, by id; the command's own when it says something the tests do not.
pub fn judge(evidence: &Evidence, sprt: Sprt) -> Vec<TestReport> {
    let mut reports: Vec<TestReport> =
        evidence.tests.iter().map(|(id, observations)| report(id, observations, sprt)).collect();
    reports.sort_by(|one, other| one.id.cmp(&other.id));
    if evidence.command_matters() {
        reports.push(report(&evidence.command_id, &evidence.command, sprt));
    }
    reports
}

fn report(id: &TestId, observations: &Observations, sprt: Sprt) -> TestReport {
    let verdict = verdict(observations, sprt);
    let all = observations.all();
    let unstable = all.passed > 0 && all.failed > 0;
    let flips = if unstable { flips(observations) } else { Vec::new() };
    let dependence = needs_itself(id, observations);
    let cause = if dependence.is_some() { Category::State } else { category(&flips) };
    let difference = observations.failure.as_ref().map(|failure| Difference {
        failed_run: failure.run,
        condition: failure.condition.clone(),
        passed_run: observations.passed_run,
        message: failure.message.clone(),
    });
    TestReport {
        id: id.clone(),
        verdict,
        plain: observations.plain(),
        all: observations.all(),
        rate: rate(observations.plain()),
        category: unstable.then_some(cause),
        flips,
        dependence,
        difference,
        median_milliseconds: median(&observations.durations),
    }
}

/// Whether a test always fails on the first attempt and passes on the second: the first attempt leaves state
/// that it needs.
pub fn needs_itself(id: &TestId, observations: &Observations) -> Option<Dependence> {
    let plain = Condition::default();
    let (first, again) = (observations.first_under(&plain), observations.again_under(&plain));
    if first.passed > 0 || again.passed == 0 || fisher(counted(first), counted(again)) > FAMILY_ERROR {
        return None;
    }
    let (confirmed, tried) = (again.passed, again.executed());
    Some(Dependence { role: Role::Setter, tests: vec![id.clone()], confirmed, tried })
}

/// The verdict: two outcomes in plain runs are flakiness; a test that fails only under a perturbation is sensitive.
pub fn verdict(observations: &Observations, sprt: Sprt) -> Verdict {
    let all = observations.all();
    if all.executed() == 0 {
        return if all.skipped > 0 { Verdict::Skipped } else { Verdict::Undecided };
    }
    let plain = observations.plain();
    let mixed = |counts: &Counts| counts.passed > 0 && counts.failed > 0;
    if mixed(&plain) || (plain.executed() == 0 && observations.by_condition.values().any(mixed)) {
        return Verdict::Flaky;
    }
    if mixed(&all) && plain.failed == 0 {
        return Verdict::Sensitive;
    }
    match sprt.over(counted(plain)) {
        Decision::Stable => Verdict::Stable,
        // A test that fails in plain runs is broken, even if some perturbation makes it pass.
        Decision::Broken => Verdict::Broken,
        Decision::Flaky => Verdict::Flaky,
        // Too few plain runs to call it broken, and it sometimes passed under a perturbation.
        Decision::Undecided if observations.by_condition.values().any(mixed) => Verdict::Flaky,
        Decision::Undecided => Verdict::Undecided,
    }
}

fn rate(counts: Counts) -> Rate {
    let counts = counted(counts);
    let interval = Confidence::new(INTERVAL_CONFIDENCE).map(|confidence| clopper_pearson(counts, confidence));
    let (low, high) = interval.map_or((0.0, 1.0), |interval| (interval.low, interval.high));
    Rate { observed: counts.failure_rate(), low, high, confidence: INTERVAL_CONFIDENCE }
}

fn median(durations: &[f64]) -> Option<f64> {
    Sample::new(durations.iter().copied()).ok().map(|sample| sample.median())
}

/// The counts as `steady-stats` takes them.
pub fn counted(counts: Counts) -> steady_stats::Counts {
    steady_stats::Counts { passed: u64::from(counts.passed), failed: u64::from(counts.failed) }
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Perturbation;
    use steady_stats::Hypotheses;

    use super::*;

    fn sprt() -> Sprt {
        Sprt::new(Hypotheses::default(), Confidence::new(0.99).unwrap()).unwrap()
    }

    fn seen(plain: (u32, u32), load: (u32, u32)) -> Observations {
        let counts = |(passed, failed)| Counts { passed, failed, skipped: 0 };
        let by_condition = [
            (Condition::default(), counts(plain)),
            (Condition::of(Perturbation::Load, "2 per core"), counts(load)),
        ];
        Observations { by_condition: by_condition.into(), ..Observations::default() }
    }

    #[test]
    fn a_test_that_never_failed_as_is_is_not_flaky() {
        let test = report(&TestId::from("a"), &seen((20, 0), (2, 3)), sprt());
        assert_eq!((test.verdict, test.category), (Verdict::Sensitive, Some(Category::Async)));
    }

    #[test]
    fn a_test_that_always_fails_as_is_is_broken_though_it_passes_at_times_under_load() {
        assert_eq!(verdict(&seen((0, 20), (1, 4)), sprt()), Verdict::Broken);
        assert_eq!(verdict(&seen((0, 2), (1, 4)), sprt()), Verdict::Flaky);
    }

    #[test]
    fn two_outcomes_as_is_are_flaky() {
        assert_eq!(verdict(&seen((19, 1), (5, 0)), sprt()), Verdict::Flaky);
    }

    /// Runs in which the first attempts and, after a failure, the second ones come to these.
    fn retried(first: (u32, u32), again: (u32, u32)) -> Observations {
        let counts = |(passed, failed)| Counts { passed, failed, skipped: 0 };
        let all = counts((first.0 + again.0, first.1 + again.1));
        let plain = Condition::default();
        Observations {
            by_condition: [(plain.clone(), all)].into(),
            again: [(plain, counts(again))].into(),
            ..Observations::default()
        }
    }

    #[test]
    fn a_test_that_passes_only_when_it_is_tried_again_depends_on_its_first_attempt() {
        let id = TestId::from("a");
        let test = report(&id, &retried((0, 20), (20, 0)), sprt());
        assert_eq!((test.verdict, test.category), (Verdict::Flaky, Some(Category::State)));
        let dependence = test.dependence.unwrap();
        assert_eq!((dependence.role, dependence.tests), (Role::Setter, vec![id]));
    }

    #[test]
    fn attempts_that_come_out_alike_are_no_dependence() {
        for test in [retried((14, 6), (4, 2)), retried((0, 4), (1, 3)), retried((0, 20), (0, 20))] {
            assert_eq!(needs_itself(&TestId::from("a"), &test), None);
        }
    }
}

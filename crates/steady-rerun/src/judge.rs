//! What many runs say about a test.

use steady_model::rerun::{Counts, Difference, Rate, TestId, TestReport, Verdict};
use steady_stats::{Confidence, Decision, Sample, Sprt, clopper_pearson};

use crate::category::category;
use crate::evidence::{Evidence, Observations};
use crate::flips::flips;

/// How sure the interval of a rate is, whatever the decision asks for.
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
        category: unstable.then(|| category(&flips)),
        flips,
        dependence: None,
        difference,
        median_milliseconds: median(&observations.durations),
    }
}

/// The verdict: two outcomes under one condition are flakiness, whatever the condition.
pub fn verdict(observations: &Observations, sprt: Sprt) -> Verdict {
    let all = observations.all();
    if all.executed() == 0 {
        return if all.skipped > 0 { Verdict::Skipped } else { Verdict::Undecided };
    }
    let mixed = |counts: &Counts| counts.passed > 0 && counts.failed > 0;
    if observations.by_condition.values().any(mixed) {
        return Verdict::Flaky;
    }
    // One that fails with nothing changed is broken, whatever change lets it pass.
    if mixed(&all) && observations.plain().failed == 0 {
        return Verdict::Sensitive;
    }
    match sprt.over(counted(observations.plain())) {
        Decision::Stable => Verdict::Stable,
        Decision::Broken => Verdict::Broken,
        Decision::Flaky => Verdict::Flaky,
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

/// Counts as the statistics take them.
pub fn counted(counts: Counts) -> steady_stats::Counts {
    steady_stats::Counts { passed: u64::from(counts.passed), failed: u64::from(counts.failed) }
}

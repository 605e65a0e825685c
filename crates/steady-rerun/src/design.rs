//! Which condition is expected to tell most about the cause, for planning the next run.
//!
//! For every test, each perturbation is a hypothesis: it decides the outcome, or no perturbation does. The observations make
//! some of them likelier than others ([`Beliefs`]). The condition to try next is the one whose outcome is expected to say most
//! about which of them is true. That only plans: whether a cause is named is decided by [`flips`](crate::flips).
//!
//! Source of the measure: D. V. Lindley, *On a Measure of the Information Provided by an Experiment*, Annals of Mathematical
//! Statistics 27 (1956), pages 986–1005.

use std::collections::BTreeMap;

use steady_model::rerun::{Condition, Counts, Perturbation};

use crate::evidence::Observations;
use crate::flips::{is_seed, mixed};

/// How often a test under a fixed seed does what it does not do otherwise: something else may fail, too.
const SLIP: f64 = 0.02;
/// The highest belief in one hypothesis: more runs make it certain enough to be reported.
const MOST_BELIEF: f64 = 0.8;
/// The part of the runs under a seed that come after its first one.
const PART_AFTER_FIRST: f64 = 0.8;

/// What is thought of the causes of one test before its cause is shown.
#[derive(Debug)]
pub struct Beliefs<'a> {
    test: &'a Observations,
    /// Its failure rate in plain runs.
    rate: f64,
    /// The belief that each perturbation is the cause; the rest is for none of them.
    causes: BTreeMap<Perturbation, f64>,
    /// Whether it passes and fails in plain runs.
    flaky: bool,
}

impl<'a> Beliefs<'a> {
    /// The beliefs that the runs so far support, for these perturbations.
    pub fn of(test: &'a Observations, tried: &[Perturbation]) -> Self {
        let plain = test.first_under(&Condition::default());
        let rate = smoothed(plain);
        let flaky = mixed(plain);
        let mut weights: BTreeMap<Perturbation, f64> =
            tried.iter().map(|what| (*what, prior(*what, flaky).ln())).collect();
        for condition in test.by_condition.keys() {
            let counts = test.first_under(condition);
            if let Some((what, _)) = condition.0.first_key_value()
                && let Some(weight) = weights.get_mut(what)
            {
                *weight += if is_seed(*what) { of_seed(counts, rate) } else { of_value(counts) };
                *weight -= of_chance(counts, rate);
            }
        }
        let none = prior_of_none(flaky).ln();
        let most = weights.values().copied().fold(none, f64::max);
        let sum: f64 = weights.values().chain([&none]).map(|weight| (weight - most).exp()).sum();
        let mut causes: BTreeMap<Perturbation, f64> =
            weights.into_iter().map(|(what, weight)| (what, (weight - most).exp() / sum)).collect();
        if let Some(likeliest) = causes.values().copied().find(|belief| *belief > MOST_BELIEF) {
            let rest = (1.0 - MOST_BELIEF) / (1.0 - likeliest).max(f64::MIN_POSITIVE);
            for belief in causes.values_mut() {
                *belief = if *belief > MOST_BELIEF { MOST_BELIEF } else { *belief * rest };
            }
        }
        Self { test, rate, causes, flaky }
    }

    /// The expected information of another run under this condition, in nats.
    pub fn information(&self, condition: &Condition) -> f64 {
        let Some((what, _)) = condition.0.first_key_value() else { return 0.0 };
        // Polluters are searched by running few tests, which tells more than another order.
        if *what == Perturbation::Order && !self.flaky {
            return 0.0;
        }
        let belief = self.causes.get(what).copied().unwrap_or(0.0);
        let seen = self.test.first_under(condition);
        let information = |expected: f64| self.gain(belief, expected);
        if !is_seed(*what) {
            return information(smoothed(seen));
        }
        if seen.executed() > 0 {
            return information(under_seed(seen, self.rate));
        }
        // The first run under a seed is uninformative by itself: those after it show whether the seed decides.
        let (fails, passes) = (information(1.0 - SLIP), information(SLIP));
        PART_AFTER_FIRST * (self.rate * fails + (1.0 - self.rate) * passes)
    }

    /// What an outcome says that is expected this often if the perturbation is the cause, and at the usual rate if it is not.
    fn gain(&self, belief: f64, expected: f64) -> f64 {
        let overall = belief * expected + (1.0 - belief) * self.rate;
        (entropy(overall) - belief * entropy(expected) - (1.0 - belief) * entropy(self.rate)).max(0.0)
    }
}

/// What makes the same code pass and fail is mostly numbers drawn, orders of sets and time; what is the same in all plain runs hardly is.
fn prior(what: Perturbation, flaky: bool) -> f64 {
    match what {
        _ if !flaky => 0.1,
        Perturbation::Random | Perturbation::Hash | Perturbation::Load => 0.22,
        Perturbation::Latency => 0.06,
        _ => 0.02,
    }
}

fn prior_of_none(flaky: bool) -> f64 {
    if flaky { 0.2 } else { 0.1 }
}

/// The share of failures, halfway to what nothing is known of (Jeffreys' prior).
fn smoothed(counts: Counts) -> f64 {
    (f64::from(counts.failed) + 0.5) / (f64::from(counts.executed()) + 1.0)
}

/// The logarithm of the chance of these outcomes in their order, if they come at this rate.
fn of_chance(counts: Counts, rate: f64) -> f64 {
    f64::from(counts.failed) * rate.ln() + f64::from(counts.passed) * (1.0 - rate).ln()
}

/// The same if the value has a rate of its own that nothing is known of.
fn of_value(counts: Counts) -> f64 {
    let product = |outcomes: u32| (0..outcomes).map(|index| (f64::from(index) + 0.5).ln()).sum::<f64>();
    let runs: f64 = (0..counts.executed()).map(|index| (f64::from(index) + 1.0).ln()).sum();
    product(counts.failed) + product(counts.passed) - runs
}

/// The same if the seed decides.
fn of_seed(counts: Counts, rate: f64) -> f64 {
    let (fails, passes) = by_seed(counts, rate);
    (fails + passes).ln()
}

/// How often the test fails under a seed with these outcomes, if the seed decides.
fn under_seed(counts: Counts, rate: f64) -> f64 {
    let (fails, passes) = by_seed(counts, rate);
    (fails * (1.0 - SLIP) + passes * SLIP) / (fails + passes)
}

/// The chance of a seed that makes the test fail and of one that lets it pass, each with these outcomes.
fn by_seed(counts: Counts, rate: f64) -> (f64, f64) {
    let fails = rate.ln() + of_chance(counts, 1.0 - SLIP);
    let passes = (1.0 - rate).ln() + of_chance(counts, SLIP);
    (fails.exp(), passes.exp())
}

fn entropy(rate: f64) -> f64 {
    let term = |share: f64| if share <= 0.0 { 0.0 } else { -share * share.ln() };
    term(rate) + term(1.0 - rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(groups: &[(Condition, u32, u32)]) -> Observations {
        let mut test = Observations::default();
        for (condition, passed, failed) in groups {
            let counts = Counts { passed: *passed, failed: *failed, skipped: 0 };
            test.by_condition.insert(condition.clone(), counts);
        }
        test
    }

    fn random(seed: &str) -> Condition {
        Condition::of(Perturbation::Random, seed)
    }

    const SOME: [Perturbation; 4] =
        [Perturbation::Random, Perturbation::Hash, Perturbation::Load, Perturbation::Tz];

    #[test]
    fn a_seed_under_which_the_rarer_thing_happened_says_most() {
        let test = seen(&[(Condition::default(), 16, 4), (random("1"), 1, 0), (random("2"), 0, 1)]);
        let beliefs = Beliefs::of(&test, &SOME);
        let [passing, failing, new] = ["1", "2", "3"].map(|seed| beliefs.information(&random(seed)));
        assert!(failing > 3.0 * passing && failing > new && new > 0.0, "{passing} {failing} {new}");
    }

    #[test]
    fn seeds_under_which_a_test_passes_and_fails_say_little_more() {
        let test = seen(&[(Condition::default(), 10, 10), (random("1"), 3, 3), (random("2"), 2, 2)]);
        let beliefs = Beliefs::of(&test, &SOME);
        assert!(beliefs.information(&random("1")) < 0.001);
        assert!(beliefs.information(&Condition::of(Perturbation::Hash, "0")) > 0.01);
    }

    #[test]
    fn a_change_that_made_a_test_fail_that_never_did_is_tried_again() {
        let tz = Condition::of(Perturbation::Tz, "east");
        let test = seen(&[(Condition::default(), 20, 0), (tz.clone(), 0, 1)]);
        let beliefs = Beliefs::of(&test, &SOME);
        assert!(beliefs.information(&tz) > 10.0 * beliefs.information(&random("1")));
    }
}

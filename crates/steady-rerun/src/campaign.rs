//! Which run comes next, and when enough is known.
//!
//! Plain runs come first: a fixed number, or as many as the sequential test needs to decide about every test. Then
//! come the probes. Requested ones are made a few times each, and more often where a test seems affected. Those
//! that only explain flaky tests may be limited: each condition has its first look, the perturbations in turn; then comes
//! the one that is expected to [tell most](crate::design) about the tests that are not explained yet.

use steady_exec::Probe;
use steady_model::rerun::{Condition, Counts, Perturbation, Run, Verdict};
use steady_stats::{Decision, Sprt};

use crate::design::Beliefs;
use crate::evidence::{Evidence, Observations};
use crate::flips::{flips, mixed};
use crate::judge::{counted, needs_itself, verdict};

/// The most runs under one condition that explain.
const MOST_RUNS: u32 = 20;
/// The least information that a run must be expected to give about all tests together, in nats.
const LEAST_INFORMATION: f64 = 0.02;

/// The budget of a campaign and its stopping rule.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The most plain runs.
    pub runs: u32,
    /// Whether to stop as soon as every test is decided.
    pub until_stable: bool,
    /// The sequential test that decides.
    pub sprt: Sprt,
    /// When conditions are tried.
    pub probing: Probing,
    /// The most runs under conditions; `None`: as many as they need.
    pub explain: Option<u32>,
}

/// When conditions are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probing {
    /// Always.
    Always,
    /// To explain a test that was flaky in the plain runs.
    WhenFlaky,
}

/// The runs of one command, planned one by one from the evidence.
#[derive(Debug)]
pub struct Campaign {
    policy: Policy,
    evidence: Evidence,
    plain_planned: u32,
    probes: Vec<Tried>,
    numbered: u32,
}

#[derive(Debug)]
struct Tried {
    probe: Probe,
    planned: u32,
    seen: u32,
    wanted: u32,
}

impl Tried {
    /// How often it is tried before its expected information is compared. Under load a test that waits too little fails more often, not always.
    fn looks(&self) -> u32 {
        let enough = if self.kind() == Some(Perturbation::Load) { 2 } else { 1 };
        self.probe.first.min(enough)
    }

    /// How often it is tried at most, as far as known beforehand.
    fn at_most(&self, probing: Probing) -> u32 {
        match probing {
            Probing::Always => self.wanted,
            Probing::WhenFlaky => self.probe.first + self.probe.more,
        }
    }

    fn kind(&self) -> Option<Perturbation> {
        self.probe.condition.0.keys().next().copied()
    }
}

/// A run to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its number, from 1.
    pub number: u32,
    /// Its condition.
    pub condition: Condition,
}

impl Campaign {
    /// A campaign of this command without evidence.
    pub fn new(command: &[String], policy: Policy, probes: Vec<Probe>) -> Self {
        let tried = |probe: Probe| Tried { planned: 0, seen: 0, wanted: probe.first, probe };
        Self {
            policy,
            evidence: Evidence::new(command),
            plain_planned: 0,
            probes: probes.into_iter().map(tried).collect(),
            numbered: 0,
        }
    }

    /// The evidence so far.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Drops the evidence: a run that only listed the tests does not count.
    pub fn begin_again(&mut self) {
        self.evidence = Evidence::named(self.evidence.command_id.clone());
        self.plain_planned = 0;
    }

    /// The next run to make; `None` when enough is known, or while that depends on running ones.
    pub fn next_task(&mut self) -> Option<Task> {
        let condition = self.next_condition()?;
        self.numbered += 1;
        Some(Task { number: self.numbered, condition })
    }

    fn next_condition(&mut self) -> Option<Condition> {
        if self.wants_plain() {
            self.plain_planned += 1;
            return Some(Condition::default());
        }
        if self.policy.probing == Probing::WhenFlaky && !self.any_flaky() {
            return None;
        }
        if self.policy.explain.is_some_and(|most| self.probed() >= most) {
            return None;
        }
        let next = self.next_probe()?;
        let tried = &mut self.probes[next];
        tried.planned += 1;
        Some(tried.probe.condition.clone())
    }

    /// The next condition to try.
    fn next_probe(&self) -> Option<usize> {
        match self.policy.probing {
            Probing::Always => self
                .probes
                .iter()
                .position(|tried| tried.planned < tried.probe.first)
                .or_else(|| self.probes.iter().position(|tried| tried.planned < tried.wanted)),
            Probing::WhenFlaky => self.next_look().or_else(|| self.most_telling()),
        }
    }

    /// The next first try of a condition, each perturbation in turn.
    fn next_look(&self) -> Option<usize> {
        let rank = |index: &usize| {
            let tried = &self.probes[*index];
            let of_same = |other: &&Tried| other.kind() == tried.kind();
            let of_its_kind: u32 = self.probes.iter().filter(of_same).map(|other| other.planned).sum();
            (of_its_kind, tried.planned, *index)
        };
        let open = |index: &usize| self.probes[*index].planned < self.probes[*index].looks();
        (0..self.probes.len()).filter(open).min_by_key(rank)
    }

    /// The condition that is expected to tell most about the tests that are not explained yet.
    fn most_telling(&self) -> Option<usize> {
        let command =
            self.evidence.command_matters().then_some((&self.evidence.command_id, &self.evidence.command));
        let tests = self.evidence.tests.iter().chain(command);
        let open = tests.filter(|(id, test)| {
            mixed(test.all()) && needs_itself(id, test).is_none() && flips(test).is_empty()
        });
        let mut kinds: Vec<Perturbation> = self.probes.iter().filter_map(Tried::kind).collect();
        kinds.dedup();
        let beliefs: Vec<Beliefs<'_>> = open.map(|(_, test)| Beliefs::of(test, &kinds)).collect();
        let information = |index: usize| {
            let condition = &self.probes[index].probe.condition;
            beliefs.iter().map(|test| test.information(condition)).sum::<f64>()
        };
        let candidates = (0..self.probes.len()).filter(|index| self.probes[*index].planned < MOST_RUNS);
        let worth = candidates.map(|index| (index, information(index)));
        let worth = worth.filter(|(_, information)| *information >= LEAST_INFORMATION);
        worth.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(index, _)| index)
    }

    /// How many runs under conditions were planned so far.
    pub fn probed(&self) -> u32 {
        self.probes.iter().map(|tried| tried.planned).sum()
    }

    /// Whether all plain runs are made and conditions come next; and the limit of their runs.
    pub fn probes_ahead(&self) -> Option<u32> {
        let ready = self.evidence.runs > 0 && !self.wants_plain() && self.probed() == 0;
        if !ready || (self.policy.probing == Probing::WhenFlaky && !self.any_flaky()) {
            return None;
        }
        let wanted = self.probes_at_most();
        Some(self.policy.explain.map_or(wanted, |most| most.min(wanted))).filter(|runs| *runs > 0)
    }

    /// The perturbations that were planned and not tried, each with the values left and how many were tried.
    pub fn not_tried(&self) -> Vec<(Perturbation, Vec<String>, u32)> {
        if self.policy.probing == Probing::WhenFlaky && !self.any_flaky() {
            return Vec::new();
        }
        let mut left: Vec<(Perturbation, Vec<String>, u32)> = Vec::new();
        // A spare value is not planned, so it is not reported.
        for tried in self.probes.iter().filter(|tried| tried.probe.first > 0) {
            let Some((perturbation, value)) = tried.probe.condition.0.first_key_value() else { continue };
            if left.last().is_none_or(|(last, ..)| last != perturbation) {
                left.push((*perturbation, Vec::new(), 0));
            }
            let Some((_, values, seen)) = left.last_mut() else { continue };
            if tried.seen == 0 {
                values.push(value.clone());
            } else {
                *seen += 1;
            }
        }
        left.retain(|(_, values, _)| !values.is_empty());
        left
    }

    fn wants_plain(&self) -> bool {
        if self.plain_planned >= self.policy.runs {
            return false;
        }
        // The first run alone shows whether the command works at all.
        !self.policy.until_stable || self.evidence.runs == 0 || self.undecided() > 0
    }

    /// How many tests the plain runs have not decided yet.
    pub fn undecided(&self) -> usize {
        let open = |observations: &&Observations| {
            let plain = observations.plain();
            plain.executed() > 0 && self.policy.sprt.over(counted(plain)) == Decision::Undecided
        };
        let tests = self.evidence.tests.values().filter(open).count();
        tests + usize::from(self.evidence.command_matters() && open(&&self.evidence.command))
    }

    fn any_flaky(&self) -> bool {
        let command = self.evidence.command_matters().then_some(&self.evidence.command);
        let mut all = self.evidence.tests.values().chain(command);
        all.any(|observations| verdict(observations, self.policy.sprt) == Verdict::Flaky)
    }

    /// The most runs that may still come, for a progress bar.
    pub fn at_most(&self) -> u32 {
        let plain = if self.wants_plain() { self.policy.runs } else { self.plain_planned };
        let skipped = self.policy.probing == Probing::WhenFlaky && !self.any_flaky();
        let wanted = if skipped { 0 } else { self.probes_at_most() };
        plain + self.policy.explain.map_or(wanted, |most| most.min(wanted))
    }

    fn probes_at_most(&self) -> u32 {
        self.probes.iter().map(|tried| tried.at_most(self.policy.probing)).sum()
    }

    /// Adds a finished run.
    pub fn observe(&mut self, run: &Run) {
        self.evidence.observe(run);
        let Some(index) = self.probes.iter().position(|tried| tried.probe.condition == run.condition) else {
            return;
        };
        self.probes[index].seen += 1;
        let tried = &self.probes[index];
        if tried.seen >= tried.probe.first
            && tried.wanted == tried.probe.first
            && self.noticed(&run.condition)
        {
            let tried = &mut self.probes[index];
            tried.wanted += tried.probe.more;
        }
    }

    /// Whether a test had an outcome that it never had without the condition, or a constant one where it was mixed before.
    fn noticed(&self, condition: &Condition) -> bool {
        let mut tests = self.evidence.tests.values().chain([&self.evidence.command]);
        tests.any(|observations| {
            let (plain, changed) = (observations.plain(), observations.under(condition));
            let new = (changed.failed > 0 && plain.failed == 0) || (changed.passed > 0 && plain.passed == 0);
            let steadied = mixed(plain)
                && changed.executed() > 0
                && !mixed(changed)
                && !by_chance(condition, changed, plain);
            plain.executed() > 0 && (new || steadied)
        })
    }
}

/// Whether a few equal outcomes are uninformative. Seeds are many, and judged together.
fn by_chance(condition: &Condition, changed: Counts, plain: Counts) -> bool {
    let is_seed = condition.0.keys().any(|what| matches!(what, Perturbation::Hash | Perturbation::Random));
    let same = if changed.failed > 0 { plain.failed } else { plain.passed };
    let share = f64::from(same) / f64::from(plain.executed().max(1));
    !is_seed && share.powi(changed.executed().min(1_000) as i32) > 0.2
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::{Ending, Outcome, TestId};
    use steady_stats::{Confidence, Hypotheses};

    use super::*;
    use crate::testing::under;

    fn policy(runs: u32, until_stable: bool, probing: Probing) -> Policy {
        let sprt = Sprt::new(Hypotheses::default(), Confidence::new(0.99).unwrap()).unwrap();
        Policy { runs, until_stable, sprt, probing, explain: None }
    }

    fn tz_probe() -> Vec<Probe> {
        vec![Probe { condition: Condition::of(Perturbation::Tz, "east"), first: 2, more: 5 }]
    }

    /// Simulates a whole campaign in which `outcome` decides by run number and condition.
    fn play(mut campaign: Campaign, outcome: impl Fn(&Task, &str) -> Outcome) -> Campaign {
        while let Some(task) = campaign.next_task() {
            let results: Vec<_> = ["a", "b"].map(|test| (test, outcome(&task, test))).into();
            campaign.observe(&under(task.condition.clone(), task.number, Ending::Exited(0), &results));
        }
        campaign
    }

    #[test]
    fn a_fixed_number_of_runs_is_kept() {
        let campaign =
            play(Campaign::new(&[], policy(30, false, Probing::Always), vec![]), |_, _| Outcome::Passed);
        assert_eq!(campaign.evidence().runs, 30);
    }

    #[test]
    fn stable_and_broken_tests_are_decided_in_a_fifth_of_a_hundred_runs() {
        let campaign = Campaign::new(&[], policy(100, true, Probing::Always), vec![]);
        let campaign = play(campaign, |_, test| if test == "a" { Outcome::Passed } else { Outcome::Failed });
        assert_eq!(campaign.evidence().runs, 20);
        assert_eq!(campaign.undecided(), 0);
    }

    #[test]
    fn nothing_is_explained_where_nothing_is_flaky() {
        let campaign = Campaign::new(&[], policy(5, false, Probing::WhenFlaky), tz_probe());
        assert_eq!(play(campaign, |_, _| Outcome::Passed).evidence().runs, 5);
    }

    #[test]
    fn a_condition_that_a_test_notices_is_tried_more_often() {
        let campaign = Campaign::new(&[], policy(5, false, Probing::Always), tz_probe());
        let calm = |task: &Task, test: &str| {
            if task.condition.is_plain() || test == "a" { Outcome::Passed } else { Outcome::Failed }
        };
        let campaign = play(campaign, calm);
        let seen = &campaign.evidence().tests[&TestId::from("b")];
        assert_eq!(seen.under(&Condition::of(Perturbation::Tz, "east")).failed, 7);
        assert_eq!(verdict(seen, campaign.policy.sprt), Verdict::Sensitive);
    }

    #[test]
    fn explaining_takes_as_many_runs_as_it_is_given_and_tries_each_perturbation_first() {
        let mut probes = tz_probe();
        for value in ["0", "1", "2"] {
            probes.push(Probe { condition: Condition::of(Perturbation::Hash, value), first: 3, more: 4 });
        }
        let limited = Policy { explain: Some(3), ..policy(4, false, Probing::WhenFlaky) };
        let flaky = |task: &Task, _: &str| {
            if task.number.is_multiple_of(2) { Outcome::Failed } else { Outcome::Passed }
        };
        let campaign = play(Campaign::new(&[], limited, probes), flaky);
        assert_eq!(campaign.evidence().runs, 7);
        let seen = &campaign.evidence().tests[&TestId::from("a")];
        let runs = |what, value| seen.under(&Condition::of(what, value)).executed();
        assert_eq!(runs(Perturbation::Tz, "east"), 1);
        assert_eq!((runs(Perturbation::Hash, "0"), runs(Perturbation::Hash, "1")), (1, 1));
        assert_eq!(campaign.not_tried(), [(Perturbation::Hash, vec!["2".to_owned()], 2)]);
    }

    #[test]
    fn skipped_tests_do_not_keep_a_campaign_going() {
        let campaign = Campaign::new(&[], policy(100, true, Probing::Always), vec![]);
        let campaign = play(campaign, |_, test| if test == "a" { Outcome::Passed } else { Outcome::Skipped });
        assert_eq!(campaign.evidence().runs, 20);
    }
}

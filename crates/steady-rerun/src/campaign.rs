//! Which run comes next, and when enough is known.
//!
//! Plain runs come first: a fixed number, or as many as the sequential test needs to decide about every test. Then
//! come the probes, each condition a few times and more often when a test seems to notice it.

use steady_model::rerun::{Condition, Counts, Run, Verdict};
use steady_perturb::Probe;
use steady_stats::{Decision, Sprt};

use crate::evidence::{Evidence, Observations};
use crate::judge::{counted, verdict};

/// How much is run, and when it is enough.
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
}

/// When conditions are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probing {
    /// Whatever the plain runs show.
    Always,
    /// To explain a test that was flaky in the plain runs.
    WhenFlaky,
}

/// The runs of one command, planned one by one from what was seen.
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

/// A run to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its number, from 1.
    pub number: u32,
    /// What to change around it.
    pub condition: Condition,
}

impl Campaign {
    /// A campaign of this command that begins with nothing seen.
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

    /// What was seen so far.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Forgets what was seen: a run that only told which tests there are does not count.
    pub fn begin_again(&mut self) {
        self.evidence = Evidence::named(self.evidence.command_id.clone());
        self.plain_planned = 0;
    }

    /// The next run to make; `None` when enough is known, or as long as that depends on runs under way.
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
        let tried = self.probes.iter_mut().find(|tried| tried.planned < tried.wanted)?;
        tried.planned += 1;
        Some(tried.probe.condition.clone())
    }

    fn wants_plain(&self) -> bool {
        if self.plain_planned >= self.policy.runs {
            return false;
        }
        // The first run alone tells whether the command works at all.
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
        let probes: u32 = if skipped { 0 } else { self.probes.iter().map(|tried| tried.wanted).sum() };
        plain + probes
    }

    /// Takes in a finished run.
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

    /// Whether a test came out as it never did without the change, or is of one mind where it was not before.
    fn noticed(&self, condition: &Condition) -> bool {
        let mut tests = self.evidence.tests.values().chain([&self.evidence.command]);
        tests.any(|observations| {
            let (plain, changed) = (observations.plain(), observations.under(condition));
            let new = (changed.failed > 0 && plain.failed == 0) || (changed.passed > 0 && plain.passed == 0);
            let steadied = mixed(plain) && changed.executed() > 0 && !mixed(changed);
            plain.executed() > 0 && (new || steadied)
        })
    }
}

fn mixed(counts: Counts) -> bool {
    counts.passed > 0 && counts.failed > 0
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::{Ending, Outcome, Perturbation, TestId};
    use steady_stats::{Confidence, Hypotheses};

    use super::*;
    use crate::testing::under;

    fn policy(runs: u32, until_stable: bool, probing: Probing) -> Policy {
        let sprt = Sprt::new(Hypotheses::default(), Confidence::new(0.99).unwrap()).unwrap();
        Policy { runs, until_stable, sprt, probing }
    }

    fn tz_probe() -> Vec<Probe> {
        vec![Probe { condition: Condition::of(Perturbation::Tz, "east"), first: 2, more: 5 }]
    }

    /// Plays a whole campaign in which `outcome` decides by run number and condition.
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
    fn skipped_tests_do_not_keep_a_campaign_going() {
        let campaign = Campaign::new(&[], policy(100, true, Probing::Always), vec![]);
        let campaign = play(campaign, |_, test| if test == "a" { Outcome::Passed } else { Outcome::Skipped });
        assert_eq!(campaign.evidence().runs, 20);
    }
}

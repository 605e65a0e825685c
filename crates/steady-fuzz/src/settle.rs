//! The re-check phase: every candidate alone and in order, shortened, repeatable, asserted, proven by the native runner.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use jiff::Timestamp;
use steady_flaky::Step;
use steady_flaky::relax::{Policy, Trial};
use steady_http::Channel;
use steady_model::Event;
use steady_replay::run_test;
use steady_search::settle::{Draft, Names, Run, collide, freshen, shorten, with_cleanup, write_test};
use steady_search::{Candidate, Engine, Execution, Goal, Plan, Random, Terrain};
use steady_stabilize::{Cost, Ladder};

use crate::budget::Recheck;
use crate::documented::Documented;
use crate::options::FuzzOptions;
use crate::play::Player;

/// Smaller versions of one test that are tried.
const MAX_SHORTENINGS: usize = 16;
/// How often the calls before a fault are given other values when it does not show again.
const REROLLS: usize = 4;
/// How often every test is run again while there is time; a list of two in any order looks ordered half of the time.
const PASSES: usize = 8;
/// How often it is run again in any case.
const LEAST_PASSES: usize = 2;
/// Things created between a test's first run and its second.
const STIRS: usize = 12;
/// The least time between a test's first run and its second: a clock that counts whole seconds must have moved.
const TICK: Duration = Duration::from_millis(1100);
/// How often a test that fails its proof is written again with what the failure taught.
const REWRITES: usize = 2;

/// What came out of the phase.
#[derive(Debug, Default)]
pub struct Settled {
    /// The tests with all that was seen of them; handled, each was proven by the native runner.
    pub trials: Vec<Trial>,
    /// What looking for flaky assertions took.
    pub cost: Cost,
    /// How long that was, waiting included.
    pub steadied: Duration,
    /// Which tests show which fault.
    pub shown: IndexMap<Goal, Vec<String>>,
}

/// Makes tests of what the archive holds.
pub async fn settle(
    engine: &RefCell<Engine>,
    player: &Player<'_>,
    options: &FuzzOptions,
    emit: &RefCell<&mut dyn FnMut(Event)>,
) -> Settled {
    let started = Instant::now();
    let candidates = engine.borrow().archive.cover();
    let mut workshop = Workshop {
        engine,
        player,
        terrain: Rc::clone(&engine.borrow().terrain),
        channel: player.channel(),
        // A stream of its own: what the search drew must not change what is drawn here.
        random: Random::new(options.shard_seed(), u64::MAX),
        allowance: player.budget.recheck(TICK + options.ladder.waits()),
        kept_calls: 0,
    };
    let afterwards = runs_afterwards(&options.ladder);
    let mut drafts = Vec::new();
    let mut left = 0_usize;
    for (number, (candidate, goals)) in candidates.into_iter().enumerate() {
        if workshop.is_out_of_time(LEAST_PASSES + afterwards) || player.api_is_gone() {
            left += 1;
        } else if let Some(draft) = workshop.recheck(number, &candidate, goals).await {
            workshop.kept_calls += draft.plan.calls.len();
            drafts.push(draft);
        }
    }
    workshop.stir(STIRS).await;
    tokio::time::sleep(TICK.saturating_sub(started.elapsed())).await;
    for pass in 0..PASSES {
        if pass >= LEAST_PASSES && workshop.is_short_of_time(1 + afterwards) {
            break;
        }
        workshop.run_again(&mut drafts).await;
        workshop.stir(STIRS).await;
        // Backwards next time: what depends on the tests before it gives itself away.
        drafts.reverse();
    }
    drafts.sort_by_key(|draft| draft.number);
    let settled = workshop.prove(drafts, options.shard_seed()).await;
    if left > 0 && !player.budget.interrupted() {
        let message = format!(
            "{left} more tests were found than could be re-checked in time; give the run more --time to keep them"
        );
        (emit.borrow_mut())(Event::Warning { message });
    }
    settled
}

/// How often a test is run after the passes: proven, run again as it is, in another order, and proven once more.
fn runs_afterwards(ladder: &Ladder) -> usize {
    if ladder.reruns == 0 { 1 } else { 3 + usize::try_from(ladder.reruns).unwrap_or(0) }
}

struct Workshop<'a, 'b> {
    engine: &'a RefCell<Engine>,
    player: &'a Player<'b>,
    terrain: Rc<Terrain>,
    channel: Channel,
    random: Random,
    allowance: Recheck<'a>,
    /// The calls of all tests kept so far.
    kept_calls: usize,
}

impl Workshop<'_, '_> {
    /// Whether nothing more can be begun when every test kept so far is run this many times more.
    fn is_out_of_time(&self, runs: usize) -> bool {
        self.allowance.is_over(runs * self.kept_calls)
    }

    /// Whether nothing more can be begun that could be left out.
    fn is_short_of_time(&self, runs: usize) -> bool {
        self.player.budget.is_spent() || self.is_out_of_time(runs)
    }

    async fn play(&mut self, plan: Plan) -> Execution {
        self.player.play(&mut self.channel, plan, &self.terrain, &mut self.random).await
    }

    /// Runs a candidate alone; keeps it if it still shows what it was kept for.
    async fn recheck(&mut self, number: usize, candidate: &Candidate, goals: Vec<Goal>) -> Option<Draft> {
        let first = candidate.run.as_ref()?;
        let status = first.responses.last()?.status;
        let length = candidate.plan.calls.len();
        let plan = candidate.plan.clone();
        let mut draft =
            Draft { number, plan, length, goals, status, runs: Vec::new(), otherwise: Vec::new() };
        let mut execution = self.play(draft.plan.clone()).await;
        if !draft.holds(&self.engine.borrow(), &execution) {
            draft.remember_change(first, &execution);
            execution = self.revive(&draft).await?;
        }
        if status == 409 {
            execution = self.own_conflict(&mut draft, execution).await?;
        }
        draft.plan = execution.plan.clone();
        let mut last = self.shorten(&mut draft).await.unwrap_or(execution);
        if let Some(cleaned) = self.add_cleanup(&mut draft, &last).await {
            last = cleaned;
        }
        // The run in the search saw the API in another state, often an emptier one; it counts if it was of the same test.
        let same_calls = draft.plan.calls.get(..draft.length) == Some(candidate.plan.calls.as_slice());
        if same_calls && draft.plan.fresh == candidate.plan.fresh {
            draft.runs.push(first.clone());
        }
        draft.runs.push(Run::of(&last, last.calls.len())?);
        Some(draft)
    }

    /// Tries a candidate that no longer holds with other values: what it creates may be there already, from its first run.
    async fn revive(&mut self, draft: &Draft) -> Option<Execution> {
        if let Some(plan) = freshen(&draft.plan, &self.terrain) {
            let execution = self.play(plan).await;
            if draft.holds(&self.engine.borrow(), &execution) {
                return Some(execution);
            }
        }
        for _ in 0..REROLLS {
            let plan = self.engine.borrow().reroll(&draft.plan, &mut self.random)?;
            let execution = self.play(plan).await;
            if draft.holds(&self.engine.borrow(), &execution) {
                return Some(execution);
            }
        }
        None
    }

    /// A conflict with what somebody else left behind is no test; one the test brings about by itself is.
    async fn own_conflict(&mut self, draft: &mut Draft, seen: Execution) -> Option<Execution> {
        let last = &draft.plan.calls[draft.length - 1];
        let path = &self.terrain.catalog.endpoints[last.endpoint].operation.id.path;
        // One about a thing that the test did not create is gone with it.
        if last.borrowed > 0 && path.ends_with('}') {
            return None;
        }
        let Some(fresh) = freshen(&draft.plan, &self.terrain) else { return Some(seen) };
        let execution = self.play(fresh).await;
        if draft.holds(&self.engine.borrow(), &execution) {
            draft.remember_repetition(&execution);
            // Shortened with the old values, it would live on what its last run left.
            return Some(execution);
        }
        draft.plan = collide(&draft.plan, &self.terrain)?;
        draft.length = draft.plan.calls.len();
        let execution = self.play(draft.plan.clone()).await;
        draft.remember_repetition(&execution);
        draft.holds(&self.engine.borrow(), &execution).then_some(execution)
    }

    /// Takes away what is not needed, one thing at a time.
    async fn shorten(&mut self, draft: &mut Draft) -> Option<Execution> {
        let mut tried = 0;
        let mut best = None;
        'again: loop {
            let smaller = shorten(draft, &self.terrain.catalog);
            for plan in smaller {
                if tried >= MAX_SHORTENINGS || self.is_short_of_time(LEAST_PASSES) {
                    return best;
                }
                tried += 1;
                let length = plan.calls.len();
                let attempt = Draft { plan, length, ..draft.clone() };
                let execution = self.play(attempt.plan.clone()).await;
                if attempt.holds(&self.engine.borrow(), &execution) {
                    *draft = Draft { plan: execution.plan.clone(), ..attempt };
                    best = Some(execution);
                    continue 'again;
                }
            }
            return best;
        }
    }

    /// Adds the deletion of what the test creates, if that works.
    async fn add_cleanup(&mut self, draft: &mut Draft, last: &Execution) -> Option<Execution> {
        let succeeded: Vec<bool> = last.calls.iter().map(steady_search::Executed::succeeded).collect();
        let plan = with_cleanup(&self.engine.borrow(), draft, &succeeded)?;
        // Without a clean-up the last run may have left what this one creates; fresh values get around that.
        let fresher = freshen(&plan, &self.terrain);
        for plan in std::iter::once(plan).chain(fresher) {
            let execution = self.play(plan).await;
            let tidied = execution.is_complete()
                && execution.calls[draft.length..].iter().all(steady_search::Executed::succeeded);
            if tidied && draft.holds(&self.engine.borrow(), &execution) {
                draft.plan = execution.plan.clone();
                return Some(execution);
            }
        }
        None
    }

    /// Creates a few things more, so that tests which count what is there give themselves away.
    async fn stir(&mut self, plans: usize) {
        for _ in 0..plans {
            if self.player.budget.interrupted() || self.player.api_is_gone() {
                return;
            }
            let Some(plan) = self.engine.borrow().creation(&mut self.random) else { return };
            self.play(plan).await;
        }
    }

    /// Every draft once more, in order, some time after its first run: what time and order change shows now.
    async fn run_again(&mut self, drafts: &mut Vec<Draft>) {
        let mut kept = Vec::with_capacity(drafts.len());
        for mut draft in std::mem::take(drafts) {
            if self.player.api_is_gone() {
                break;
            }
            let mut execution = self.play(draft.plan.clone()).await;
            if !draft.holds(&self.engine.borrow(), &execution)
                && let Some(plan) = freshen(&draft.plan, &self.terrain)
            {
                if let Some(earlier) = draft.runs.pop() {
                    draft.remember_change(&earlier, &execution);
                }
                execution = self.play(plan).await;
                draft.plan = execution.plan.clone();
                draft.runs.clear();
            }
            if draft.holds(&self.engine.borrow(), &execution)
                && let Some(run) = Run::of(&execution, execution.calls.len())
            {
                draft.runs.push(run);
                kept.push(draft);
            }
        }
        *drafts = kept;
    }

    /// Writes the tests and has the native runner prove each; one that fails is written again with what was learnt, or dropped.
    async fn prove(&mut self, drafts: Vec<Draft>, seed: u64) -> Settled {
        let mut names = Names::default();
        let mut sessions = self.player.sessions();
        let mut settled = Settled::default();
        for mut draft in drafts {
            if self.player.api_is_gone() {
                break;
            }
            let title = names.describe(&self.engine.borrow(), &draft);
            for attempt in 0..=REWRITES {
                let Some(trial) = self.trial(&draft, &title) else { break };
                let (test, _) = trial.handled(Policy::Relax, &Documented(&self.terrain.catalog));
                let calls = u64::try_from(test.calls.len() + test.cleanup.len()).unwrap_or(0);
                (0..calls).for_each(|_| self.player.budget.spend());
                let stream = seed
                    .wrapping_add(u64::try_from(settled.trials.len()).unwrap_or(0))
                    .wrapping_add(attempt as u64);
                let outcome =
                    run_test(&mut self.channel, &test, &mut sessions, self.player.secrets(), stream).await;
                if outcome.passed() {
                    settled.keep(&draft, trial);
                    break;
                }
                let execution = self.play(draft.plan.clone()).await;
                match Run::of(&execution, execution.calls.len()) {
                    Some(run) if draft.holds(&self.engine.borrow(), &execution) => draft.runs.push(run),
                    _ => break,
                }
            }
        }
        settled
    }

    /// The test a draft makes and what all its runs saw.
    fn trial(&self, draft: &Draft, title: &(String, String)) -> Option<Trial> {
        let mut trial = Trial::new(write_test(&self.terrain, draft, title)?, Timestamp::now());
        for run in &draft.runs {
            trial.saw(Step::Rerun, run.responses.iter().take(draft.length), &run.variables);
        }
        for otherwise in draft.answered_otherwise() {
            trial.avoids(&otherwise.operation, otherwise.status, otherwise.other);
        }
        Some(trial)
    }
}

impl Settled {
    fn keep(&mut self, draft: &Draft, trial: Trial) {
        for goal in draft.goals.iter().filter(|goal| matches!(goal, Goal::Fault { .. })) {
            self.shown.entry(goal.clone()).or_default().push(trial.test.name.clone());
        }
        self.trials.push(trial);
    }
}

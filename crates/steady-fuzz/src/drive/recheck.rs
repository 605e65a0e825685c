//! The re-check phase: every candidate alone and in order, shortened, repeatable, asserted, proven by the native runner.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use jiff::Timestamp;
use steady_flaky::Step;
use steady_flaky::drive::Cost;
use steady_flaky::relax::{ObservedTest, Policy};
use steady_model::{Base, Event, Substitution};
use steady_suite::{Sessions, run_test};

use super::budget::TICK;
use super::documented::Documented;
use super::options::FuzzOptions;
use super::play::Player;
use super::test_maker::{AFTERWARDS, TestMaker};
use crate::drafts::{Draft, Names, Run, freshen, write_test};
use crate::{Engine, Goal, Random};

/// How often every test is run again while there is time; a list of two in any order looks ordered half of the time.
const PASSES: usize = 8;
/// How often it is run again in any case, where no time limits it.
const LEAST_PASSES: usize = 2;
/// Things created between a test's first run and its second.
const STIRS: usize = 12;
/// How often a test that fails its proof is written again with what the failure taught.
const REWRITES: usize = 2;

/// What came out of the phase.
#[derive(Debug, Default)]
pub struct Rechecked {
    /// The tests with all that was seen of them; handled, each was proven by the native runner as far as there was time.
    pub tests: Vec<ObservedTest>,
    /// What looking for flaky assertions took.
    pub cost: Cost,
    /// How long that was, waiting included.
    pub steadied: Duration,
    /// What could not be looked at, because the API is not steady's to restart.
    pub unchecked: Vec<String>,
    /// Which tests show which fault.
    pub shown: IndexMap<Goal, Vec<String>>,
}

/// Makes tests of what the archive holds, the most valuable first.
pub async fn recheck(
    engine: &RefCell<Engine>,
    player: &Player<'_, '_>,
    options: &FuzzOptions,
    emit: &RefCell<&mut dyn FnMut(Event)>,
) -> Rechecked {
    let started = Instant::now();
    let candidates = engine.borrow().archive.by_worth();
    let mut maker = TestMaker {
        engine,
        player,
        model: Rc::clone(&engine.borrow().model),
        channel: player.channel(),
        // A stream of its own: what the search drew must not change what is drawn here.
        random: Random::new(options.shard_seed(), u64::MAX),
        allowance: player.budget.recheck(),
        kept_calls: 0,
    };
    let mut drafts = Vec::new();
    let mut left = 0_usize;
    for (number, (candidate, goals)) in candidates.into_iter().enumerate() {
        if maker.is_out_of_time(AFTERWARDS) || player.api_is_gone() {
            left += 1;
            continue;
        }
        match maker.recheck(number, &candidate, goals).await {
            Some(draft) => {
                maker.kept_calls += draft.plan.calls.len();
                drafts.push(draft);
            }
            None => left += usize::from(player.api_is_gone() || maker.allowance.limit.is_over()),
        }
    }
    maker.run_repeatedly(&mut drafts, started).await;
    drafts.sort_by_key(|draft| draft.number);
    let rechecked = maker.prove(drafts, options.shard_seed()).await;
    player.look_after().await;
    if let Some(message) = losses(player, left, rechecked.tests.len()) {
        (emit.borrow_mut())(Event::Warning { message });
    }
    rechecked
}

/// What the user should know of tests that could not be checked.
fn losses(player: &Player<'_, '_>, left: usize, kept: usize) -> Option<String> {
    if let Some(error) = player.gone() {
        let (requests, lost) = (player.answers(), left);
        let unchecked = if lost == 0 {
            String::new()
        } else {
            format!("; {lost} tests that were found could not be checked any more")
        };
        return Some(format!(
            "the API stopped answering after {requests} requests: {error}{unchecked}. \
             {kept} tests were checked before and are kept. Look at the last requests in events.jsonl, and start it again"
        ));
    }
    (left > 0 && !player.budget.interrupted()).then(|| {
        format!(
            "{left} more tests were found than could be re-checked in time; give the run more --time to keep them"
        )
    })
}

impl TestMaker<'_, '_, '_> {
    /// Runs all drafts again, a tick after their first run, forwards and backwards.
    async fn run_repeatedly(&mut self, drafts: &mut Vec<Draft>, started: Instant) {
        if self.player.budget.interrupted() {
            return;
        }
        self.stir(STIRS).await;
        let tick = TICK.saturating_sub(started.elapsed());
        if self.allowance.limit.remaining().is_none_or(|left| left > tick) {
            self.allowance.limit.pause(tick).await;
        }
        let least = if self.player.budget.is_timed() { 0 } else { LEAST_PASSES };
        for pass in 0..PASSES {
            if self.player.api_is_gone() || pass >= least && self.is_short_of_time(AFTERWARDS) {
                break;
            }
            self.run_again(drafts).await;
            self.stir(STIRS).await;
            // Backwards next time: what depends on the tests before it gives itself away.
            drafts.reverse();
        }
    }

    /// Creates a few things more, so that tests which count what is there give themselves away.
    async fn stir(&mut self, plans: usize) {
        for _ in 0..plans {
            if self.player.api_is_gone() || self.is_short_of_time(AFTERWARDS) && self.player.budget.is_timed()
            {
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
            // What cannot be run again stays as it was checked before.
            let Some(mut execution) = self.play(draft.plan.clone()).await else {
                kept.push(draft);
                continue;
            };
            if !draft.holds(&self.engine.borrow(), &execution)
                && let Some(plan) = freshen(&draft.plan, &self.model)
            {
                let Some(fresher) = self.play(plan).await else { continue };
                if let Some(earlier) = draft.runs.pop() {
                    draft.remember_change(&earlier, &execution);
                }
                execution = fresher;
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

    /// Writes the tests and has the native runner prove each; one that fails is written again with what was learnt, or dropped. What
    /// there is no time to prove was run again before, and stays.
    async fn prove(&mut self, drafts: Vec<Draft>, seed: u64) -> Rechecked {
        let mut names = Names::default();
        let mut sessions = self.player.sessions();
        let mut rechecked = Rechecked::default();
        for mut draft in drafts {
            let title = names.describe(&self.engine.borrow(), &draft);
            let restarts = self.player.restarts();
            for attempt in 0..=REWRITES {
                let base = self.channel.base().to_string();
                let Some(trial) = trial(&self.engine.borrow(), &base, &draft, &title) else { break };
                let stream = seed
                    .wrapping_add(u64::try_from(rechecked.tests.len()).unwrap_or(0))
                    .wrapping_add(attempt as u64);
                if self.passes(&trial, &mut sessions, stream).await.unwrap_or(true) {
                    rechecked.keep(&draft, trial);
                    break;
                }
                let execution = self.play(draft.plan.clone()).await;
                if self.player.restarts() > restarts {
                    sessions = self.player.sessions();
                }
                let Some(execution) = execution else { break };
                match Run::of(&execution, execution.calls.len()) {
                    Some(run) if draft.holds(&self.engine.borrow(), &execution) => draft.runs.push(run),
                    _ => break,
                }
            }
        }
        rechecked
    }

    /// Whether a test passes, as it will be written; `None` when that cannot be found out any more.
    async fn passes(&mut self, trial: &ObservedTest, sessions: &mut Sessions, stream: u64) -> Option<bool> {
        if self.allowance.limit.is_over() || self.player.api_is_gone() {
            return None;
        }
        let (test, _) = trial.handled(Policy::Relax, &Documented(&self.model.catalog));
        let calls = u64::try_from(test.calls.len() + test.cleanup.len()).unwrap_or(0);
        (0..calls).for_each(|_| self.player.budget.spend());
        let running = Box::pin(run_test(&mut self.channel, &test, sessions, self.player.secrets(), stream));
        let outcome = self.allowance.limit.within(running).await?;
        if outcome.calls.iter().any(|call| call.result.is_err()) {
            self.player.doubt();
            let there = self.player.is_there(self.player.restarts());
            return self.allowance.limit.within(there).await?.then_some(false);
        }
        Some(outcome.passed())
    }
}

/// The test a draft makes at the address `base`, and what all its runs saw.
pub fn trial(engine: &Engine, base: &str, draft: &Draft, title: &(String, String)) -> Option<ObservedTest> {
    let base = Base::at(base);
    let mut test = write_test(engine, draft, title)?;
    Substitution::of_base(&base).test(&mut test);
    let mut trial = ObservedTest::new(test, Timestamp::now());
    for run in &draft.runs {
        let variables = run.variables.clone().at(base.clone());
        trial.record_run(Step::Rerun, run.responses.iter().take(draft.length), &variables);
    }
    draft.borrowed(&engine.model).into_iter().for_each(|call| trial.borrows(call));
    for otherwise in draft.answered_otherwise() {
        trial.avoids(&otherwise.operation, otherwise.status, otherwise.other);
    }
    Some(trial)
}

impl Rechecked {
    fn keep(&mut self, draft: &Draft, trial: ObservedTest) {
        for goal in draft.goals.iter().filter(|goal| matches!(goal, Goal::Fault { .. })) {
            self.shown.entry(goal.clone()).or_default().push(trial.test.name.clone());
        }
        self.tests.push(trial);
    }
}

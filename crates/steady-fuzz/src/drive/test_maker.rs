//! Makes a test of one candidate: run again alone, shortened, with a clean-up.

use std::cell::RefCell;
use std::rc::Rc;

use steady_http::Channel;

use super::budget::Recheck;
use super::play::Player;
use crate::drafts::{Draft, collide, freshen, shorten, with_absent_ids, with_cleanup};
use crate::{ApiModel, Candidate, Engine, Execution, Goal, ObservedRun, Plan, Random};

/// Smaller versions of one test that are tried.
const MAX_SHORTENINGS: usize = 16;
/// How often the calls before a fault are given other values when it does not show again.
const REROLLS: usize = 4;
/// How often a test that is kept is run at least after that: again, and to prove it.
pub const AFTERWARDS: usize = 2;

/// All that making a test of a candidate takes.
pub struct TestMaker<'a, 'b, 'f> {
    pub engine: &'a RefCell<Engine>,
    pub player: &'a Player<'b, 'f>,
    pub model: Rc<ApiModel>,
    pub channel: Channel,
    pub random: Random,
    pub allowance: Recheck<'a>,
    /// The calls of all tests kept so far.
    pub kept_calls: usize,
}

impl TestMaker<'_, '_, '_> {
    /// Whether nothing more can be begun when every test kept so far is run this many times more.
    pub fn is_out_of_time(&self, runs: usize) -> bool {
        self.allowance.is_over(runs * self.kept_calls)
    }

    /// Whether nothing more can be begun that could be left out.
    pub fn is_short_of_time(&self, runs: usize) -> bool {
        self.player.budget.is_spent() || self.player.budget.interrupted() || self.is_out_of_time(runs)
    }

    /// Plays a plan; `None` when the time was over before its end, or the API is gone: then it says nothing. After a
    /// restart in the middle the plan is played once more from its start.
    pub async fn play(&mut self, plan: Plan) -> Option<Execution> {
        if self.player.api_is_gone() {
            return None;
        }
        let restarts = self.player.restarts();
        let execution = self.attempt(plan.clone()).await?;
        if !self.allowance.limit.within(self.player.ensure_answering(restarts)).await? {
            return None;
        }
        if self.player.restarts() == restarts { Some(execution) } else { self.attempt(plan).await }
    }

    async fn attempt(&mut self, plan: Plan) -> Option<Execution> {
        let playing = Box::pin(self.player.play(&mut self.channel, plan, &self.model, &mut self.random));
        self.allowance.limit.within(playing).await
    }

    /// Runs a candidate alone; keeps it if it still shows what it was kept for.
    pub async fn recheck(&mut self, number: usize, candidate: &Candidate, goals: Vec<Goal>) -> Option<Draft> {
        let first = candidate.run.as_ref()?;
        let status = first.responses.last()?.response.status;
        let length = candidate.plan.calls.len();
        let plan = candidate.plan.clone();
        let mut draft =
            Draft { number, plan, length, goals, status, runs: Vec::new(), status_changes: Vec::new() };
        let mut execution = self.play(draft.plan.clone()).await?;
        if !draft.holds(&self.engine.borrow(), &execution) {
            draft.remember_change(first, &execution);
            execution = self.retry_with_other_values(&draft).await?;
        }
        if self.engine.borrow().names_what_it_made(&execution.plan) {
            execution = self.make_own_things(&draft, &execution).await?;
            draft.length = execution.plan.calls.len();
        }
        if status == 404 || self.engine.borrow().misses_what_was_there(&execution) {
            execution = self.ask_for_absent_ids(&draft, execution).await?;
        }
        if status == 409 {
            execution = self.own_conflict(&mut draft, execution).await?;
        }
        draft.plan = execution.plan.clone();
        if draft.deletes_what_others_made(&self.model, &execution) {
            return None;
        }
        let mut last = self.shorten(&mut draft).await.unwrap_or(execution);
        if let Some(cleaned) = self.add_cleanup(&mut draft, &last).await {
            last = cleaned;
        }
        // The run in the search saw the API in another state, often an emptier one; it counts if it was of the same test.
        let same_calls = draft.plan.calls.get(..draft.length) == Some(candidate.plan.calls.as_slice());
        if same_calls && draft.plan.fresh == candidate.plan.fresh {
            draft.runs.push(first.clone());
        }
        draft.runs.push(ObservedRun::of(&last, last.calls.len())?);
        Some(draft)
    }

    /// Tries a candidate that no longer holds with other values: what it creates may be there already, from its first run.
    async fn retry_with_other_values(&mut self, draft: &Draft) -> Option<Execution> {
        if draft.status == 404
            && let Some(plan) = with_absent_ids(&draft.plan, &self.model, &mut self.random)
        {
            let execution = self.play(plan).await?;
            if draft.holds(&self.engine.borrow(), &execution) {
                return Some(execution);
            }
        }
        if let Some(plan) = freshen(&draft.plan, &self.model) {
            let execution = self.play(plan).await?;
            if draft.holds(&self.engine.borrow(), &execution) {
                return Some(execution);
            }
        }
        for _ in 0..REROLLS {
            let plan = self.engine.borrow().reroll(&draft.plan, &mut self.random)?;
            let execution = self.play(plan).await?;
            if draft.holds(&self.engine.borrow(), &execution) {
                return Some(execution);
            }
        }
        None
    }

    /// Lets a test make what it would otherwise find only where the search has been.
    async fn make_own_things(&mut self, draft: &Draft, seen: &Execution) -> Option<Execution> {
        for _ in 0..REROLLS {
            let plan = self.engine.borrow().with_own_things(&seen.plan, &mut self.random)?;
            let length = plan.calls.len();
            let execution = self.play(plan.clone()).await?;
            if (Draft { plan, length, ..draft.clone() }).holds(&self.engine.borrow(), &execution) {
                return Some(execution);
            }
        }
        None
    }

    /// Asks for what is not there by an id that nothing has, now or later.
    async fn ask_for_absent_ids(&mut self, draft: &Draft, seen: Execution) -> Option<Execution> {
        if let Some(plan) = with_absent_ids(&seen.plan, &self.model, &mut self.random) {
            let execution = self.play(plan).await?;
            if draft.holds(&self.engine.borrow(), &execution) {
                return Some(execution);
            }
        }
        (!self.engine.borrow().misses_what_was_there(&seen)).then_some(seen)
    }

    /// A conflict with something that was in the API already makes no test; one that the test brings about by itself does.
    async fn own_conflict(&mut self, draft: &mut Draft, seen: Execution) -> Option<Execution> {
        let last = &draft.plan.calls[draft.length - 1];
        let path = &self.model.catalog[last.endpoint].operation.id.path;
        // One about a thing that the test did not create is gone with it.
        if last.borrowed > 0 && path.ends_with('}') {
            return None;
        }
        let Some(fresh) = freshen(&draft.plan, &self.model) else { return Some(seen) };
        let execution = self.play(fresh).await?;
        if draft.holds(&self.engine.borrow(), &execution) {
            draft.remember_repetition(&execution);
            // Shortened with the old values, it would live on what its last run left.
            return Some(execution);
        }
        draft.plan = collide(&draft.plan, &self.model)?;
        draft.length = draft.plan.calls.len();
        let execution = self.play(draft.plan.clone()).await?;
        draft.remember_repetition(&execution);
        draft.holds(&self.engine.borrow(), &execution).then_some(execution)
    }

    /// Takes away what is not needed, one thing at a time.
    async fn shorten(&mut self, draft: &mut Draft) -> Option<Execution> {
        let mut tried = 0;
        let mut best = None;
        'again: loop {
            let smaller = shorten(draft, &self.model.catalog);
            for plan in smaller {
                if tried >= MAX_SHORTENINGS || self.is_short_of_time(AFTERWARDS) {
                    return best;
                }
                tried += 1;
                let length = plan.calls.len();
                let attempt = Draft { plan, length, ..draft.clone() };
                let Some(execution) = self.play(attempt.plan.clone()).await else { return best };
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
        let plan = with_cleanup(&self.engine.borrow(), draft, last)?;
        // Without a clean-up the last run may have left what this one creates; fresh values get around that.
        let fresher = freshen(&plan, &self.model);
        for plan in std::iter::once(plan).chain(fresher) {
            let execution = self.play(plan).await?;
            let tidied = execution.is_complete()
                && execution.calls[draft.length..].iter().all(crate::Executed::succeeded);
            if tidied && draft.holds(&self.engine.borrow(), &execution) {
                draft.plan = execution.plan.clone();
                return Some(execution);
            }
        }
        None
    }
}

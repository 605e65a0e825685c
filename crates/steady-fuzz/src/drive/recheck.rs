//! The re-check phase: every candidate alone, shortened, repeatable, once more among the others, asserted, proven by the native
//! runner. What only many runs show is left to the detection that follows.
//!
//! The search calls the API with several workers and in one state after another; a goal it reached may have needed a call of another
//! worker. A candidate therefore has to show its goal again on its own before a test is made of it.

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
use crate::drafts::{Draft, Names, freshen, write_test};
use crate::{Engine, Goal, ObservedRun, Random};

/// Things created between a test's first run and its second.
const NOISE: usize = 12;
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
    pub detection: Duration,
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
    let candidates = engine.borrow().candidates();
    let mut maker = TestMaker {
        engine,
        player,
        model: Rc::clone(engine.borrow().model()),
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
    maker.run_among_others(&mut drafts, started).await;
    drafts.sort_by_key(|draft| draft.number);
    let rechecked = maker.prove(drafts, options.shard_seed()).await;
    player.confirm_answering().await;
    let losses = Losses {
        gone: player.gone(),
        answers: player.answers(),
        interrupted: player.budget.interrupted(),
        unchecked: left,
        kept: rechecked.tests.len(),
    };
    if let Some(message) = losses.warning() {
        (emit.borrow_mut())(Event::Warning { message });
    }
    rechecked
}

/// Tests that could not be checked, and why.
struct Losses {
    /// What the last request got instead of an answer when the API is gone; `None` for one that still answers.
    gone: Option<String>,
    /// Requests that were answered.
    answers: u64,
    /// Whether the user ended the run, and therefore expects losses.
    interrupted: bool,
    /// Tests that were not checked.
    unchecked: usize,
    /// Tests that were.
    kept: usize,
}

impl Losses {
    /// What the user should know; `None` when nothing was lost, or only what the user gave up.
    fn warning(&self) -> Option<String> {
        let Self { answers, unchecked, kept, .. } = self;
        if let Some(error) = &self.gone {
            let unchecked = match unchecked {
                0 => String::new(),
                count => format!("; {count} tests that were found could not be checked any more"),
            };
            return Some(format!(
                "the API stopped answering after {answers} requests: {error}{unchecked}. \
                 {kept} tests were checked before and are kept. Look at the last requests in events.jsonl, and start it again"
            ));
        }
        (*unchecked > 0 && !self.interrupted).then(|| {
            format!(
                "{unchecked} more tests were found than could be re-checked in time; give the run more --time to keep them"
            )
        })
    }
}

impl TestMaker<'_, '_, '_> {
    /// Runs all drafts once more, a tick after their first run, with more in the API than they found then.
    async fn run_among_others(&mut self, drafts: &mut Vec<Draft>, started: Instant) {
        if self.player.budget.interrupted() {
            return;
        }
        self.add_noise().await;
        let tick = TICK.saturating_sub(started.elapsed());
        if self.allowance.limit.remaining().is_none_or(|left| left > tick) {
            self.allowance.limit.pause(tick).await;
        }
        if !self.has_to_stop() {
            self.run_again(drafts).await;
            self.add_noise().await;
        }
    }

    /// Whether the API is gone, or what is left of the time is needed for more important runs.
    fn has_to_stop(&self) -> bool {
        let is_late = self.player.budget.is_timed() && self.is_short_of_time(AFTERWARDS);
        is_late || self.player.api_is_gone()
    }

    /// Creates a few more things: tests that count what is there fail now, not in the user's next run.
    async fn add_noise(&mut self) {
        for _ in 0..NOISE {
            if self.has_to_stop() {
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
                && let Some(run) = ObservedRun::of(&execution, execution.calls.len())
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
                let Some(mut observed) = observed_test(&self.engine.borrow(), &base, &draft, &title) else {
                    break;
                };
                let stream = seed
                    .wrapping_add(u64::try_from(rechecked.tests.len()).unwrap_or(0))
                    .wrapping_add(attempt as u64);
                if self.passes(&mut observed, &mut sessions, stream).await.unwrap_or(true) {
                    rechecked.keep(&draft, observed);
                    break;
                }
                let execution = self.play(draft.plan.clone()).await;
                if self.player.restarts() > restarts {
                    sessions = self.player.sessions();
                }
                let Some(execution) = execution else { break };
                match ObservedRun::of(&execution, execution.calls.len()) {
                    Some(run) if draft.holds(&self.engine.borrow(), &execution) => draft.runs.push(run),
                    _ => break,
                }
            }
        }
        rechecked
    }

    /// Whether a test passes, as it will be written; `None` when that cannot be found out any more. A run that passes counts as
    /// one more observation.
    async fn passes(
        &mut self,
        observed: &mut ObservedTest,
        sessions: &mut Sessions,
        stream: u64,
    ) -> Option<bool> {
        if self.allowance.limit.is_over() || self.player.api_is_gone() {
            return None;
        }
        let (test, _) = observed.handled(Policy::Relax, &Documented(&self.model.catalog));
        let calls = u64::try_from(test.calls.len() + test.cleanup.len()).unwrap_or(0);
        (0..calls).for_each(|_| self.player.budget.spend());
        let running = Box::pin(run_test(&mut self.channel, &test, sessions, self.player.secrets(), stream));
        let outcome = self.allowance.limit.within(running).await?;
        if outcome.calls.iter().any(|call| call.result.is_err()) {
            self.player.note_unanswered();
            let there = self.player.ensure_answering(self.player.restarts());
            return self.allowance.limit.within(there).await?.then_some(false);
        }
        let passed = outcome.passed();
        if passed {
            observed.record_run(Step::Rerun, outcome.responses(), &outcome.variables);
        }
        Some(passed)
    }
}

/// The test a draft makes at the address `base`, and what all its runs saw.
pub fn observed_test(
    engine: &Engine,
    base: &str,
    draft: &Draft,
    title: &(String, String),
) -> Option<ObservedTest> {
    let base = Base::at(base);
    let mut test = write_test(engine, draft, title)?;
    Substitution::of_base(&base).test(&mut test);
    let mut observed = ObservedTest::new(test, Timestamp::now());
    for run in &draft.runs {
        let variables = run.variables.clone().at(base.clone());
        let responses = run.responses.iter().take(draft.length).cloned();
        observed.record_observations(Step::Rerun, responses, &variables);
    }
    draft.borrowed(engine.model()).into_iter().for_each(|call| observed.borrows(call));
    for change in draft.remaining_status_changes() {
        observed.avoids(&change.operation, change.status, change.other);
    }
    Some(observed)
}

impl Rechecked {
    fn keep(&mut self, draft: &Draft, observed: ObservedTest) {
        for goal in draft.goals.iter().filter(|goal| matches!(goal, Goal::Fault { .. })) {
            self.shown.entry(goal.clone()).or_default().push(observed.test.name.clone());
        }
        self.tests.push(observed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(gone: Option<&str>, interrupted: bool, unchecked: usize) -> Option<String> {
        Losses { gone: gone.map(str::to_owned), answers: 120, interrupted, unchecked, kept: 7 }.warning()
    }

    #[test]
    fn a_lack_of_time_is_a_reason_to_give_more_unless_the_user_took_it() {
        let warning = losses(None, false, 3).unwrap();
        assert!(warning.starts_with("3 more tests were found") && warning.contains("--time"), "{warning}");
        assert_eq!(losses(None, true, 3), None);
        assert_eq!(losses(None, false, 0), None);
    }

    #[test]
    fn an_api_that_is_gone_is_named_with_what_it_cost_even_after_an_interruption() {
        let nothing_lost = losses(Some("connection refused"), false, 0).unwrap();
        assert!(nothing_lost.contains("after 120 requests: connection refused. 7 tests"), "{nothing_lost}");
        let lost = losses(Some("connection refused"), true, 2).unwrap();
        assert!(lost.contains("connection refused; 2 tests that were found could not be checked"), "{lost}");
    }
}

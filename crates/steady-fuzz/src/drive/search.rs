//! The search phase: workers play plans until the budget's share is spent.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use steady_model::Event;

use super::options::FuzzOptions;
use super::play::Player;
use crate::{Engine, Random};

/// How often progress is reported.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// What the search phase did.
#[derive(Debug, Clone, Copy)]
pub struct Searched {
    /// Requests sent.
    pub requests: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Searches with as many workers as asked for.
pub async fn search(
    engine: &RefCell<Engine>,
    player: &Player<'_, '_>,
    options: &FuzzOptions,
    emit: &RefCell<&mut dyn FnMut(Event)>,
) -> Searched {
    let started = Instant::now();
    let before = player.budget.spent();
    let reported = Cell::new(started);
    let model = std::rc::Rc::clone(engine.borrow().model());
    let work = |worker: usize| {
        let (reported, model) = (&reported, &model);
        async move {
            let mut channel = player.channel();
            let mut random = Random::new(options.shard_seed(), u64::try_from(worker).unwrap_or(0) + 1);
            while !player.budget.search_is_over(engine.borrow().tests_to_check()) && !player.api_is_gone() {
                let Some(plan) = engine.borrow_mut().plan(&mut random) else { break };
                // A request that is not answered in time must not take the time for checking what was found.
                let execution = tokio::select! {
                    biased;
                    execution = player.play(&mut channel, plan, model, &mut random) => execution,
                    () = player.budget.search_end(|| engine.borrow().tests_to_check()) => break,
                };
                let events = engine.borrow_mut().absorb(&execution, &mut random);
                events.into_iter().for_each(|event| (emit.borrow_mut())(event));
                let lost_access = engine.borrow_mut().lost_access();
                if lost_access {
                    warn_lost_access(emit);
                    // A session may have expired. If the login fails, the refusals go on and the warning comes again.
                    let _ = player.budget.limit().within(player.log_in(&mut channel)).await;
                }
                if reported.get().elapsed() >= PROGRESS_EVERY {
                    reported.set(Instant::now());
                    report_progress(engine, player, emit);
                }
            }
        }
    };
    join_all((0..options.workers.get()).map(work)).await;
    report_progress(engine, player, emit);
    player.budget.limit().within(player.ensure_answering(player.restarts())).await;
    Searched { requests: player.budget.spent() - before, elapsed: started.elapsed() }
}

fn report_progress(engine: &RefCell<Engine>, player: &Player<'_, '_>, emit: &RefCell<&mut dyn FnMut(Event)>) {
    let engine = engine.borrow();
    (emit.borrow_mut())(Event::Progress {
        requests: player.budget.spent(),
        successful: engine.successful(),
        operations: engine.model().catalog.described_count(),
        faults: engine.faults().len(),
    });
}

fn warn_lost_access(emit: &RefCell<&mut dyn FnMut(Event)>) {
    let message = "the API has stopped accepting the credentials (401 throughout); logging in again. If this goes on, exclude the operation that revokes them with --exclude".to_owned();
    (emit.borrow_mut())(Event::Warning { message });
}

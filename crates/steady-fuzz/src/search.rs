//! The search phase: workers play plans until the budget's share is spent.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use steady_model::Event;
use steady_search::{Engine, Random};

use crate::options::FuzzOptions;
use crate::play::Player;

/// How often progress is told.
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
    player: &Player<'_>,
    options: &FuzzOptions,
    emit: &RefCell<&mut dyn FnMut(Event)>,
) -> Searched {
    let started = Instant::now();
    let before = player.budget.spent();
    let told = Cell::new(started);
    let terrain = std::rc::Rc::clone(&engine.borrow().terrain);
    let work = |worker: usize| {
        let (told, terrain) = (&told, &terrain);
        async move {
            let mut channel = player.channel();
            let mut random = Random::new(options.shard_seed(), u64::try_from(worker).unwrap_or(0) + 1);
            while !player.budget.search_is_over(engine.borrow().archive.tests()) && !player.api_is_gone() {
                let Some(plan) = engine.borrow_mut().plan(&mut random) else { break };
                let execution = player.play(&mut channel, plan, terrain, &mut random).await;
                let events = engine.borrow_mut().absorb(&execution, &mut random);
                events.into_iter().for_each(|event| (emit.borrow_mut())(event));
                let lost_access = engine.borrow_mut().lost_access();
                if lost_access {
                    tell_lost_access(emit);
                    // A session may have run out; whoever is refused again is told again.
                    let _ = player.log_in(&mut channel).await;
                }
                if told.get().elapsed() >= PROGRESS_EVERY {
                    told.set(Instant::now());
                    tell_progress(engine, player, emit);
                }
            }
        }
    };
    join_all((0..options.workers.get()).map(work)).await;
    tell_progress(engine, player, emit);
    if player.api_is_gone() {
        let message = "the API no longer takes connections; what was found until then is kept. Start it again and look at the last requests in events.jsonl".to_owned();
        (emit.borrow_mut())(Event::Warning { message });
    }
    Searched { requests: player.budget.spent() - before, elapsed: started.elapsed() }
}

fn tell_progress(engine: &RefCell<Engine>, player: &Player<'_>, emit: &RefCell<&mut dyn FnMut(Event)>) {
    let engine = engine.borrow();
    (emit.borrow_mut())(Event::Progress {
        requests: player.budget.spent(),
        successful: engine.successful(),
        operations: engine.terrain.catalog.described,
        faults: engine.faults.len(),
    });
}

fn tell_lost_access(emit: &RefCell<&mut dyn FnMut(Event)>) {
    let message = "the API has stopped accepting the credentials (401 throughout); logging in again. If this goes on, exclude the operation that revokes them with --exclude".to_owned();
    (emit.borrow_mut())(Event::Warning { message });
}

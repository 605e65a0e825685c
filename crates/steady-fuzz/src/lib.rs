//! Drives a search over the wire.
//!
//! [`fuzz`] takes a loaded API and a budget, lets workers play the plans of the [engine](steady_search::Engine) over keep-alive
//! connections, re-checks what was found alone and in order, and yields an [`Outcome`]: suite, findings, summary. Everything runs
//! on one thread, so the engine is shared without locks and a core is left to the API.

mod budget;
mod documented;
mod error;
mod options;
mod outcome;
mod pace;
mod play;
mod search;
mod settle;
mod steadied;

pub use error::FuzzError;
pub use options::FuzzOptions;
pub use outcome::Outcome;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use steady_flaky::relax::Disorder;
use steady_http::Client;
use steady_model::{Event, Phase};
use steady_openapi::Api;
use steady_search::{Engine, Terrain};
use steady_stabilize::Footing;

use budget::Budget;
use play::Player;

/// Fuzzes a running API; `footing` says whether it may be restarted. `emit` is told everything as it happens, from the first
/// phase to the last.
///
/// Needs a tokio runtime; a current-thread one is best.
pub async fn fuzz(
    api: Api,
    options: FuzzOptions,
    footing: &mut Footing<'_>,
    emit: &mut dyn FnMut(Event),
) -> Result<Outcome, FuzzError> {
    let title = api.title.clone();
    let budget = Budget::new(options.time, options.requests, options.stop.clone());
    let keep = |operation: &steady_openapi::Operation| (options.keep)(operation);
    let base_path = options.base_path.clone();
    let secrets = options.secrets.iter().map(|(_, secret)| secret.clone()).collect();
    let terrain =
        Terrain::new(api, base_path, &options.identities, options.principals.clone(), secrets, keep)
            .focused(|operation| options.shard.owns(&operation.to_string()));
    if terrain.open_endpoints().next().is_none() {
        return Err(FuzzError::NothingToCall);
    }
    announce_protected(&terrain, emit);
    let client = Client::new(options.url.clone(), options.client.clone())?;
    let engine = Engine::new(terrain, options.url.to_string(), options.identities.clone());
    let emit = RefCell::new(emit);
    let player = Player::connect(&options, client.clone(), &budget).await?;
    let engine = RefCell::new(engine);

    (emit.borrow_mut())(Event::PhaseStarted { phase: Phase::Search });
    let searched = search::search(&engine, &player, &options, &emit).await;
    (emit.borrow_mut())(Event::PhaseFinished { phase: Phase::Search });

    (emit.borrow_mut())(Event::PhaseStarted { phase: Phase::Recheck });
    let mut settled = settle::settle(&engine, &player, &options, &emit).await;
    Disorder::seen_in(&settled.trials).tell(&mut settled.trials);
    (emit.borrow_mut())(Event::PhaseFinished { phase: Phase::Recheck });

    (emit.borrow_mut())(Event::PhaseStarted { phase: Phase::Stabilize });
    let terrain = Rc::clone(&engine.borrow().terrain);
    let tell = |message| (emit.borrow_mut())(Event::Warning { message });
    let began = Instant::now();
    // What the search found is not lost with an API that does not come back.
    match steadied::steady(&mut settled.trials, client, player.sessions(), &options, footing, &terrain, tell)
        .await
    {
        Ok(cost) => settled.cost = cost,
        Err(error) => tell(format!("flaky assertions were not looked for to the end: {error}")),
    }
    settled.steadied = began.elapsed();
    (emit.borrow_mut())(Event::PhaseFinished { phase: Phase::Stabilize });

    Ok(outcome::assemble(engine.into_inner(), &player, &options, title, &searched, settled))
}

fn announce_protected(terrain: &Terrain, emit: &mut dyn FnMut(Event)) {
    for (index, endpoint) in terrain.catalog.endpoints.iter().enumerate().take(terrain.catalog.described) {
        if let Some(reason) = terrain.guard.closed(index) {
            let operation = endpoint.operation.id.to_string();
            emit(Event::OperationSkipped { operation, reason: format!("protected: {reason}") });
        }
    }
}

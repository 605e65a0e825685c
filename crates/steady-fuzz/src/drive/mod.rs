//! Drives a search over the wire.
//!
//! [`fuzz`] takes a loaded API and a budget, lets workers play the plans of the [engine](crate::Engine) over keep-alive
//! connections, re-checks what was found alone and in order, and yields an [`Outcome`]: suite, findings, summary. Everything runs
//! on one thread, so the engine is shared without locks and a core is left to the API.

mod budget;
mod detect;
mod documented;
mod ending;
mod error;
mod final_calls;
mod liveness;
mod options;
mod outcome;
mod pace;
mod play;
mod public_texts;
mod recheck;
mod search;
mod test_maker;

pub use ending::Ending;
pub use error::FuzzError;
pub use options::FuzzOptions;
pub use outcome::Outcome;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use steady_flaky::drive::{Limit, SutAccess};
use steady_flaky::relax::UnorderedLists;
use steady_http::Client;
use steady_model::{Event, Phase};
use steady_openapi::Api;

use crate::{ApiModel, Engine};
use budget::Budget;
use play::Player;
use recheck::Rechecked;

/// Fuzzes a running API; `access` says whether it may be restarted. `emit` receives every event as it happens, from the first
/// phase to the last.
///
/// Needs a tokio runtime; a current-thread one is best.
pub async fn fuzz(
    api: Api,
    options: FuzzOptions,
    access: &mut SutAccess<'_>,
    emit: &mut dyn FnMut(Event),
) -> Result<Outcome, FuzzError> {
    let title = api.title.clone();
    let budget = Budget::new(options.time, options.requests, options.workers, options.cancel.clone());
    let keep = |operation: &steady_openapi::Operation| (options.keep)(operation);
    let base_path = options.base_path.clone();
    let secrets = options.secrets.given();
    public_texts::register(&api, &options.secrets);
    let model = ApiModel::new(api, base_path, &options.identities, options.principals.clone(), secrets, keep)
        .focused(|operation| options.shard.owns(&operation.to_string()));
    let model = if access.is_managed() { model } else { model.without_restart() };
    if model.open_endpoints().next().is_none() {
        return Err(FuzzError::NothingToCall);
    }
    announce_protected(&model, emit);
    let client = Client::new(options.url.clone(), options.client.clone())?;
    let engine = Engine::new(model, options.url.to_string(), options.identities.clone());
    let emit = RefCell::new(emit);
    let player = Player::connect(&options, client.clone(), &budget, access).await?;
    let engine = RefCell::new(engine);

    (emit.borrow_mut())(Event::PhaseStarted { phase: Phase::Search });
    let searched = Box::pin(search::search(&engine, &player, &options, &emit)).await;
    (emit.borrow_mut())(Event::PhaseFinished { phase: Phase::Search });
    announce_oversize(engine.borrow().model(), &emit);
    if let Some(error) = player.never_answered().filter(|_| engine.borrow().faults().len() == 0) {
        return Err(error);
    }

    (emit.borrow_mut())(Event::PhaseStarted { phase: Phase::Recheck });
    let mut rechecked = Box::pin(recheck::recheck(&engine, &player, &options, &emit)).await;
    UnorderedLists::detect(&rechecked.tests).apply(&mut rechecked.tests);
    if let Some(request) = player.unrequested() {
        (emit.borrow_mut())(Event::Warning { message: unrequested(&request) });
    }
    (emit.borrow_mut())(Event::PhaseFinished { phase: Phase::Recheck });

    (emit.borrow_mut())(Event::PhaseStarted { phase: Phase::Stabilize });
    let model = Rc::clone(engine.borrow().model());
    let began = Instant::now();
    Box::pin(detect_flakiness(&mut rechecked, &player, &options, client, &model, &emit)).await;
    let end = options.detection().map(|time| began + time);
    Box::pin(final_calls::call_last(&engine, &player, &options, end, &mut rechecked, &emit)).await;
    (emit.borrow_mut())(Event::PhaseFinished { phase: Phase::Stabilize });

    let outcome = outcome::assemble(&engine.borrow(), &player, &options, title, &searched, rechecked);
    if !outcome.withheld.is_empty() {
        let names = outcome.withheld.join(", ");
        let message = format!("left out, because they send a secret that the API issued: {names}");
        (emit.borrow_mut())(Event::Warning { message });
    }
    Ok(outcome)
}

/// Names the operations that get no valid requests because the document asks for too much.
fn announce_oversize(model: &ApiModel, emit: &RefCell<&mut dyn FnMut(Event)>) {
    for (operation, what, excess) in model.catalog.oversize() {
        let message = format!(
            "{}: its schema asks for {excess} in the {what}, more than steady sends; the requests are cut short and not valid",
            operation.id
        );
        (emit.borrow_mut())(Event::Warning { message });
    }
}

fn unrequested(request: &str) -> String {
    format!(
        "the API sent a response that no request had asked for, on the connection that last served `{request}`; requests \
         since then had connections of their own, and faults that no test shows are not reported"
    )
}

/// Looks for flaky values, for as long as that may take.
async fn detect_flakiness(
    rechecked: &mut Rechecked,
    player: &Player<'_, '_>,
    options: &FuzzOptions,
    client: Client,
    model: &ApiModel,
    emit: &RefCell<&mut dyn FnMut(Event)>,
) {
    let warn = |message| (emit.borrow_mut())(Event::Warning { message });
    let mut access = player.access.lock().await;
    rechecked.unchecked = options.plan.out_of_reach(&access);
    let runs = options.plan.runs(&access);
    if runs == 0 || rechecked.tests.is_empty() || player.budget.interrupted() || player.api_is_gone() {
        return;
    }
    let began = Instant::now();
    let time = options.detection();
    let reserved = if !model.guard.last().is_empty() {
        time.map(final_calls::share).unwrap_or_default()
    } else {
        Duration::ZERO
    };
    let limit = Limit::new(options.cancel.clone()).until(time.map(|time| began + time - reserved));
    (emit.borrow_mut())(Event::DetectionStarted {
        seconds: time.map(|time| time.as_secs_f64()),
        tests: rechecked.tests.len(),
        runs,
    });
    // What the search found is not lost with an API that does not come back.
    let tests = &mut rechecked.tests;
    let sessions = player.sessions();
    match detect::detect(tests, client, sessions, options, limit, &mut access, model, warn).await {
        Ok(cost) => rechecked.cost = cost,
        Err(error) => {
            warn(format!("the detection of flaky values ended early: {error}"));
            player.mark_gone(error.to_string());
        }
    }
    if !rechecked.cost.left_out.is_empty() && !player.budget.interrupted() {
        warn(format!(
            "the time for flaky values ran out; not tried: {}. Values that look volatile are matched by what they look like; give \
             it longer with --detect-time",
            rechecked.cost.left_out.join(", ")
        ));
    }
    rechecked.detection = began.elapsed();
}

fn announce_protected(model: &ApiModel, emit: &mut dyn FnMut(Event)) {
    for (id, endpoint) in model.catalog.described() {
        if let Some(reason) = model.guard.refused(id) {
            let operation = endpoint.operation.id.to_string();
            emit(Event::OperationSkipped { operation, reason: format!("protected: {reason}") });
        }
    }
}

//! The last phase: the tests as they are, run again in every way that may change their answers.

use std::cell::RefCell;

use steady_flaky::Step;
use steady_flaky::relax::{Policy, Trial};
use steady_http::Client;
use steady_replay::Sessions;
use steady_search::Terrain;
use steady_stabilize::{Cost, Footing, StabilizeError, Stage, climb, prove};

use crate::documented::Documented;
use crate::options::FuzzOptions;

/// Lets the trials see more, and drops those that do not stand on their own.
pub async fn steady(
    trials: &mut Vec<Trial>,
    client: Client,
    sessions: Sessions,
    options: &FuzzOptions,
    footing: &mut Footing<'_>,
    terrain: &Terrain,
    mut tell: impl FnMut(String),
) -> Result<Cost, StabilizeError> {
    if options.ladder.reruns == 0 || *options.stop.borrow() {
        return Ok(Cost::default());
    }
    let stage = Stage {
        client,
        options: options.client.clone(),
        identities: options.identities.clone(),
        sessions: RefCell::new(sessions),
        environment: &options.secrets,
        rate: options.rate,
        seed: options.shard_seed(),
        stop: options.stop.clone(),
    };
    let mut cost = climb(trials, &stage, footing, &options.ladder, &mut tell).await?;
    if options.flaky == Policy::Keep {
        return Ok(cost);
    }
    // On a fresh start some find nothing of what the search had left behind.
    let before = trials.len();
    trials.retain(|trial| trial.is_grounded(Step::Restart) && trial.is_grounded(Step::Reset));
    let described = Documented(&terrain.catalog);
    let unproven = prove(trials, &stage, footing, options.flaky, &described, &mut cost).await?;
    let failing = unproven.all();
    let mut index = 0;
    trials.retain(|_| {
        index += 1;
        !failing.contains(&(index - 1))
    });
    let dropped = before - trials.len();
    if dropped > 0 {
        tell(format!(
            "{dropped} tests were left out: they pass only on an API that other calls have changed"
        ));
    }
    Ok(cost)
}

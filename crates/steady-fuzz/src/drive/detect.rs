//! The last phase: the tests as they are, run again in every way that may change their answers.

use std::cell::{Cell, RefCell};

use steady_flaky::Step;
use steady_flaky::drive::{
    Cost, Limit, RunContext, StabilizeError, SutAccess, detect as run_detection, prove,
};
use steady_flaky::relax::{ObservedTest, Policy};
use steady_http::Client;
use steady_model::{Base, Substitution};
use steady_suite::Sessions;

use super::documented::Documented;
use super::options::FuzzOptions;
use crate::ApiModel;

/// Lets the tests see more, and drops those that do not stand on their own.
#[expect(clippy::too_many_arguments, reason = "each is a thing of its own, and there is one caller")]
pub async fn detect(
    tests: &mut Vec<ObservedTest>,
    client: Client,
    sessions: Sessions,
    options: &FuzzOptions,
    limit: Limit,
    access: &mut SutAccess<'_>,
    model: &ApiModel,
    mut warn: impl FnMut(String),
) -> Result<Cost, StabilizeError> {
    let mut identities = options.identities.clone();
    let own = Substitution::of_base(&Base::at(&options.url.to_string()));
    identities.iter_mut().for_each(|identity| own.identity(identity));
    let context = RunContext {
        client: RefCell::new(client),
        options: options.client.clone(),
        identities,
        sessions: RefCell::new(sessions),
        environment: &options.secrets,
        rate: options.rate,
        seed: options.shard_seed(),
        limit,
        revivals: Cell::new(0),
    };
    let mut cost = Box::pin(run_detection(tests, &context, access, &options.plan, &mut warn)).await?;
    if options.flaky == Policy::Keep {
        return Ok(cost);
    }
    // After a restart some tests miss what the search had created.
    let before = tests.len();
    tests.retain(|observed| observed.is_grounded(Step::Restart) && observed.is_grounded(Step::Reset));
    let described = Documented(&model.catalog);
    let unproven = Box::pin(prove(tests, &context, access, options.flaky, &described, &mut cost)).await?;
    let failing = unproven.all();
    let mut index = 0;
    tests.retain(|_| {
        index += 1;
        !failing.contains(&(index - 1))
    });
    let dropped = before - tests.len();
    if dropped > 0 {
        warn(format!(
            "{dropped} tests were left out: they pass only on an API that other calls have changed"
        ));
    }
    Ok(cost)
}

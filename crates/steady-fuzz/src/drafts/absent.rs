//! Keeps a test of something that is not there true when more things are.

use serde_json::Value;

use crate::api_model::ApiModel;
use crate::plan::Plan;
use crate::random::Random;
use crate::request::Slot;
use crate::resources::LEAST_ABSENT_ID;

/// Characters of a word that nothing is called by.
const WORD: usize = 16;

/// The plan with ids in its last path that nothing has; `None` when they are like that already.
///
/// An API that counts its things reaches a small number one day, and the test then finds what it says is not there. A text may be
/// the name of a thing that was deleted.
pub fn with_absent_ids(plan: &Plan, model: &ApiModel, random: &mut Random) -> Option<Plan> {
    let mut away = plan.clone();
    let call = away.calls.last_mut()?;
    let endpoint = call.endpoint;
    for parameter in model.catalog[endpoint].path_parameters() {
        let is_bound = call.bindings.iter().any(|binding| binding.slot == Slot::Parameter(parameter));
        let Some(Some(id)) = call.arguments.parameters.get_mut(parameter) else { continue };
        let far = match id {
            Value::Number(number) if number.as_u64().is_some_and(|id| id < LEAST_ABSENT_ID) => {
                Value::from(random.between(LEAST_ABSENT_ID as i64, i64::from(i32::MAX)))
            }
            Value::String(_) => Value::from(random.word(WORD)),
            _ => continue,
        };
        let check = model.catalog.parameter_check(endpoint, parameter);
        if !is_bound && check.is_none_or(|check| check.is_valid(&far)) {
            *id = far;
        }
    }
    (&away != plan).then_some(away)
}

//! What a search leaves in the API: things it made, texts it wrote, things it deleted.
//!
//! A test that rests on such a trace holds only where the search has been; after a restart of the API it fails. The search cannot
//! restart an external API to find that out, so it keeps a record of what it changed and looks for it in the tests.

mod deleted;
mod half_life;
mod made;
mod written;

use serde_json::Value;
use steady_model::{Call, OperationId};
use steady_openapi::Location;

use self::deleted::Deleted;
use self::made::Made;
use self::written::Written;
use crate::api_model::ApiModel;
use crate::dictionary::Dictionary;
use crate::execution::{Executed, Execution};
use crate::plan::{Plan, PlannedCall, Supply};
use crate::request::Slot;

/// Whether an answer may mean that something is not there, in the ways that APIs say so.
pub fn says_absent(executed: &Executed) -> bool {
    matches!(executed.status(), Some(400 | 404 | 410))
}

/// The traces of one search.
#[derive(Debug, Default)]
pub struct Traces {
    made: Made,
    written: Written,
    deleted: Deleted,
}

impl Traces {
    /// Takes in what a call that worked has changed. `shown` is what the API had shown before.
    pub fn learn(&mut self, operation: &OperationId, executed: &Executed, shown: &Dictionary) {
        if operation.method.is_safe() {
            return;
        }
        self.made.learn(operation, executed);
        self.written.learn(executed, shown);
        self.deleted.learn(executed);
    }

    /// Whether a plan names something that the search made, and that the plan does not make itself.
    pub fn are_named_in(&self, plan: &Plan, model: &ApiModel) -> bool {
        plan.calls.iter().enumerate().any(|(index, call)| {
            self.made.is_named_by(call, model) || self.names_a_text(call, &plan.calls[..index], model)
        })
    }

    /// Whether a run of a plan asked for something that the search deleted.
    pub fn are_missed_in(&self, execution: &Execution) -> bool {
        self.deleted.is_missed_in(&execution.calls)
    }

    /// Whether a text is one that the search wrote somewhere, and none that these calls send themselves.
    pub fn is_written_elsewhere(&self, text: &str, own: &[Call]) -> bool {
        self.written.has(text) && !own.iter().any(|call| written::sends(call, text))
    }

    /// Whether a path or a query asks for a text that the search wrote: a user by the name it was given.
    fn names_a_text(&self, call: &PlannedCall, before: &[PlannedCall], model: &ApiModel) -> bool {
        let parameters = model.catalog[call.endpoint].operation.parameters.iter().enumerate();
        let asked = parameters
            .filter(|(_, spec)| matches!(spec.location, Location::Path | Location::Query))
            .filter_map(|(index, _)| {
                let argument = call.arguments.parameters.get(index).and_then(Option::as_ref);
                literal(call, &Slot::Parameter(index), argument)?.as_str()
            });
        let is_own = |text: &str| before.iter().any(|call| holds(call, text));
        asked.into_iter().any(|text| self.written.has(text) && !is_own(text))
    }
}

/// The value of a slot as far as it stands in the plan: what another call gives does not.
fn literal<'a>(call: &'a PlannedCall, slot: &Slot, argument: Option<&'a Value>) -> Option<&'a Value> {
    match call.bindings.iter().find(|binding| binding.slot == *slot).map(|binding| &binding.supply) {
        None => argument,
        Some(Supply::Literal(value)) => Some(value),
        Some(Supply::Find { .. } | Supply::At { .. } | Supply::Fresh(_)) => None,
    }
}

/// Whether the body of a planned call holds a text.
fn holds(call: &PlannedCall, text: &str) -> bool {
    fn within(value: &Value, text: &str) -> bool {
        match value {
            Value::String(own) => own == text,
            Value::Array(items) => items.iter().any(|item| within(item, text)),
            Value::Object(members) => members.values().any(|member| within(member, text)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    call.arguments.body.as_ref().is_some_and(|body| within(&body.value, text))
}

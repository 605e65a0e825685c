//! Things that the run made, known by the ids they go under.

use serde_json::Value;
use steady_model::{Document, Method, OperationId};
use steady_openapi::{Location, Operation};

use super::half_life::HalfLife;
use super::literal;
use crate::api_model::ApiModel;
use crate::execution::Executed;
use crate::extract::WRAPPERS;
use crate::names::Name;
use crate::plan::PlannedCall;
use crate::request::{Slot, scalar};
use crate::resources::{collection_before, collection_noun, own_id, own_nouns};
use crate::sample::references;
use crate::values::escape;

/// Ids in one half of the memory.
const MOST: usize = 25_000;
/// Larger answers are not looked into.
const MOST_BODY: usize = 64 * 1024;
/// Objects around the one that was created, in its answer.
const MAX_DEPTH: usize = 3;

/// The things made by the run: what each is, and its id.
#[derive(Debug)]
pub struct Made(HalfLife<(String, String)>);

impl Default for Made {
    fn default() -> Self {
        Self(HalfLife::new(MOST))
    }
}

impl Made {
    /// Takes in what a call that worked has created.
    pub fn learn(&mut self, operation: &OperationId, executed: &Executed) {
        let Ok(response) = &executed.outcome else { return };
        let path = operation.path.as_str();
        let nouns = match operation.method {
            Method::Post => own_nouns(path),
            // Of `PUT /buckets/{id}` the id itself is the client's, and in the answer.
            Method::Put if response.status == 201 => {
                own_nouns(path.rsplit_once('/').map_or(path, |(collection, _)| collection))
            }
            _ => return,
        };
        let location = response.header("location").map(|text| text.trim_end_matches('/'));
        if let Some(id) = location.and_then(|text| text.rsplit('/').next()).filter(|id| !id.is_empty()) {
            self.keep(&nouns, id);
        }
        if response.body.as_bytes().len() > MOST_BODY {
            return;
        }
        match executed.document() {
            Document::Json(value @ (Value::String(_) | Value::Number(_))) => {
                self.keep(&nouns, &scalar(value));
            }
            Document::Json(value) => self.visit(&nouns, value, 0),
            Document::Empty | Document::OpaqueJson(_) | Document::Text(_) | Document::Bytes(_) => {}
        }
    }

    fn visit(&mut self, nouns: &[String], value: &Value, depth: usize) {
        let Value::Object(fields) = value else { return };
        for (name, value) in fields {
            let name = Name::new(name);
            let is_wrapper =
                name.noun().is_some_and(|noun| WRAPPERS.contains(&noun.as_str()) || nouns.contains(&noun));
            let is_id = name.is_bare_identifier()
                || name.referent().is_some_and(|referent| nouns.contains(&referent));
            match value {
                Value::Object(_) if is_wrapper && depth < MAX_DEPTH => self.visit(nouns, value, depth + 1),
                Value::String(_) | Value::Number(_) if is_id => self.keep(nouns, &scalar(value)),
                _ => {}
            }
        }
    }

    fn keep(&mut self, nouns: &[String], id: &str) {
        nouns.iter().for_each(|noun| self.0.insert((noun.clone(), id.to_owned())));
    }

    fn has(&self, noun: Option<String>, value: Option<&Value>) -> bool {
        noun.zip(value.map(scalar)).is_some_and(|made| self.0.contains(&made))
    }

    /// Whether a call names one of them by an id that stands in the plan.
    pub fn is_named_by(&self, call: &PlannedCall, model: &ApiModel) -> bool {
        let operation = &model.catalog[call.endpoint].operation;
        let by_parameter = operation.parameters.iter().enumerate().any(|(index, spec)| {
            let argument = call.arguments.parameters.get(index).and_then(Option::as_ref);
            let value = literal(call, &Slot::Parameter(index), argument);
            let above = (spec.location == Location::Path)
                .then(|| collection_noun(&collection_before(&operation.id.path, &spec.name)))
                .flatten();
            self.has(Name::new(&spec.name).referent(), value) || self.has(above, value)
        });
        by_parameter || self.is_named_in_body(call, operation)
    }

    fn is_named_in_body(&self, call: &PlannedCall, operation: &Operation) -> bool {
        let Some(body) = &call.arguments.body else { return false };
        let creates = operation.id.method == Method::Post;
        let own = creates.then(|| own_id(&operation.id.path, &body.value)).flatten();
        let own = own.map(|name| format!("/{}", escape(&name)));
        references(&body.value).into_iter().filter(|(pointer, _)| Some(pointer) != own.as_ref()).any(
            |(pointer, name)| {
                let value = literal(call, &Slot::Body(pointer.clone()), body.value.pointer(&pointer));
                self.has(Name::new(&name).referent(), value)
            },
        )
    }
}

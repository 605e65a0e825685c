//! A plan while it runs: values move from responses into later requests, and a test takes shape.

use std::cell::OnceCell;

use steady_model::{Call, Capture, Document, Place, Request, Response, Take};
use steady_suite::{BindError, Environment, Variables, bind, capture};

use crate::api_model::ApiModel;
use crate::extract;
use crate::names::Name;
use crate::plan::{Intent, Plan, Supply};
use crate::random::Random;
use crate::request::{Slot, render};

/// A plan and what became of it so far.
#[derive(Debug)]
pub struct Execution {
    /// The plan; sources found on the way are written back into it.
    pub plan: Plan,
    /// The calls made, in order.
    pub calls: Vec<Executed>,
    /// Values of the test's variables.
    pub variables: Variables,
    prepared: Option<(Call, Request)>,
    stopped: bool,
}

/// A call that was made.
#[derive(Debug)]
pub struct Executed {
    /// The call as a test would hold it; assertions are added later.
    pub call: Call,
    /// What was sent, without credentials.
    pub request: Request,
    /// What came back, or why nothing did.
    pub outcome: Result<Response, String>,
    document: OnceCell<Document>,
}

impl Executed {
    /// The response's body; parsed when first asked for, since most answers are never looked into.
    pub fn document(&self) -> &Document {
        self.document.get_or_init(|| self.outcome.as_ref().map_or(Document::Empty, Response::document))
    }

    /// The status, if there was an answer.
    pub fn status(&self) -> Option<u16> {
        self.outcome.as_ref().ok().map(|response| response.status)
    }

    /// Whether the answer was a 2xx.
    pub fn succeeded(&self) -> bool {
        self.status().is_some_and(|status| (200..300).contains(&status))
    }
}

impl Execution {
    /// Starts a plan; fresh values are drawn here.
    pub fn new(plan: Plan, random: &mut Random) -> Self {
        let variables = plan
            .fresh
            .iter()
            .map(|fresh| {
                (
                    fresh.name.clone(),
                    format!("{}{}{}", fresh.prefix, random.word(fresh.length), fresh.suffix).into(),
                )
            })
            .collect();
        Self { plan, calls: Vec::new(), variables, prepared: None, stopped: false }
    }

    /// The next request and who makes it; `None` when the plan is done or cannot go on.
    pub fn next(
        &mut self,
        model: &ApiModel,
        environment: &dyn Environment,
    ) -> Option<(&Request, Option<usize>)> {
        let step = self.calls.len();
        if self.stopped || step >= self.plan.calls.len() {
            return None;
        }
        let mut names: Vec<(Slot, String)> = Vec::new();
        for index in 0..self.plan.calls[step].bindings.len() {
            let binding = self.plan.calls[step].bindings[index].clone();
            match &binding.supply {
                Supply::Literal(value) => self.set_literal(step, &binding.slot, value.clone()),
                Supply::Fresh(fresh) => names.push((binding.slot, self.plan.fresh[*fresh].name.clone())),
                Supply::Find { call, name, noun } => {
                    let (place, take) = self.locate(*call, name, noun.as_deref())?;
                    let supply = Supply::At { call: *call, place, take, name: name.clone() };
                    self.plan.calls[step].bindings[index].supply = supply.clone();
                    names.push((binding.slot, self.captured(&supply)?));
                }
                supply @ Supply::At { .. } => names.push((binding.slot, self.captured(supply)?)),
            }
        }
        let planned = &self.plan.calls[step];
        let endpoint = &model.catalog[planned.endpoint];
        let variable =
            |slot: &Slot| names.iter().find(|(bound, _)| bound == slot).map(|(_, name)| name.as_str());
        let base_path = endpoint.operation.base_path.as_ref().unwrap_or(&model.catalog.base_path);
        let template = render(endpoint, base_path, &planned.arguments, &variable);
        let request = match bind(&template, &self.variables, environment) {
            Ok(request) => request,
            Err(
                BindError::UnboundVariable { .. }
                | BindError::UnsetEnvironment { .. }
                | BindError::NoSuchPlace { .. }
                | BindError::UnknownBase,
            ) => {
                return None;
            }
        };
        if !model.guard.allows(planned.endpoint, &request) {
            return None;
        }
        let call = Call {
            operation: endpoint.operation.id.clone(),
            identity: planned.identity.and_then(|identity| model.identities.get(identity).cloned()),
            request: template,
            captures: Vec::new(),
            expect: Vec::new(),
        };
        let identity = planned.identity;
        let (_, request) = self.prepared.insert((call, request));
        Some((request, identity))
    }

    /// Takes in the answer to the request given last.
    pub fn answer(&mut self, outcome: Result<Response, String>) {
        let Some((call, request)) = self.prepared.take() else { return };
        let executed = Executed { call, request, outcome, document: OnceCell::new() };
        let preparing = self.plan.calls[self.calls.len()].intent == Intent::Prepare;
        self.stopped = executed.outcome.is_err() || (preparing && !executed.succeeded());
        self.calls.push(executed);
    }

    /// Whether every call of the plan was answered.
    pub fn is_complete(&self) -> bool {
        self.calls.len() == self.plan.calls.len() && self.calls.iter().all(|call| call.outcome.is_ok())
    }

    fn locate(&self, call: usize, name: &Name, noun: Option<&str>) -> Option<(Place, Take)> {
        let source = self.calls.get(call)?;
        extract::find(source.outcome.as_ref().ok()?, source.document(), name, noun)
    }

    /// The variable holding what is at a place of an earlier response; captured there if it is not yet.
    fn captured(&mut self, supply: &Supply) -> Option<String> {
        let Supply::At { call, place, take, name } = supply else { return None };
        let known = self
            .calls
            .get(*call)?
            .call
            .captures
            .iter()
            .find(|known| &known.from == place && &known.take == take);
        if let Some(known) = known {
            return Some(known.name.clone());
        }
        let wanted = Capture { name: self.unused_name(name), from: place.clone(), take: *take };
        let value = capture(&wanted, self.calls.get(*call)?.outcome.as_ref().ok()?)?;
        if value.is_null() || value.is_object() || value.is_array() {
            return None;
        }
        self.variables.set(wanted.name.clone(), value);
        let name = wanted.name.clone();
        self.calls.get_mut(*call)?.call.captures.push(wanted);
        Some(name)
    }

    fn unused_name(&self, name: &Name) -> String {
        let stem = Some(name.snake()).filter(|stem| !stem.is_empty()).unwrap_or_else(|| "value".to_owned());
        let mut candidate = stem.clone();
        let mut number = 2;
        while self.variables.get(&candidate).is_some() {
            candidate = format!("{stem}_{number}");
            number += 1;
        }
        candidate
    }

    fn set_literal(&mut self, step: usize, slot: &Slot, value: serde_json::Value) {
        let arguments = &mut self.plan.calls[step].arguments;
        match slot {
            Slot::Parameter(index) => {
                if let Some(parameter) = arguments.parameters.get_mut(*index) {
                    *parameter = Some(value);
                }
            }
            Slot::Body(pointer) => {
                if let Some(place) = arguments.body.as_mut().and_then(|body| body.value.pointer_mut(pointer))
                {
                    *place = value;
                }
            }
        }
    }
}

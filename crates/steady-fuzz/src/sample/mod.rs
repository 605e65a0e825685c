//! Decides what to try next.
//!
//! A [`Sampler`] picks an endpoint by how much it promises, a scenario for it, and lets a [`Chain`] put the calls in
//! front that bring forth what it needs.

mod arguments;
mod chain;
mod oddities;
mod scenario;
mod shares;

use crate::api_model::ApiModel;
use crate::archive::Archive;
use crate::dictionary::Dictionary;
use crate::endpoint_id::{EndpointId, PerEndpoint};
use crate::endpoint_stats::EndpointStats;
use crate::fault_hints::FaultHints;
use crate::plan::{Intent, Plan, PlannedCall};
use crate::random::Random;
use crate::request::{Arguments, Slot};
use crate::values::{Flavour, Generator};

pub(crate) use chain::{Chain, references};

/// All a sampling decision may look at.
#[derive(Debug)]
pub struct Sampler<'a> {
    /// The API.
    pub model: &'a ApiModel,
    /// What was reached.
    pub archive: &'a Archive,
    /// Values seen.
    pub dictionary: &'a Dictionary,
    /// Each endpoint's past.
    pub stats: &'a PerEndpoint<EndpointStats>,
    /// Alterations that showed a fault elsewhere.
    pub fault_hints: &'a FaultHints,
    /// Where decisions come from.
    pub random: &'a mut Random,
}

impl Sampler<'_> {
    /// The next plan to try; `None` when no endpoint may be called.
    pub fn plan(&mut self) -> Option<Plan> {
        let target = self.target()?;
        Some(scenario::compose(self, target))
    }

    /// The plan with other texts in its bodies; what a call breaks on purpose stays broken, and equal calls stay equal.
    pub fn reroll(&mut self, plan: &Plan) -> Option<Plan> {
        let mut other = plan.clone();
        for index in 0..other.calls.len() {
            let before = plan.calls.iter().take(index).position(|call| {
                call.endpoint == plan.calls[index].endpoint && call.arguments == plan.calls[index].arguments
            });
            other.calls[index].arguments = match before {
                Some(before) => other.calls[before].arguments.clone(),
                None => self.varied(&plan.calls[index]),
            };
        }
        (&other != plan).then_some(other)
    }

    /// The plan's last call with everything that it refers to made by the plan itself; `None` when it cannot be.
    pub fn with_own_things(&mut self, plan: &Plan) -> Option<Plan> {
        let last = plan.calls.last()?;
        let catalog = &self.model.catalog;
        let parameters = (0..catalog[last.endpoint].operation.parameters.len()).map(Slot::Parameter);
        let body = last.arguments.body.iter().flat_map(|body| references(&body.value));
        let forced: Vec<Slot> = parameters.chain(body.map(|(pointer, _)| Slot::Body(pointer))).collect();
        let mut chain = Chain::new(self, last.identity, true);
        chain.call_with(last.endpoint, last.arguments.clone(), &forced, last.intent.clone());
        let own = chain.finish();
        let made = |call: &PlannedCall| !catalog[call.endpoint].operation.id.method.is_safe();
        let mut sources =
            own.calls.iter().flat_map(|call| &call.bindings).filter_map(|one| one.supply.source());
        sources.all(|source| made(&own.calls[source])).then_some(own)
    }

    fn varied(&mut self, call: &PlannedCall) -> Arguments {
        let mut arguments = call.arguments.clone();
        self.vary(call.endpoint, &mut arguments);
        if let (Intent::Invalid { parameter: None, violation }, Some(varied), Some(original)) =
            (&call.intent, &mut arguments.body, &call.arguments.body)
            && let (Some(place), Some(broken)) =
                (varied.value.pointer_mut(&violation.pointer), original.value.pointer(&violation.pointer))
        {
            *place = broken.clone();
        }
        arguments
    }

    /// An endpoint, by interest.
    fn target(&mut self) -> Option<EndpointId> {
        let focus = &self.model.focus;
        let anywhere = focus.elsewhere().is_none_or(|share| self.random.chance(share));
        let weights: Vec<(EndpointId, f64)> = self
            .model
            .open_endpoints()
            .filter(|endpoint| anywhere || focus.includes(*endpoint))
            .map(|endpoint| (endpoint, self.stats[endpoint].interest()))
            .collect();
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let mut ticket = self.random.fraction() * total;
        for (endpoint, weight) in &weights {
            ticket -= weight;
            if ticket <= 0.0 {
                return Some(*endpoint);
            }
        }
        weights.last().map(|(endpoint, _)| *endpoint)
    }

    fn flavour(&mut self) -> Flavour {
        match self.random.index(10) {
            0..=2 => Flavour::Plain,
            3..=4 => Flavour::Full,
            5..=7 => Flavour::Mixed,
            _ => Flavour::Edge,
        }
    }

    /// One of the methods the document does not describe, tried on its path; `None` when all paths have all methods.
    pub fn probe(&mut self) -> Option<Plan> {
        let guard = &self.model.guard;
        let open: Vec<EndpointId> =
            self.model.catalog.probes().filter(|probe| guard.closed(*probe).is_none()).collect();
        let probe = *self.random.pick(&open)?;
        let identity = (!self.model.identities.is_empty()).then_some(0);
        let mut chain = Chain::new(self, identity, true);
        chain.call(probe, Flavour::Plain, Intent::Explore);
        Some(chain.finish())
    }

    fn generator(&mut self, flavour: Flavour) -> Generator<'_> {
        Generator {
            shapes: &self.model.catalog.shapes,
            dictionary: self.dictionary,
            random: self.random,
            flavour,
        }
    }
}

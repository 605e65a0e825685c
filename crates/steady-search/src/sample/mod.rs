//! Decides what to try next.
//!
//! A [`Sampler`] picks an endpoint by how much it promises, a scenario for it, and lets a [`Chain`] put the calls in
//! front that bring forth what it needs.

mod arguments;
mod chain;
mod scenario;

use crate::archive::Archive;
use crate::dictionary::Dictionary;
use crate::memory::Track;
use crate::plan::{Intent, Plan};
use crate::random::Random;
use crate::request::Slot;
use crate::terrain::Terrain;
use crate::values::{Flavour, Generator};

pub(crate) use chain::Chain;

/// All a sampling decision may look at.
#[derive(Debug)]
pub struct Sampler<'a> {
    /// The API.
    pub terrain: &'a Terrain,
    /// What was reached.
    pub archive: &'a Archive,
    /// Values seen.
    pub dictionary: &'a Dictionary,
    /// Each endpoint's past.
    pub tracks: &'a [Track],
    /// Where decisions come from.
    pub random: &'a mut Random,
}

impl Sampler<'_> {
    /// The next plan to try; `None` when no endpoint may be called.
    pub fn plan(&mut self) -> Option<Plan> {
        let target = self.target()?;
        Some(scenario::compose(self, target))
    }

    /// The plan with other bodies for the calls that prepare the ground.
    pub fn reroll(&mut self, plan: &Plan) -> Option<Plan> {
        let mut other = plan.clone();
        let mut changed = false;
        for call in other
            .calls
            .iter_mut()
            .filter(|call| call.intent == Intent::Prepare && call.arguments.body.is_some())
        {
            if self.random.chance(0.5) {
                self.vary(call.endpoint, &mut call.arguments);
            } else {
                call.arguments.body = self.draw(call.endpoint, Flavour::Novel).body;
            }
            let body = call.arguments.body.as_ref();
            call.bindings.retain(|binding| match &binding.slot {
                Slot::Parameter(_) => true,
                Slot::Body(pointer) => body.is_some_and(|body| body.value.pointer(pointer).is_some()),
            });
            changed = true;
        }
        changed.then_some(other)
    }

    /// An endpoint, by interest.
    fn target(&mut self) -> Option<usize> {
        let weights: Vec<(usize, f64)> = self
            .terrain
            .open_endpoints()
            .map(|endpoint| (endpoint, self.tracks[endpoint].interest()))
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

    fn generator(&mut self, flavour: Flavour) -> Generator<'_> {
        Generator {
            shapes: &self.terrain.catalog.shapes,
            dictionary: self.dictionary,
            random: self.random,
            flavour,
        }
    }
}

//! A test before it is run: which operations, with which values, and where values come from.

use serde_json::Value;
use steady_model::{Fresh, Place, Take};

use crate::endpoint_id::EndpointId;
use crate::names::Name;
use crate::request::{Arguments, Slot};
use crate::values::Alteration;

/// A sequence of calls to try.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// The calls, in order.
    pub calls: Vec<PlannedCall>,
    /// Values that are new in every run.
    pub fresh: Vec<Fresh>,
}

/// One call of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCall {
    /// Which endpoint of the catalogue.
    pub endpoint: EndpointId,
    /// Which identity calls; none when `None`.
    pub identity: Option<usize>,
    /// The values chosen.
    pub arguments: Arguments,
    /// Slots whose value is only known when the test runs.
    pub bindings: Vec<Binding>,
    /// What the call is for.
    pub intent: Intent,
    /// Path parameters with a made-up value: whatever they find, the test did not create.
    pub borrowed: usize,
}

/// What a call is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Creates what later calls need; when it fails, the rest is pointless.
    Prepare,
    /// Should succeed, as far as the document says.
    Explore,
    /// Breaks a promise of the document on purpose.
    Invalid {
        /// The parameter concerned; the body when `None`.
        parameter: Option<usize>,
        /// What is broken.
        violation: Alteration,
    },
    /// Puts one value at the edge of what the document allows.
    Edge {
        /// The parameter concerned; the body when `None`.
        parameter: Option<usize>,
        /// Which edge.
        edge: Alteration,
    },
    /// Puts in one place what code tends to trip over, allowed or not.
    Odd {
        /// The parameter concerned; the body when `None`.
        parameter: Option<usize>,
        /// What is odd.
        oddity: Alteration,
    },
    /// Repeats the edge call before it with the value that worked before; or repeats that.
    Control,
    /// Calls without a credential, or with a made-up one, where the document demands one.
    Unauthenticated {
        /// Which of the two.
        credential: Alteration,
    },
    /// Looks at what is left after a DELETE.
    AfterDelete,
    /// Repeats the PUT before it.
    Repeat,
}

impl Intent {
    /// The one thing that is different on purpose, and the parameter concerned.
    pub fn altered(&self) -> Option<(Option<usize>, &Alteration)> {
        match self {
            Self::Invalid { parameter, violation: alteration }
            | Self::Edge { parameter, edge: alteration }
            | Self::Odd { parameter, oddity: alteration } => Some((*parameter, alteration)),
            Self::Unauthenticated { credential } => Some((None, credential)),
            Self::Prepare | Self::Explore | Self::Control | Self::AfterDelete | Self::Repeat => None,
        }
    }

    /// Whether the call is one to learn from when it succeeds, because nothing is wrong with it.
    pub fn is_proper(&self) -> bool {
        !matches!(self, Self::Invalid { .. } | Self::Odd { .. } | Self::Unauthenticated { .. })
    }
}

/// A slot filled from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The slot.
    pub slot: Slot,
    /// Where its value comes from.
    pub supply: Supply,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Supply {
    /// Somewhere in the response of an earlier call, to be found by name.
    Find {
        /// The earlier call.
        call: usize,
        /// The name looked for.
        name: Name,
        /// What the response is about.
        noun: Option<String>,
    },
    /// At a known place in the response of an earlier call.
    At {
        /// The earlier call.
        call: usize,
        /// The place.
        place: Place,
        /// How much of it.
        take: Take,
        /// The name the variable gets.
        name: Name,
    },
    /// The plan's fresh value of this index.
    Fresh(usize),
    /// A value chosen once for several calls.
    Literal(Value),
}

impl Supply {
    /// The earlier call the value comes from.
    pub fn source(&self) -> Option<usize> {
        match self {
            Self::Find { call, .. } | Self::At { call, .. } => Some(*call),
            Self::Fresh(_) | Self::Literal(_) => None,
        }
    }
}

impl Plan {
    /// How many control calls stand in a row up to and including a call.
    pub fn controls(&self, last: usize) -> usize {
        self.calls[..=last].iter().rev().take_while(|call| call.intent == Intent::Control).count()
    }

    /// The plan up to and including a call.
    pub fn prefix(&self, last: usize) -> Self {
        Self { calls: self.calls[..=last].to_vec(), fresh: self.fresh.clone() }
    }

    /// The plan without a call, unless a later one needs its response.
    pub fn without(&self, removed: usize) -> Option<Self> {
        let needed = self
            .calls
            .iter()
            .flat_map(|call| &call.bindings)
            .any(|binding| binding.supply.source() == Some(removed));
        if needed || self.calls.len() < 2 {
            return None;
        }
        let mut shorter = self.clone();
        shorter.calls.remove(removed);
        for binding in shorter.calls.iter_mut().flat_map(|call| &mut call.bindings) {
            if let Supply::Find { call, .. } | Supply::At { call, .. } = &mut binding.supply
                && *call > removed
            {
                *call -= 1;
            }
        }
        Some(shorter)
    }
}

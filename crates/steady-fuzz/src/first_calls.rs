//! The beginning of a search: every operation once, before any is called often.

use std::collections::VecDeque;

use indexmap::IndexSet;
use steady_model::Method;

use crate::api_model::ApiModel;
use crate::endpoint_id::{EndpointId, PerEndpoint};
use crate::endpoint_stats::EndpointStats;
use crate::values::Flavour;

/// Calls of one endpoint that are enough while others have had none.
const BUSY: u64 = 12;

/// The plans a search begins with.
#[derive(Debug)]
pub struct FirstCalls {
    queue: VecDeque<FirstCall>,
    /// Endpoints whose needs could not be met.
    missed: IndexSet<EndpointId>,
}

/// An endpoint to call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstCall {
    /// Which one.
    pub endpoint: EndpointId,
    /// With which values.
    pub flavour: Flavour,
    /// Whether the calls come first that bring forth what it needs.
    pub prepares: bool,
    /// Whether it is there to have the endpoint called at all.
    first: bool,
}

impl FirstCalls {
    /// Every endpoint twice, creators before readers before deleters, shallow paths first; then the probes. Endpoints that others
    /// care for come last, once, and their probes not at all.
    pub fn new(model: &ApiModel) -> Self {
        let mut endpoints: Vec<EndpointId> = model.open_endpoints().collect();
        endpoints.sort_by_key(|endpoint| {
            let id = &model.catalog[*endpoint].operation.id;
            let turn = match id.method {
                Method::Post => 0,
                Method::Put => 1,
                Method::Get | Method::Head | Method::Options | Method::Trace => 2,
                Method::Patch => 3,
                Method::Delete => 4,
            };
            (turn, id.path.matches('/').count())
        });
        let (ours, others): (Vec<EndpointId>, Vec<EndpointId>) =
            endpoints.into_iter().partition(|endpoint| model.focus.includes(*endpoint));
        let probes = model
            .catalog
            .probes()
            .filter(|probe| model.focus.includes(*probe) && model.guard.closed(*probe).is_none());
        let call = |endpoint, flavour, first| FirstCall { endpoint, flavour, prepares: true, first };
        let once = ours.iter().map(|endpoint| call(*endpoint, Flavour::Plain, true));
        let again = ours.iter().map(|endpoint| call(*endpoint, Flavour::Full, false));
        let rest = probes.chain(others).map(|endpoint| call(endpoint, Flavour::Plain, false));
        Self { queue: once.chain(again).chain(rest).collect(), missed: IndexSet::new() }
    }

    /// The next endpoint; none when every one had its first call. What succeeded for the sake of another endpoint need not be called for its own.
    pub fn next(&mut self, stats: &PerEndpoint<EndpointStats>) -> Option<FirstCall> {
        let mut call = self.queue.pop_front()?;
        while call.first && stats[call.endpoint].successes > 0 {
            call = self.queue.pop_front()?;
        }
        call.prepares &= !call.first || stats.iter().all(|(_, stats)| stats.attempts < BUSY);
        Some(call)
    }

    /// An endpoint was not called, because what it needs could not be had: it is called next, with made-up values.
    pub fn missed(&mut self, endpoint: EndpointId) {
        if self.missed.insert(endpoint) {
            self.queue.push_front(FirstCall {
                endpoint,
                flavour: Flavour::Plain,
                prepares: false,
                first: true,
            });
        }
    }
}

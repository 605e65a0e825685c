//! Which operations a search is mostly about.

use steady_model::OperationId;

use crate::api_model::ApiModel;
use crate::endpoint_id::{EndpointId, PerEndpoint};

/// How often a focused search looks at any operation at all.
const ELSEWHERE: f64 = 0.1;

/// The operations a search is mostly about. The others are still called: to bring forth what these need, and now and then
/// for their own sake.
#[derive(Debug, Clone, Default)]
pub struct Focus {
    /// `None` when all matter alike.
    chosen: Option<PerEndpoint<bool>>,
}

impl Focus {
    /// The operations that `choose` picks; all of them where it picks none that may be called.
    pub fn new(model: &ApiModel, choose: impl Fn(&OperationId) -> bool) -> Self {
        let chosen = model.catalog.endpoints().map(|_, endpoint| choose(&endpoint.operation.id));
        let some = model.open_endpoints().any(|endpoint| chosen[endpoint]);
        Self { chosen: some.then_some(chosen) }
    }

    /// How often all operations are looked at; never has to be decided where all matter alike.
    pub fn elsewhere(&self) -> Option<f64> {
        self.chosen.as_ref().map(|_| ELSEWHERE)
    }

    /// Whether the search is about this endpoint.
    pub fn includes(&self, endpoint: EndpointId) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen[endpoint])
    }
}

//! Which operations a search is mostly about.

use steady_model::OperationId;

use crate::api_model::ApiModel;

/// How often a focused search looks at any operation at all.
const ELSEWHERE: f64 = 0.1;

/// The operations a search is mostly about. The others are still called: to bring forth what these need, and now and then
/// for their own sake.
#[derive(Debug, Clone, Default)]
pub struct Focus {
    /// Per endpoint; empty when all matter alike.
    chosen: Vec<bool>,
}

impl Focus {
    /// The operations that `choose` picks; all of them where it picks none that may be called.
    pub fn new(model: &ApiModel, choose: impl Fn(&OperationId) -> bool) -> Self {
        let chosen: Vec<bool> =
            model.catalog.endpoints.iter().map(|endpoint| choose(&endpoint.operation.id)).collect();
        let some = model.open_endpoints().any(|endpoint| chosen[endpoint]);
        Self { chosen: if some { chosen } else { Vec::new() } }
    }

    /// How often all operations are looked at; never has to be decided where all matter alike.
    pub fn elsewhere(&self) -> Option<f64> {
        (!self.chosen.is_empty()).then_some(ELSEWHERE)
    }

    /// Whether the search is about this endpoint.
    pub fn includes(&self, endpoint: usize) -> bool {
        self.chosen.get(endpoint).copied().unwrap_or(true)
    }
}

//! Which alterations showed a fault somewhere: what one operation got wrong is tried on the others first.

use indexmap::IndexSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::api_model::ApiModel;
use crate::endpoint_id::EndpointId;
use crate::endpoint_stats::EndpointStats;
use crate::values::Alteration;

/// Alterations remembered in all.
const MAX_HINTS: usize = 2_000;

/// Alterations that once showed a fault, by the name of what was altered.
#[derive(Debug, Default)]
pub struct FaultHints(IndexSet<u64>);

impl FaultHints {
    /// Remembers an alteration that showed a fault.
    pub fn remember(
        &mut self,
        model: &ApiModel,
        endpoint: EndpointId,
        parameter: Option<usize>,
        alteration: &Alteration,
    ) {
        if self.0.len() < MAX_HINTS {
            self.0.insert(key(model, endpoint, parameter, alteration));
        }
    }

    /// How often an alteration was tried on an endpoint, as far as the choice of the next one goes: what was never tried here
    /// and showed a fault elsewhere comes first.
    pub fn times_tried(
        &self,
        model: &ApiModel,
        endpoint: EndpointId,
        parameter: Option<usize>,
        alteration: &Alteration,
        stats: &EndpointStats,
    ) -> u32 {
        match stats.times_altered(parameter, alteration) {
            0 if self.0.contains(&key(model, endpoint, parameter, alteration)) => 0,
            times => times + 1,
        }
    }
}

/// What an alteration has in common with the same one elsewhere: the name of the place, and what is different.
fn key(model: &ApiModel, endpoint: EndpointId, parameter: Option<usize>, alteration: &Alteration) -> u64 {
    let parameters = &model.catalog[endpoint].operation.parameters;
    let name = match parameter.and_then(|index| parameters.get(index)) {
        Some(spec) => spec.name.as_str(),
        None => alteration.pointer.rsplit('/').next().unwrap_or_default(),
    };
    xxh3_64(format!("{} {name} {}", parameter.is_some(), alteration.what).as_bytes())
}

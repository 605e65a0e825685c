//! What varies with what others left, in a test that no longer looks at what others left.

use jiff::Timestamp;
use serde_json::Value;
use steady_model::{Handling, MatcherName, Place};

use super::Moving;
use crate::classify::{Evidence, Step, classify};
use crate::compare::{Kind, Variation};
use crate::infer::Context;

/// A status that was another one when the same calls were made again.
pub(super) fn status(expected: u16, other: u16, now: Timestamp) -> Moving {
    let place = Place::Status;
    let variation = Variation::new(place.clone(), Kind::Value, [expected, other].map(Value::from));
    let evidence = Evidence::of(&variation, &Context::at(&place, now)).moved(Step::Rerun);
    let cause = classify(&variation, &evidence);
    Moving {
        place,
        category: cause.category,
        evidence: cause.evidence,
        observed: variation.observed,
        handling: Handling::Kept,
        avoided: true,
        matcher: MatcherName::Equals,
    }
}

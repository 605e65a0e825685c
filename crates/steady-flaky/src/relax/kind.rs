//! The type, or that something is there at all.

use steady_model::{JsonType, Matcher, Place};

use super::site::Site;
use crate::infer::Family;

pub(super) fn form(site: &Site<'_>, _: &[Family]) -> Option<Vec<Matcher>> {
    let values = site.all()?;
    if *site.place == Place::Status {
        return Some(vec![Matcher::OneOf(distinct(&values))]);
    }
    let kinds: Vec<JsonType> = values.iter().map(|value| JsonType::of(value)).collect();
    let first = *kinds.first()?;
    let numeric = |kind: &JsonType| matches!(kind, JsonType::Integer | JsonType::Number);
    let common = match first {
        // Every header is text.
        JsonType::String if matches!(site.place, Place::Header(_)) => None,
        first if kinds.iter().all(|kind| *kind == first) => Some(first),
        _ if kinds.iter().all(numeric) => Some(JsonType::Number),
        _ => None,
    };
    Some(vec![common.map_or(Matcher::Present, Matcher::Type)])
}

fn distinct(values: &[&serde_json::Value]) -> Vec<serde_json::Value> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(*value) {
            distinct.push((*value).clone());
        }
    }
    distinct
}

//! The same items, in any order.

use serde_json::Value;
use steady_model::{JsonType, Matcher};
use steady_suite::same_items;

use super::site::Site;
use crate::infer::Family;

/// The largest list, written as JSON, that is spelt out.
const MAX_TEXT: usize = 4_000;

/// For lists: their items, their length, or that they are lists.
pub(super) fn form(site: &Site<'_>, _: &[Family]) -> Option<Vec<Matcher>> {
    let lists: Vec<&Vec<Value>> = site.all()?.into_iter().map(Value::as_array).collect::<Option<_>>()?;
    let (first, rest) = lists.split_first()?;
    if rest.iter().all(|list| same_items(first, list))
        && Value::Array(first.to_vec()).to_string().len() <= MAX_TEXT
    {
        return Some(vec![Matcher::Unordered(first.to_vec())]);
    }
    if rest.iter().all(|list| list.len() == first.len()) {
        return Some(vec![Matcher::Size(first.len())]);
    }
    Some(vec![Matcher::Type(JsonType::Array)])
}

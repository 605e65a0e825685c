//! Finds, in a response, the value that answers for a name: the id of what was just created.

use serde_json::Value;
use steady_model::{Document, Place, Response, Take};

use crate::names::Name;
use crate::values::escape;

/// How deep a body is searched.
const MAX_DEPTH: usize = 5;
/// Names of objects that say nothing of what is inside.
pub const WRAPPERS: [&str; 8] =
    ["data", "result", "item", "object", "entity", "attribute", "payload", "response"];
/// How many values are looked at.
const MAX_VISITS: usize = 300;

/// The best place to take `name` from, where `noun` is what the response is about.
pub fn find(
    response: &Response,
    document: &Document,
    name: &Name,
    noun: Option<&str>,
) -> Option<(Place, Take)> {
    let in_body = match document {
        Document::Json(value) => {
            let mut search = Search { name, best: None, visits: 0 };
            search.visit(value, "", None, noun, 0);
            search.best
        }
        Document::Empty | Document::OpaqueJson(_) | Document::Text(_) | Document::Bytes(_) => None,
    };
    // An exact name in the body beats `Location`, which beats a mere likeness.
    match (in_body, location(response)) {
        (Some((score, pointer)), None) => (score > 0).then_some((Place::Body(pointer), Take::Whole)),
        (Some((score, pointer)), Some(_)) if score >= 90 => Some((Place::Body(pointer), Take::Whole)),
        (_, Some(place)) => Some((place, Take::LastSegment)),
        (None, None) => match document {
            // Some creators answer with nothing but the id.
            Document::Json(Value::String(_) | Value::Number(_)) => {
                Some((Place::Body(String::new()), Take::Whole))
            }
            _ => None,
        },
    }
}

fn location(response: &Response) -> Option<Place> {
    let value = response.header("location")?;
    let created = (200..300).contains(&response.status);
    let names_something = value.trim_end_matches('/').rsplit('/').next().is_some_and(|last| !last.is_empty());
    (created && names_something).then(|| Place::Header("location".to_owned()))
}

struct Search<'a> {
    name: &'a Name,
    best: Option<(u32, String)>,
    visits: usize,
}

impl Search<'_> {
    fn visit(&mut self, value: &Value, pointer: &str, field: Option<&str>, noun: Option<&str>, depth: usize) {
        self.visits += 1;
        if depth > MAX_DEPTH || self.visits > MAX_VISITS {
            return;
        }
        match value {
            Value::Object(fields) => {
                for (name, inner) in fields {
                    let place = format!("{pointer}/{}", escape(name));
                    // Inside `customer: {id}` the id is the customer's, inside `data: {id}` still the response's.
                    let own = inner.is_object().then(|| Name::new(name).noun()).flatten();
                    let about = match &own {
                        Some(own) if !WRAPPERS.contains(&own.as_str()) => Some(own.as_str()),
                        _ => noun,
                    };
                    self.visit(inner, &place, Some(name), about, depth + 1);
                }
            }
            Value::Array(items) => {
                if let Some(first) = items.first() {
                    self.visit(first, &format!("{pointer}/0"), field, noun, depth + 1);
                }
            }
            Value::String(text) if text.is_empty() => {}
            Value::String(_) | Value::Number(_) => {
                let Some(field) = field else { return };
                let depth = u32::try_from(depth).unwrap_or(u32::MAX);
                let score = self.name.affinity(&Name::new(field), noun).saturating_sub(depth);
                if score > 0 && self.best.as_ref().is_none_or(|(best, _)| score > *best) {
                    self.best = Some((score, pointer.to_owned()));
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use steady_model::Payload;

    fn response(status: u16, location: Option<&str>) -> Response {
        let headers = location.map(|value| ("location".to_owned(), value.to_owned())).into_iter().collect();
        Response { status, headers, body: Payload::default(), truncated: false }
    }

    #[test]
    fn the_created_things_id_is_found() {
        let order = Some("order");
        for (name, body, pointer) in [
            ("orderId", json!({"id": 7, "customer": {"id": 3}}), "/id"),
            ("orderId", json!({"customer": {"id": 3}, "id": 7}), "/id"),
            ("order_id", json!({"data": {"id": "x"}}), "/data/id"),
            ("orderId", json!([{"id": 7}, {"id": 8}]), "/0/id"),
            ("id", json!({"items": [{"orderId": 7}]}), "/items/0/orderId"),
            ("customerId", json!({"id": 7, "customer": {"id": 3}}), "/customer/id"),
        ] {
            let found = find(&response(200, None), &Document::Json(body.clone()), &Name::new(name), order);
            assert_eq!(found, Some((Place::Body(pointer.to_owned()), Take::Whole)), "{name} in {body}");
        }
    }

    #[test]
    fn location_names_what_the_body_does_not() {
        let found =
            find(&response(201, Some("/orders/7")), &Document::Empty, &Name::new("orderId"), Some("order"));
        assert_eq!(found, Some((Place::Header("location".to_owned()), Take::LastSegment)));
    }

    #[test]
    fn nothing_is_taken_for_a_name_it_does_not_answer_for() {
        let found = find(
            &response(200, None),
            &Document::Json(json!({"total": 3})),
            &Name::new("orderId"),
            Some("order"),
        );
        assert_eq!(found, None);
    }
}

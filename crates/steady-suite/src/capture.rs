//! Takes a variable out of a response.

use serde_json::Value;
use steady_model::{Capture, Place, Response, Take, percent};

/// The captured value; `None` when the response has nothing there, or null.
pub fn capture(capture: &Capture, response: &Response) -> Option<Value> {
    let value = match &capture.from {
        Place::Status => Value::from(response.status),
        Place::Header(name) => Value::from(response.header(name)?),
        Place::Body(pointer) => response.document().at(pointer)?,
    };
    match (capture.take, value) {
        (_, Value::Null) => None,
        (Take::LastSegment, Value::String(url)) => last_segment(&url).map(Value::String),
        (Take::Whole | Take::LastSegment, value) => Some(value),
    }
}

fn last_segment(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?;
    let path =
        path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let segment = path.trim_end_matches('/').rsplit('/').next()?;
    (!segment.is_empty()).then(|| percent::decode(segment))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steady_model::Payload;

    use super::*;

    fn response() -> Response {
        Response {
            status: 201,
            headers: vec![
                ("content-type".into(), "application/json".into()),
                ("location".into(), "http://host:1/orders/a%20b/?x=1".into()),
                ("x-root".into(), "http://host/".into()),
            ],
            body: Payload::Text(r#"{"id": 7, "none": null, "items": [{"n": "x"}]}"#.into()),
            truncated: false,
        }
    }

    #[test]
    fn values_are_taken_from_every_place() {
        let cases = [
            ("status", Take::Whole, Some(json!(201))),
            ("header:location", Take::Whole, Some(json!("http://host:1/orders/a%20b/?x=1"))),
            ("header:location", Take::LastSegment, Some(json!("a b"))),
            ("header:x-root", Take::LastSegment, None),
            ("header:other", Take::Whole, None),
            ("body:/id", Take::Whole, Some(json!(7))),
            ("body:/id", Take::LastSegment, Some(json!(7))),
            ("body:/items/0/n", Take::Whole, Some(json!("x"))),
            ("body:/none", Take::Whole, None),
            ("body:/absent", Take::Whole, None),
        ];
        for (place, take, expected) in cases {
            let wanted = Capture { name: "v".into(), from: place.parse().unwrap(), take };
            assert_eq!(capture(&wanted, &response()), expected, "{place} {take:?}");
        }
    }
}

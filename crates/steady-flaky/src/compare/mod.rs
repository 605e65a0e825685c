//! Compares responses to the same request: status, headers and body.
//!
//! JSON is compared by pointer, XML by path, other text by the template its versions share, bytes by digest. A
//! difference is reported at the deepest place that shows it, and once: of a shuffled list it is the list that varies, not
//! each of its items. Pointers are those of the first response.

mod arrays;
mod headers;
mod template;
mod tree;
mod values;
mod variation;
mod xml;

use serde_json::Value;
use steady_model::{Payload, Place, Response};
use xxhash_rust::xxh3::xxh3_64;

pub use template::{Part, Template};
pub use variation::{Kind, Variation};

use tree::Tree;
use values::Differences;

/// What differs between responses to the same request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparison {
    /// One per differing place: status, then headers by name, then the body from top to bottom.
    pub variations: Vec<Variation>,
}

impl Comparison {
    /// Compares all responses with each other.
    pub fn of(responses: &[&Response]) -> Self {
        let mut variations = Vec::new();
        if let [first, rest @ ..] = responses {
            if rest.iter().any(|response| response.status != first.status) {
                let seen = responses.iter().map(|response| Value::from(response.status));
                variations.push(Variation::new(Place::Status, Kind::Value, seen));
            }
            if rest.iter().any(|response| response.headers != first.headers) {
                headers::compare(responses, &mut variations);
            }
            if rest.iter().any(|response| response.body.as_bytes() != first.body.as_bytes()) {
                body(responses, &mut variations);
            }
        }
        Self { variations }
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.variations.is_empty()
    }

    /// What differs at a place.
    pub fn at(&self, place: &Place) -> Option<&Variation> {
        self.variations.iter().find(|variation| &variation.place == place)
    }
}

fn body(responses: &[&Response], variations: &mut Vec<Variation>) {
    let root = || Place::Body(String::new());
    let texts: Option<Vec<&str>> = responses
        .iter()
        .map(|response| match &response.body {
            Payload::Text(text) => Some(&**text),
            Payload::Bytes(_) => None,
        })
        .collect();
    let Some(texts) = texts else {
        let seen = responses.iter().map(|response| Value::from(digest(response.body.as_bytes())));
        variations.push(Variation::new(root(), Kind::Value, seen));
        return;
    };
    if texts.iter().any(|text| text.is_empty()) {
        let seen = texts.iter().map(|text| Value::from(*text));
        variations.push(Variation::new(root(), Kind::Presence, seen));
        return;
    }
    let json: Vec<Option<Tree<'_>>> = responses
        .iter()
        .zip(&texts)
        .map(|(response, text)| if is_json(response) { Tree::parse(text) } else { None })
        .collect();
    if json.iter().all(Option::is_some) {
        let trees: Vec<&Tree<'_>> = json.iter().flatten().collect();
        variations.extend(Differences::between(&trees));
        return;
    }
    if json.iter().any(Option::is_some) {
        let seen = texts.iter().map(|text| Value::from(*text));
        variations.push(Variation::new(root(), Kind::Type, seen));
        return;
    }
    if let Some(trees) = responses
        .iter()
        .zip(&texts)
        .map(|(response, text)| xml_tree(response, text))
        .collect::<Option<Vec<_>>>()
    {
        let found = Differences::between(&trees.iter().collect::<Vec<_>>());
        if !found.is_empty() {
            variations.extend(found);
            return;
        }
    }
    let seen = texts.iter().map(|text| Value::from(*text));
    variations.push(Variation::text(root(), &texts, seen));
}

fn xml_tree<'a>(response: &Response, text: &'a str) -> Option<Tree<'a>> {
    let media_type = response.media_type()?;
    let says_xml =
        media_type == "application/xml" || media_type == "text/xml" || media_type.ends_with("+xml");
    if says_xml { xml::parse(text) } else { None }
}

/// Whether the content type says JSON, by the rule of [`Response::document`].
fn is_json(response: &Response) -> bool {
    response.media_type().is_some_and(|media_type| {
        media_type == "application/json" || media_type.ends_with("+json") || media_type == "text/json"
    })
}

fn digest(bytes: &[u8]) -> String {
    format!("{} bytes, xxh3 {:016x}", bytes.len(), xxh3_64(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(media_type: &str, body: &str) -> Response {
        Response {
            status: 200,
            headers: vec![("content-type".to_owned(), media_type.to_owned())],
            body: Payload::Text(body.into()),
            truncated: false,
        }
    }

    fn places(responses: &[Response]) -> Vec<(String, Kind)> {
        let comparison = Comparison::of(&responses.iter().collect::<Vec<_>>());
        comparison.variations.into_iter().map(|found| (found.place.to_string(), found.kind)).collect()
    }

    fn both(media_type: &str, one: &str, other: &str) -> Vec<(String, Kind)> {
        places(&[response(media_type, one), response(media_type, other)])
    }

    #[test]
    fn nothing_and_one_response_do_not_differ() {
        assert!(Comparison::of(&[]).is_empty());
        assert!(places(&[response("application/json", "{")]).is_empty());
    }

    #[test]
    fn status_headers_and_body_are_compared_separately() {
        let one = response("application/json", r#"{"a":1}"#);
        let mut other = response("application/json", r#"{"a":2}"#);
        other.status = 201;
        other.headers.push(("location".to_owned(), "/a/2".to_owned()));
        assert_eq!(
            places(&[one, other]),
            [
                ("status".to_owned(), Kind::Value),
                ("header:location".to_owned(), Kind::Presence),
                ("body:/a".to_owned(), Kind::Value)
            ]
        );
    }

    #[test]
    fn layout_and_key_order_of_json_do_not_matter() {
        assert!(both("application/json", r#"{"a":1,"b":1.0}"#, r#"{ "b": 1, "a": 1 }"#).is_empty());
    }

    #[test]
    fn half_json_is_another_type() {
        assert_eq!(both("application/json", r#"{"a":1}"#, r#"{"a":"#), [("body:".to_owned(), Kind::Type)]);
    }

    #[test]
    fn a_missing_body_is_reported_as_such() {
        assert_eq!(both("application/json", r#"{"a":1}"#, ""), [("body:".to_owned(), Kind::Presence)]);
    }

    #[test]
    fn xml_differs_at_a_path() {
        let one = "<order id='1'><item>tea</item><item>cup</item></order>";
        let other = "<order id='1'>\n  <item>tea</item><item>mug</item></order>";
        assert_eq!(
            both("application/xml", one, other),
            [("body:/order/item/1/#text".to_owned(), Kind::Value)]
        );
    }

    #[test]
    fn xml_of_another_layout_still_differs_as_text() {
        assert_eq!(both("text/xml", "<a><b/></a>", "<a> <b/></a>"), [("body:".to_owned(), Kind::Value)]);
    }

    #[test]
    fn text_differs_by_template() {
        let (one, other) =
            (response("text/plain", "hello Ada, 3 new"), response("text/plain", "hello Bob, 3 new"));
        let comparison = Comparison::of(&[&one, &other]);
        let template = comparison.variations[0].template.clone().expect("a template");
        assert_eq!(template.to_string(), "hello {…}, 3 new");
    }

    #[test]
    fn bytes_differ_by_digest() {
        let bytes = |byte| Response {
            body: Payload::Bytes(vec![0xff, byte].into()),
            ..response("application/octet-stream", "")
        };
        let comparison = Comparison::of(&[&bytes(1), &bytes(2)]);
        assert!(comparison.variations[0].observed[0].starts_with("2 bytes, xxh3 "));
        assert!(Comparison::of(&[&bytes(1), &bytes(1)]).is_empty());
    }
}

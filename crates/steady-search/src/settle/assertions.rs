//! Everything a response says, as exactly as it says it.
//!
//! What does not hold every time is found out later, and only then is less asserted.

use serde_json::Value;
use steady_model::{Assertion, Document, JsonType, Matcher, Method, Place, Response, is_asserted};

use crate::names::Name;
use crate::values::escape;

/// Assertions per response.
const MAX_ASSERTIONS: usize = 60;
/// Items of a list that are asserted one by one.
const MAX_ITEMS: usize = 3;
/// The longest text asserted whole.
const MAX_TEXT: usize = 500;
/// Why what a shared collection holds is not asserted.
const SHARED: &str = "depends on who else uses the API";

/// What a response to a call with this method says.
///
/// With `shared` lists, what they hold is everybody's: it is not asserted, however often it was the same.
pub fn assertions(method: &Method, response: &Response, document: &Document, shared: bool) -> Vec<Assertion> {
    let mut writer = Writer { shared, expect: Vec::new() };
    writer.push(Place::Status, Matcher::Equals(response.status.into()));
    if let Some(media_type) = response.media_type() {
        writer.push(Place::Header("content-type".to_owned()), Matcher::MediaType(media_type));
    }
    writer.headers(response);
    match document {
        Document::Empty if *method != Method::Head => {
            writer.push(Place::Body(String::new()), Matcher::Absent);
        }
        Document::Json(value) => writer.value("", value),
        Document::Text(text) if text.len() <= MAX_TEXT => writer.value("", &Value::String(text.clone())),
        Document::Text(_) | Document::Bytes(_) | Document::Empty => {}
    }
    writer.expect
}

struct Writer {
    shared: bool,
    expect: Vec<Assertion>,
}

impl Writer {
    fn push(&mut self, place: Place, matcher: Matcher) {
        self.expect.push(Assertion::new(place, matcher));
    }

    /// Says only of what type something is, because what it holds is not the test's own.
    fn shared(&mut self, pointer: &str, kind: JsonType) {
        let place = Place::Body(pointer.to_owned());
        self.expect.push(Assertion { place, matcher: Matcher::Type(kind), note: Some(SHARED.to_owned()) });
    }

    fn headers(&mut self, response: &Response) {
        for (name, value) in &response.headers {
            let once = response.headers.iter().filter(|(other, _)| other == name).count() == 1;
            if once && name != "content-type" && is_asserted(name) && value.len() <= MAX_TEXT {
                self.push(Place::Header(name.clone()), Matcher::Equals(Value::from(value.as_str())));
            }
        }
    }

    fn value(&mut self, pointer: &str, value: &Value) {
        if self.expect.len() >= MAX_ASSERTIONS {
            return;
        }
        match value {
            // A collection written as an object from ids to members.
            Value::Object(fields)
                if self.shared
                    && pointer.is_empty()
                    && fields.values().all(Value::is_object)
                    && !fields.is_empty() =>
            {
                self.shared(pointer, JsonType::Object);
            }
            Value::Object(fields) if !fields.is_empty() => {
                for (name, inner) in fields {
                    self.value(&format!("{pointer}/{}", escape(name)), inner);
                }
            }
            Value::Array(_) if self.shared => self.shared(pointer, JsonType::Array),
            Value::Array(items) if !items.is_empty() => {
                self.push(Place::Body(pointer.to_owned()), Matcher::Size(items.len()));
                for (index, item) in items.iter().take(MAX_ITEMS).enumerate() {
                    self.value(&format!("{pointer}/{index}"), item);
                }
            }
            Value::Number(number) if self.shared && number.is_u64() && is_count(pointer) => {
                self.shared(pointer, JsonType::Integer);
            }
            leaf => self.push(Place::Body(pointer.to_owned()), Matcher::Equals(leaf.clone())),
        }
    }
}

/// Whether a field says how many there are.
fn is_count(pointer: &str) -> bool {
    let name = Name::new(pointer.rsplit('/').next().unwrap_or_default()).snake();
    ["total", "count", "size", "length", "pages", "hits", "results", "records", "number"]
        .iter()
        .any(|word| name.split('_').any(|part| part == *word))
}

//! The strongest assertions that held in every run of a call.

use serde_json::Value;
use steady_model::{Assertion, Call, Document, JsonType, Matcher, Method, OperationId, Place, Response};
use steady_replay::{Variables, same_value};

use crate::names::Name;
use crate::values::escape;

/// Assertions per response.
const MAX_ASSERTIONS: usize = 60;
/// Items of a list that are asserted one by one.
const MAX_ITEMS: usize = 3;
/// The longest text asserted whole.
const MAX_TEXT: usize = 500;
/// Values quoted of a place that varies.
const MAX_OBSERVED: usize = 3;
/// Headers that say something about the API rather than the transport.
const HEADERS: [&str; 2] = ["location", "allow"];

/// A place whose value was not the same in every run.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// The operation that answered.
    pub operation: OperationId,
    /// The status it answered with.
    pub status: u16,
    /// Where the value is.
    pub place: Place,
    /// The values seen, shortened.
    pub observed: Vec<String>,
    /// What is asserted instead.
    pub matcher: Matcher,
}

/// Why what a shared collection holds is not asserted.
const SHARED: &str = "depends on who else uses the API";

type View<'a> = (&'a (Response, Document), &'a Variables);

/// What held in all runs of a call, and what varied.
///
/// With `shared` lists, what they hold is everybody's: it is not asserted, however often it was the same.
pub fn assertions(call: &Call, views: &[View<'_>], shared: bool) -> (Vec<Assertion>, Vec<Varied>) {
    let Some(((response, document), _)) = views.last() else { return Default::default() };
    let mut writer =
        Writer { call, views, shared, status: response.status, expect: Vec::new(), varied: Vec::new() };
    writer.push(Place::Status, Matcher::Equals(response.status.into()));
    if let Some(media_type) = response.media_type()
        && views.iter().all(|((other, _), _)| other.media_type().as_deref() == Some(&media_type))
    {
        writer.push(Place::Header("content-type".to_owned()), Matcher::MediaType(media_type));
    }
    for name in HEADERS {
        writer.header(name);
    }
    match document {
        Document::Empty if call.operation.method != Method::Head => {
            if views.iter().all(|((_, other), _)| other == &Document::Empty) {
                writer.push(Place::Body(String::new()), Matcher::Absent);
            }
        }
        Document::Json(value) => writer.value("", value),
        Document::Text(text) if text.len() <= MAX_TEXT => writer.value("", &Value::String(text.clone())),
        Document::Text(_) | Document::Bytes(_) | Document::Empty => {}
    }
    (writer.expect, writer.varied)
}

struct Writer<'a> {
    call: &'a Call,
    views: &'a [View<'a>],
    shared: bool,
    status: u16,
    expect: Vec<Assertion>,
    varied: Vec<Varied>,
}

impl Writer<'_> {
    fn push(&mut self, place: Place, matcher: Matcher) {
        self.expect.push(Assertion::new(place, matcher));
    }

    fn header(&mut self, name: &str) {
        let values: Vec<Option<&str>> =
            self.views.iter().map(|((response, _), _)| response.header(name)).collect();
        let [first, ..] = values.as_slice() else { return };
        let Some(text) = first else { return };
        let place = Place::Header(name.to_owned());
        if values.iter().all(|value| value == first) {
            self.push(place, Matcher::Equals(Value::String((*text).to_owned())));
        } else if values.iter().all(Option::is_some) {
            let observed = values.iter().flatten().map(|value| Value::from(*value)).collect::<Vec<_>>();
            self.weaken(place, Matcher::Present, &observed.iter().collect::<Vec<_>>());
        }
    }

    /// Asserts a value and what is in it; `sample` is the last run's.
    fn value(&mut self, pointer: &str, sample: &Value) {
        if self.expect.len() >= MAX_ASSERTIONS {
            return;
        }
        let seen: Vec<Option<Value>> =
            self.views.iter().map(|((_, document), _)| document.at(pointer)).collect();
        if seen.iter().any(Option::is_none) {
            return;
        }
        let seen: Vec<&Value> = seen.iter().flatten().collect();
        match sample {
            // A collection written as an object from ids to members.
            Value::Object(fields)
                if self.shared
                    && pointer.is_empty()
                    && fields.values().all(Value::is_object)
                    && !fields.is_empty() =>
            {
                let place = Place::Body(String::new());
                let note = Some(SHARED.to_owned());
                self.expect.push(Assertion { place, matcher: Matcher::Type(JsonType::Object), note });
            }
            Value::Object(fields) if !fields.is_empty() && seen.iter().all(|value| value.is_object()) => {
                for (name, inner) in fields {
                    self.value(&format!("{pointer}/{}", escape(name)), inner);
                }
            }
            Value::Array(items) if !items.is_empty() && seen.iter().all(|value| value.is_array()) => {
                self.list(pointer, items, &seen);
            }
            sample => self.leaf(pointer, sample, &seen),
        }
    }

    fn list(&mut self, pointer: &str, items: &[Value], seen: &[&Value]) {
        let place = Place::Body(pointer.to_owned());
        let same_length =
            seen.iter().all(|value| value.as_array().is_some_and(|other| other.len() == items.len()));
        if !same_length {
            self.weaken(place, Matcher::Type(JsonType::Array), seen);
            return;
        }
        if self.shared {
            let note = Some(SHARED.to_owned());
            self.expect.push(Assertion { place, matcher: Matcher::Type(JsonType::Array), note });
            return;
        }
        self.push(place, Matcher::Size(items.len()));
        for (index, item) in items.iter().take(MAX_ITEMS).enumerate() {
            self.value(&format!("{pointer}/{index}"), item);
        }
    }

    fn leaf(&mut self, pointer: &str, sample: &Value, seen: &[&Value]) {
        let place = Place::Body(pointer.to_owned());
        if self.shared && sample.is_u64() && is_count(pointer) {
            let note = Some(SHARED.to_owned());
            self.expect.push(Assertion { place, matcher: Matcher::Type(JsonType::Integer), note });
            return;
        }
        let own_capture = self.call.captures.iter().any(|capture| capture.from == place);
        if seen.iter().all(|value| same_value(value, sample)) {
            // An id that happened to be the same in all runs is still the API's to choose.
            let matcher = if own_capture {
                Matcher::Type(JsonType::of(sample))
            } else {
                Matcher::Equals(sample.clone())
            };
            self.push(place, matcher);
            return;
        }
        if !own_capture && let Some(name) = self.variable(seen) {
            self.push(place, Matcher::Variable(name));
            return;
        }
        let kind = common_type(seen);
        let matcher = kind.map_or(Matcher::Present, Matcher::Type);
        if own_capture {
            self.push(place, matcher);
        } else {
            self.weaken(place, matcher, seen);
        }
    }

    /// A variable that had the place's value in every run.
    fn variable(&self, seen: &[&Value]) -> Option<String> {
        let (_, last) = self.views.last()?;
        let holds = |name: &str| {
            self.views.iter().zip(seen).all(|((_, variables), value)| {
                variables.get(name).is_some_and(|known| same_value(known, value))
            })
        };
        let captured_here = |name: &str| self.call.captures.iter().any(|capture| capture.name == name);
        last.iter().map(|(name, _)| name).find(|name| holds(name) && !captured_here(name)).map(str::to_owned)
    }

    fn weaken(&mut self, place: Place, matcher: Matcher, seen: &[&Value]) {
        let mut observed: Vec<String> = Vec::new();
        for value in seen {
            let text = shorten(value);
            if !observed.contains(&text) && observed.len() < MAX_OBSERVED {
                observed.push(text);
            }
        }
        let note = format!("varies between runs: {}", observed.join(" vs. "));
        self.expect.push(Assertion { place: place.clone(), matcher: matcher.clone(), note: Some(note) });
        self.varied.push(Varied {
            operation: self.call.operation.clone(),
            status: self.status,
            place,
            observed,
            matcher,
        });
    }
}

/// Whether a field says how many there are.
fn is_count(pointer: &str) -> bool {
    let name = Name::new(pointer.rsplit('/').next().unwrap_or_default()).snake();
    ["total", "count", "size", "length", "pages", "hits", "results", "records", "number"]
        .iter()
        .any(|word| name.split('_').any(|part| part == *word))
}

fn common_type(seen: &[&Value]) -> Option<JsonType> {
    let kinds: Vec<JsonType> = seen.iter().map(|value| JsonType::of(value)).collect();
    let first = *kinds.first()?;
    if kinds.iter().all(|kind| *kind == first) {
        return Some(first);
    }
    let numeric = kinds.iter().all(|kind| matches!(kind, JsonType::Integer | JsonType::Number));
    numeric.then_some(JsonType::Number)
}

fn shorten(value: &Value) -> String {
    let text = match value {
        Value::Array(items) => format!("{} items", items.len()),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let clipped: String = text.chars().take(60).collect();
    if clipped.len() < text.len() { format!("{clipped}…") } else { clipped }
}

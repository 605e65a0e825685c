//! Everything a response says, as exactly as it says it.
//!
//! What does not hold every time is found out later, and only then is less asserted.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use steady_flaky::Observation;
use steady_model::{Assertion, Document, JsonType, Matcher, Method, Pattern, Place, Response, is_asserted};

use crate::names::Name;
use crate::values::escape;

/// Assertions per response.
const MAX_ASSERTIONS: usize = 60;
/// Items of a list that are asserted one by one.
const MAX_ITEMS: usize = 3;
/// The longest text asserted whole.
const MAX_TEXT: usize = 500;
/// Headers that name the programs an API runs on, with their versions: another release is the same answer.
const PRODUCT_HEADERS: [&str; 5] =
    ["server", "x-powered-by", "x-generator", "x-aspnet-version", "x-aspnetmvc-version"];
/// Why what a shared collection holds is not asserted.
const SHARED: &str = "depends on who else uses the API";

/// What a response to a call with this method says.
///
/// With `shared` lists, what they hold may change at any time: it is not asserted, however often it was the same. Nor are texts that
/// other calls have written, of which `is_elsewhere` knows.
pub fn assertions(
    method: &Method,
    observation: &Observation,
    shared: bool,
    is_elsewhere: &dyn Fn(&str) -> bool,
) -> Vec<Assertion> {
    let response = &observation.response;
    let mut writer = Writer { shared, is_elsewhere, expect: Vec::new() };
    writer.push(Place::Status, Matcher::Equals(response.status.into()));
    if let Some(media_type) = response.media_type() {
        writer.push(Place::Header("content-type".to_owned()), Matcher::MediaType(media_type));
    }
    writer.headers(response);
    match observation.document() {
        // What was cut says nothing about what comes next time.
        _ if response.truncated => {}
        // A page about an error is the framework's, and another one in its next version.
        Document::Text(text) if response.status >= 400 && is_html(response, text) => {
            if let Some(title) = title(text) {
                writer.push(Place::Body(String::new()), Matcher::Pattern(title));
            }
        }
        Document::Empty if *method != Method::Head => {
            writer.push(Place::Body(String::new()), Matcher::Absent);
        }
        Document::Json(value) => writer.value("", value),
        Document::Text(text) if text.len() <= MAX_TEXT => writer.value("", &Value::from(&**text)),
        Document::OpaqueJson(_) | Document::Text(_) | Document::Bytes(_) | Document::Empty => {}
    }
    writer.expect
}

struct Writer<'a> {
    shared: bool,
    is_elsewhere: &'a dyn Fn(&str) -> bool,
    expect: Vec<Assertion>,
}

impl Writer<'_> {
    fn push(&mut self, place: Place, matcher: Matcher) {
        self.expect.push(Assertion::new(place, matcher));
    }

    /// Says only of what type something is, because what it holds is not the test's own.
    fn shared(&mut self, pointer: &str, kind: JsonType) {
        let place = Place::Body(pointer.to_owned());
        self.expect.push(Assertion::new(place, Matcher::Type(kind)).noted(Some(SHARED.to_owned())));
    }

    fn headers(&mut self, response: &Response) {
        for (name, value) in &response.headers {
            let once = response.headers.iter().filter(|(other, _)| other == name).count() == 1;
            if once && name != "content-type" && is_asserted(name) && value.len() <= MAX_TEXT {
                let matcher =
                    match without_versions(value).filter(|_| PRODUCT_HEADERS.contains(&name.as_str())) {
                        Some(products) => Matcher::Pattern(products),
                        None => Matcher::Equals(Value::from(value.as_str())),
                    };
                self.push(Place::Header(name.clone()), matcher);
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
            Value::String(text) if (self.is_elsewhere)(text) => self.shared(pointer, JsonType::String),
            leaf => self.push(Place::Body(pointer.to_owned()), Matcher::Equals(leaf.clone())),
        }
    }
}

/// The products that a header names, whatever their versions; none when it names no version.
fn without_versions(value: &str) -> Option<Pattern> {
    static VERSION: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?:/|^)v?[0-9][0-9A-Za-z.+_~-]*").ok());
    let version = VERSION.as_ref()?;
    version.is_match(value).then_some(())?;
    let names: Vec<String> = version.split(value).map(escaped).collect();
    Some(Pattern::new(names.join("/?[0-9A-Za-z.+_~-]+"), "the name of a product with its version"))
}

/// Text as a regular expression that every emitted language reads alike.
fn escaped(text: &str) -> String {
    let special = |c: char| r"\.+*?()|[]{}^$".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

/// Whether a text is a page for people.
fn is_html(response: &Response, text: &str) -> bool {
    let start = text.trim_start().get(..14).unwrap_or_default().to_ascii_lowercase();
    response.media_type().is_some_and(|media_type| media_type.contains("html"))
        || start.starts_with("<!doctype html")
        || start.starts_with("<html")
}

/// The title of a page, with anything around it.
fn title(text: &str) -> Option<Pattern> {
    static TITLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?is)<title[^>]*>(.*?)</title>").ok());
    let title = TITLE.as_ref()?.captures(text)?.get(1)?.as_str().trim();
    (!title.is_empty() && title.len() <= MAX_TEXT).then_some(())?;
    let regex = format!(r"[\s\S]*>\s*{}\s*</[Tt][Ii][Tt][Ll][Ee]>[\s\S]*", escaped(title));
    Some(Pattern::new(regex, format!("a page with the title `{title}`")))
}

/// Whether a field says how many there are.
fn is_count(pointer: &str) -> bool {
    let name = Name::new(pointer.rsplit('/').next().unwrap_or_default()).snake();
    ["total", "count", "size", "length", "pages", "hits", "results", "records", "number"]
        .iter()
        .any(|word| name.split('_').any(|part| part == *word))
}

#[cfg(test)]
mod tests {
    use steady_model::Payload;

    use steady_flaky::Step;

    use super::*;

    fn written(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<String> {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let response = Response { status, headers, body: Payload::Text(body.into()), truncated: false };
        let expect = assertions(&Method::Get, &Observation::new(Step::Rerun, &response), false, &|_| false);
        expect
            .iter()
            .map(|one| match &one.matcher {
                Matcher::Pattern(pattern) => format!("{} like {}", one.place, pattern.open()),
                other => format!("{} {}", one.place, other.name()),
            })
            .collect()
    }

    #[test]
    fn the_version_of_a_product_is_not_asserted() {
        let said =
            written(204, &[("server", "Werkzeug/3.1.3 Python/3.11.7"), ("x-powered-by", "Express")], "");
        let any = "/?[0-9A-Za-z.+_~-]+";
        assert_eq!(
            said[1..3],
            [
                format!("header:server like Werkzeug{any} Python{any}"),
                "header:x-powered-by equals".to_owned()
            ]
        );
        let other = written(204, &[("x-version", "shop/1.2.3")], "");
        assert_eq!(other[1], "header:x-version equals");
    }

    #[test]
    fn a_page_about_an_error_is_asserted_by_its_title() {
        let page =
            "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1> at Flask 3.1";
        let said = written(404, &[("content-type", "text/html; charset=utf-8")], page);
        assert_eq!(said[2], r"body: like [\s\S]*>\s*404 Not Found\s*</[Tt][Ii][Tt][Ll][Ee]>[\s\S]*");
        assert_eq!(said.len(), 3, "{said:?}");
        let Some(Pattern { .. }) = title(page) else { panic!("a title") };
        assert_eq!(written(200, &[("content-type", "text/html")], "<p>hi</p>")[2], "body: equals");
    }
}

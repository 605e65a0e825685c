//! Assertions of Hurl files.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Number;
use steady_model::{JsonType, Place, TimeFormat};

use super::quote::{Naming, StringContext, quoted, template};
use crate::plan::{Condition, Json, Setting, Varying};

/// Hurl reads the whole body again for every assertion, so a long array is only compared this far.
pub(super) const MOST_ITEMS: usize = 200;

/// What a call's assertions imply about its body, because a Hurl query names the way to read it.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// The body is text, bytes or nothing: JSON pointers find nothing in it.
    is_flat: bool,
    /// Pointers to objects: a number after them is a name.
    objects: BTreeSet<String>,
}

impl Document {
    /// Learns from the places and conditions of a call.
    pub(super) fn of<'c, 'a: 'c>(
        checks: impl Iterator<Item = (&'c Place, Option<&'c Condition<'a>>)> + Clone,
    ) -> Self {
        let mut document = Self::default();
        let says_json = checks.clone().any(|(_, condition)| {
            matches!(condition, Some(Condition::MediaType(name)) if name.to_ascii_lowercase().ends_with("json"))
        });
        for (place, condition) in checks {
            document.learn(place, condition, says_json);
            if let Some(Condition::Varying(Varying::Relation(relation))) = condition {
                relation.places().iter().for_each(|place| document.learn(place, None, says_json));
            }
        }
        document
    }

    fn learn(&mut self, place: &Place, condition: Option<&Condition<'_>>, says_json: bool) {
        let Place::Body(pointer) = place else { return };
        if pointer.is_empty() {
            self.is_flat |= match condition {
                Some(
                    Condition::Absent
                    | Condition::Equals(Json::String(_))
                    | Condition::Type(JsonType::String),
                ) => true,
                Some(Condition::Text(_)) => !says_json,
                Some(Condition::Varying(varying)) => !says_json && is_text(varying),
                _ => false,
            };
        }
        if matches!(condition, Some(Condition::Equals(Json::Object(_)) | Condition::Type(JsonType::Object))) {
            self.objects.insert(pointer.clone());
        }
        if matches!(condition, Some(Condition::Absent)) {
            return;
        }
        for (end, _) in pointer.match_indices('/') {
            let token = pointer[end + 1..].split('/').next().unwrap_or_default();
            if !is_index(token) {
                self.objects.insert(pointer[..end].to_owned());
            }
        }
    }

    /// The query that finds what a place holds.
    pub(super) fn query(&self, place: &Place) -> String {
        match place {
            Place::Status => "status".to_owned(),
            Place::Header(name) => format!("header {}", quoted(name)),
            Place::Body(pointer) if pointer.is_empty() && self.is_flat => "body".to_owned(),
            Place::Body(pointer) => jsonpath(&self.path(pointer)),
        }
    }

    /// The JSONPath of a place in a JSON body.
    pub(super) fn json_path(&self, place: &Place) -> Option<String> {
        match place {
            Place::Body(pointer) if !self.is_flat => Some(self.path(pointer)),
            _ => None,
        }
    }

    /// A JSON pointer as a JSONPath (RFC 9535).
    fn path(&self, pointer: &str) -> String {
        let mut path = String::from("$");
        for (end, _) in pointer.match_indices('/') {
            let token = pointer[end + 1..].split('/').next().unwrap_or_default();
            let name = token.replace("~1", "/").replace("~0", "~");
            if is_index(token) && !self.objects.contains(&pointer[..end]) {
                path.push_str(&format!("[{token}]"));
            } else {
                path.push_str(&member(&name));
            }
        }
        path
    }

    /// The lines that state a condition; `prefix` is what variables begin with, `related` holds what a relation
    /// refers to.
    pub(super) fn asserts(
        &self,
        place: &Place,
        condition: &Condition<'_>,
        prefix: &str,
        related: &str,
    ) -> Vec<String> {
        let query = self.query(place);
        let at_root = matches!(place, Place::Body(pointer) if pointer.is_empty());
        let below_flat = self.is_flat && matches!(place, Place::Body(pointer) if !pointer.is_empty());
        match condition {
            // A body that is not JSON has nothing below its root, and Hurl would refuse the query.
            Condition::Absent if below_flat => vec![],
            Condition::Absent if at_root => vec!["bytes count == 0".to_owned()],
            // Hurl does not read bytes as text.
            Condition::Type(JsonType::String) if at_root => vec!["bytes count > 0".to_owned()],
            Condition::Present if at_root => vec!["bytes count > 0".to_owned()],
            Condition::Equals(Json::String(text)) if at_root && is_bytes(text) => {
                vec![format!("bytes == base64,{text};")]
            }
            Condition::Equals(json) => match self.json_path(place) {
                Some(path) => equals("", &path, json),
                None => vec![format!("{query} == {}", scalar(json))],
            },
            Condition::Variable(variable) => {
                vec![format!("{query} == {{{{{prefix}{}}}}}", variable.name.snake())]
            }
            Condition::Text(text) => {
                let naming = Naming { prefix, setting: Setting::Text };
                vec![format!("{query} == \"{}\"", template(text, StringContext::Quoted, naming))]
            }
            Condition::Varying(varying) => super::varying::asserts(self, place, varying, related),
            Condition::MediaType(media_type) => {
                let pattern = format!("(?i)^\\s*{}\\s*(;|$)", escaped_pattern(media_type));
                vec![format!("header \"content-type\" matches {}", quoted(&pattern))]
            }
            Condition::Size(size) => vec![format!("{query} count == {size}")],
            Condition::Type(json_type) => vec![format!("{query} {}", type_predicate(*json_type))],
            Condition::Present => vec![format!("{query} exists")],
            Condition::Absent => vec![format!("{query} not exists")],
            Condition::Disabled => vec![],
        }
    }
}

fn is_index(token: &str) -> bool {
    token == "0"
        || (!token.starts_with('0') && !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit()))
}

/// Base64 of bytes that are not text: that is how a suite writes them.
fn is_bytes(text: &str) -> bool {
    STANDARD.decode(text).is_ok_and(|bytes| String::from_utf8(bytes).is_err())
}

/// Whether only text looks like this.
fn is_text(varying: &Varying<'_>) -> bool {
    match varying {
        Varying::Jwt { .. } | Varying::Pattern { .. } => true,
        Varying::Recent(format) => matches!(format, TimeFormat::Rfc3339 | TimeFormat::Http),
        Varying::OneOf(Json::Array(values)) => {
            values.iter().all(|value| matches!(value, Json::String(_) | Json::Text(_)))
        }
        _ => false,
    }
}

pub(super) fn jsonpath(path: &str) -> String {
    format!("jsonpath {}", quoted(path))
}

/// A selector of an object's member.
pub(super) fn member(name: &str) -> String {
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word {
        return format!(".{name}");
    }
    format!("[{}]", path_string(name))
}

/// A string of JSONPath.
pub(super) fn path_string(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '\'' => "\\'".to_owned(),
            '\\' => "\\\\".to_owned(),
            c if c.is_control() && u32::from(c) <= 0xffff => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    format!("'{escaped}'")
}

/// Equality, value by value, because Hurl compares with scalars only. `source` is the query for the document, with
/// a trailing space, where that is not the body.
pub(super) fn equals(source: &str, path: &str, json: &Json<'_>) -> Vec<String> {
    let jsonpath = |path: &str| format!("{source}{}", jsonpath(path));
    let query = jsonpath(path);
    match json {
        Json::Array(items) => {
            let mut lines = vec![format!("{query} count == {}", items.len())];
            for (index, item) in items.iter().enumerate().take(MOST_ITEMS) {
                lines.extend(equals(source, &format!("{path}[{index}]"), item));
            }
            lines
        }
        Json::Object(fields) => {
            let all = jsonpath(&format!("{path}.*"));
            let mut lines = match fields.as_slice() {
                [] => vec![format!("{query} isObject"), format!("{all} not exists")],
                // Hurl treats a list of one as its item, so this also asserts that there is no other.
                [(_, json)] if !matches!(json, Json::Array(_) | Json::Object(_)) => {
                    vec![format!("{query} isObject"), format!("{all} == {}", scalar(json))]
                }
                [_] => vec![format!("{query} isObject")],
                fields => vec![format!("{query} isObject"), format!("{all} count == {}", fields.len())],
            };
            for (name, value) in fields {
                lines.extend(equals(source, &format!("{path}{}", member(name)), value));
            }
            lines
        }
        other => vec![format!("{query} == {}", scalar(other))],
    }
}

pub(super) fn scalar(json: &Json<'_>) -> String {
    match json {
        Json::Boolean(value) => value.to_string(),
        Json::Number(number) => self::number(number),
        Json::String(text) => quoted(text),
        Json::Text(text) => {
            format!(
                "\"{}\"",
                template(text, StringContext::Quoted, Naming { prefix: "", setting: Setting::Text })
            )
        }
        _ => "null".to_owned(),
    }
}

/// A number without an exponent, which Hurl does not read.
pub(super) fn number(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => {
            let digits = float.to_string();
            if digits.contains('.') { digits } else { digits + ".0" }
        }
        _ => number.to_string(),
    }
}

fn type_predicate(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Null => "== null",
        JsonType::Boolean => "isBoolean",
        JsonType::Integer => "isInteger",
        JsonType::Number => "isNumber",
        JsonType::String => "isString",
        JsonType::Array => "isList",
        JsonType::Object => "isObject",
    }
}

fn escaped_pattern(text: &str) -> String {
    let escape =
        |c: char| if c.is_ascii_alphanumeric() || c == '/' { c.to_string() } else { format!("\\{c}") };
    text.chars().filter(char::is_ascii_graphic).map(escape).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_is_an_index_unless_its_parent_is_an_object() {
        let place = |pointer: &str| Place::Body(pointer.to_owned());
        let places = [place("/codes/404/text"), place("/codes/total"), place("/items/0/id")];
        let document = Document::of(places.iter().map(|place| (place, None)));
        assert_eq!(document.query(&places[0]), "jsonpath \"$.codes['404'].text\"");
        assert_eq!(document.query(&places[2]), "jsonpath \"$.items[0].id\"");
    }

    #[test]
    fn objects_are_compared_value_by_value() {
        let value = json!({"a": [1.5, null], "b c": "x"});
        assert_eq!(
            equals("", "$", &Json::of(&value)),
            [
                "jsonpath \"$\" isObject",
                "jsonpath \"$.*\" count == 2",
                "jsonpath \"$.a\" count == 2",
                "jsonpath \"$.a[0]\" == 1.5",
                "jsonpath \"$.a[1]\" == null",
                "jsonpath \"$['b c']\" == \"x\"",
            ]
        );
    }
}

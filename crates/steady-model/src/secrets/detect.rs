//! What in an exchange is a secret, by the names it goes under and by its shape.

use std::ops::Range;

use serde_json::Value;

use super::address::{credentials_in_addresses, parameters};
use super::names::{Naming, is_telling, naming};
use super::shape::{OPAQUE, is_address, is_hidden, is_jwt, is_opaque, is_sentence, is_words};
use crate::{Document, Payload, Request, Response, percent};

/// Larger bodies are not looked through; no report quotes them.
const MOST_BODY: usize = 256 * 1024;
/// Members of an object that hold what the object's name promises.
const VALUE_NAMES: [&str; 5] = ["value", "raw", "plain", "access", "refresh"];

/// Hands the secrets that a response issues to `note`.
pub(super) fn in_response(response: &Response, note: &mut dyn FnMut(&str)) {
    let doubtful = response.status >= 400;
    for (name, value) in &response.headers {
        // A cookie may hold a setting: a secret where it stands, and a word elsewhere.
        let is_setting = |text: &str| name == "set-cookie" && !has_secret_name(value) && is_words(text);
        for range in in_header(name, value, doubtful) {
            if !is_setting(&value[range.clone()]) {
                note_decoded(&value[range], note);
            }
        }
    }
    let Payload::Text(body) = &response.body else { return };
    if body.len() > MOST_BODY || !is_telling(body) {
        return;
    }
    match response.document() {
        Document::Json(value) => in_json(Naming::Plain, &value, doubtful, note),
        Document::Text(text) | Document::OpaqueJson(text) => in_text(Naming::Plain, &text, doubtful, note),
        Document::Bytes(_) | Document::Empty => {}
    }
}

/// Hands what a request says under the names of secrets to `note`.
pub(super) fn in_request(request: &Request, note: &mut dyn FnMut(&str)) {
    in_text(Naming::Plain, &request.target, false, note);
    for (name, value) in &request.headers {
        for range in in_header(name, value, false) {
            note_decoded(&value[range], note);
        }
    }
    let Some(Payload::Text(body)) = &request.body else { return };
    if body.len() > MOST_BODY || !is_telling(body) {
        return;
    }
    match serde_json::from_str::<Value>(body) {
        Ok(value) => in_json(Naming::Plain, &value, false, note),
        Err(_) => in_text(Naming::Plain, body, false, note),
    }
}

/// The parts of a header's value that are secrets.
pub(super) fn in_header(name: &str, value: &str, doubtful: bool) -> Vec<Range<usize>> {
    match name {
        "set-cookie" => cookie(value).into_iter().collect(),
        "cookie" => {
            let mut start = 0;
            let mut found = Vec::new();
            for pair in value.split_inclusive(';') {
                found.extend(cookie(pair).map(|range| start + range.start..start + range.end));
                start += pair.len();
            }
            found
        }
        _ => in_value(naming(name), value, doubtful),
    }
}

/// The parts of a text under some name that are secrets. What an error says under that name may be about a secret, so it has
/// to look like one.
pub(super) fn in_value(naming: Naming, text: &str, doubtful: bool) -> Vec<Range<usize>> {
    let credential = without_scheme(text);
    let value = &text[credential.clone()];
    let is_whole = match naming {
        Naming::Plain => false,
        Naming::Perhaps => is_opaque(value, OPAQUE),
        Naming::Secret if doubtful => is_opaque(value, super::values::LEAST),
        Naming::Secret => !is_hidden(value) && !is_sentence(value) && !is_address(value),
    };
    if is_whole {
        return vec![credential];
    }
    if !is_telling(text) {
        return Vec::new();
    }
    let mut found = credentials_in_addresses(text);
    for (name, value) in parameters(text) {
        let is_secret = match super::names::naming_in_address(&percent::decode(&text[name])) {
            Naming::Plain => false,
            Naming::Perhaps => is_opaque(&text[value.clone()], OPAQUE),
            Naming::Secret => !is_hidden(&text[value.clone()]),
        };
        found.extend(is_secret.then_some(value));
    }
    found.extend(tokens(text));
    found.extend(labelled(text));
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    found.retain(|range| {
        let apart = range.start >= end;
        end = end.max(range.end);
        apart
    });
    found
}

/// What the member `key` of something under a name is called.
pub(super) fn member(parent: Naming, key: &str) -> Naming {
    match naming(key) {
        Naming::Plain if parent != Naming::Plain && VALUE_NAMES.contains(&key) => Naming::Perhaps,
        own => own,
    }
}

/// What an item of a list under a name is called.
pub(super) fn item(list: Naming) -> Naming {
    if list == Naming::Plain { Naming::Plain } else { Naming::Perhaps }
}

fn in_json(naming: Naming, value: &Value, doubtful: bool, note: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                in_json(member(naming, key), value, doubtful, note);
            }
        }
        Value::Array(items) => items.iter().for_each(|value| in_json(item(naming), value, doubtful, note)),
        Value::String(text) => in_text(naming, text, doubtful, note),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn in_text(naming: Naming, text: &str, doubtful: bool, note: &mut dyn FnMut(&str)) {
    for range in in_value(naming, text, doubtful) {
        note_decoded(&text[range], note);
    }
}

/// In an address it is encoded; it may be repeated elsewhere as it is.
fn note_decoded(value: &str, note: &mut dyn FnMut(&str)) {
    note(value);
    if value.contains('%') {
        note(&percent::decode(value));
    }
}

/// The value of `name=value; attributes`.
fn cookie(text: &str) -> Option<Range<usize>> {
    let pair = text.split(';').next()?;
    let start = pair.find('=')? + 1;
    let value = pair[start..].trim_end().trim_matches('"');
    let start = start + pair[start..].find(value)?;
    (!value.is_empty() && !is_hidden(value)).then(|| start..start + value.len())
}

/// Whether the name of a cookie is one of secrets.
fn has_secret_name(cookie: &str) -> bool {
    cookie.split_once('=').is_some_and(|(name, _)| naming(name.trim()) != Naming::Plain)
}

/// Where the credential of `Bearer abc` is; the whole text where no scheme stands before it.
fn without_scheme(text: &str) -> Range<usize> {
    match text.split_once(' ') {
        Some((scheme, rest))
            if ["bearer", "basic", "token", "apikey"].contains(&scheme.to_ascii_lowercase().as_str()) =>
        {
            text.len() - rest.trim_start().len()..text.len()
        }
        _ => 0..text.len(),
    }
}

/// JSON web tokens, and what stands after the name of an authentication scheme.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let is_credential = |character: char| is_part(character) || "+/=.~".contains(character);
    let run = |start: usize, is_part: &dyn Fn(char) -> bool| {
        start..text[start..].find(|character| !is_part(character)).map_or(text.len(), |length| start + length)
    };
    let mut found = Vec::new();
    for (start, _) in text.match_indices("eyJ") {
        let range = run(start, &|character| is_part(character) || character == '.');
        let is_cut = text[range.end..].starts_with('…');
        let range = start..start + text[range].trim_end_matches('.').len();
        if is_jwt(&text[range.clone()], is_cut) {
            found.push(range);
        }
    }
    for scheme in ["Bearer ", "bearer ", "Basic ", "basic "] {
        for (at, _) in text.match_indices(scheme) {
            let range = run(at + scheme.len(), &is_credential);
            if is_opaque(&text[range.clone()], OPAQUE) {
                found.push(range);
            }
        }
    }
    found
}

/// Values in prose and mark-up that follow the name of a secret: `password=…`, `"token": "…"`, `<secret>…`.
fn labelled(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let is_name = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    while let Some(start) = text[at..].find(is_name).map(|start| at + start) {
        let end =
            text[start..].find(|character| !is_name(character)).map_or(text.len(), |length| start + length);
        at = end;
        if end - start > 64 || naming(&text[start..end]) != Naming::Secret {
            continue;
        }
        let Some(value) = value_after(text, end) else { continue };
        if is_opaque(&text[value.clone()], super::values::LEAST) {
            at = value.end;
            found.push(value);
        }
    }
    found
}

/// The value that a name before `at` is given.
fn value_after(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text[at..].trim_start_matches(['"', '\'', '\\']).trim_start();
    let rest = rest.strip_prefix("value").unwrap_or(rest);
    let rest = rest.strip_prefix(['=', ':', '>'])?.trim_start().trim_start_matches(['"', '\'', '\\']);
    let start = text.len() - rest.len();
    let length =
        rest.find(|character: char| character.is_whitespace() || "\"'<>&,;)}]\\".contains(character));
    Some(start..start + length.unwrap_or(rest.len()))
}

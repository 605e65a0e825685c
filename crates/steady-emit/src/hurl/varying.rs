//! Volatile values, as far as Hurl can assert them.
//!
//! The value at another place is captured first and compared then. Assertions that need arithmetic, a clock or alternatives are
//! approximated, with a comment about the rest.

use steady_model::{Place, Relation, TimeFormat};

use super::assert::{Document, MOST_ITEMS, equals, jsonpath, member, number, path_string, scalar};
use super::quote::{Naming, StringContext, escaped, pattern, quoted, variable};
use crate::language::comment;
use crate::plan::{Bounds, Json, Piece, Setting, Varying};

const TOKEN: &str = r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*";
const RFC3339: &str = "[0-9]{4}-?[0-9]{2}-?[0-9]{2}[Tt ][0-9]{2}(:?[0-9]{2}(:?[0-9]{2}([.,][0-9]{1,9})?)?)?\
    ([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)(\\[[^\\]]*\\])*";
const HTTP: &str = "([A-Z][a-z]{2}, )?[0-9]{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} \
    [0-9]{2}:[0-9]{2}(:[0-9]{2})? (GMT|UTC?|Z|[+-][0-9]{4})";

/// The query for the place that a relation refers to, where Hurl can compare with it.
pub(super) fn related_query(document: &Document, relation: &Relation) -> Option<String> {
    match relation {
        Relation::Same(place) => Some(document.query(place)),
        Relation::Count(place) => Some(format!("{} count", document.query(place))),
        Relation::Sum(_) | Relation::Product(_) => None,
    }
}

/// The assertions on the value at a place; `related` is the variable with the value that a relation
/// refers to.
pub(super) fn asserts(
    document: &Document,
    place: &Place,
    varying: &Varying<'_>,
    related: &str,
) -> Vec<String> {
    let query = &document.query(place);
    match varying {
        Varying::Relation(Relation::Same(_) | Relation::Count(_)) => {
            vec![format!("{query} == {{{{{related}}}}}")]
        }
        Varying::Relation(Relation::Sum(places)) => computed(document, place, places, "add up"),
        Varying::Relation(Relation::Product(places)) => computed(document, place, places, "multiply"),
        Varying::Unordered(items) => unordered(query, document.json_path(place).as_deref(), items),
        Varying::Jwt { header, claims } => jwt(query, header, claims),
        Varying::Pattern { regex, .. } => {
            vec![format!("{query} matches {}", pattern(std::slice::from_ref(regex)))]
        }
        Varying::Recent(format) => recent(query, *format),
        Varying::OneOf(values) => one_of(query, values),
        Varying::Range(bounds) => range(query, *bounds),
    }
}

/// A comment about what the lines after it leave out.
fn lacking(what: &str) -> String {
    comment(&format!("Hurl cannot {what}"), "#").trim_end().to_owned()
}

fn matches(query: &str, regex: &str) -> String {
    format!("{query} matches {}", quoted(&format!("^(?:{regex})$")))
}

fn computed(document: &Document, place: &Place, places: &[Place], verb: &str) -> Vec<String> {
    let names: Vec<String> = places.iter().map(ToString::to_string).collect();
    let remark = lacking(&format!("{verb} numbers, here {}", names.join(", ")));
    let number = |place| format!("{} isNumber", document.query(place));
    [remark, number(place)].into_iter().chain(places.iter().map(number)).collect()
}

fn recent(query: &str, format: TimeFormat) -> Vec<String> {
    // A count may be a number or digits. Seconds have had ten digits since 2001, and will have until 2286.
    let counted = |digits| matches(&format!("{query} toString"), &format!("[0-9]{{{digits}}}([.][0-9]+)?"));
    let line = match format {
        TimeFormat::Rfc3339 => matches(query, RFC3339),
        TimeFormat::Http => matches(query, HTTP),
        TimeFormat::Date => matches(query, "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
        TimeFormat::Seconds => counted(10),
        TimeFormat::Milliseconds => counted(13),
        TimeFormat::Microseconds => counted(16),
        TimeFormat::Nanoseconds => counted(19),
    };
    vec![lacking("compare times with the response's date: this one is near it"), line]
}

fn jwt(query: &str, header: &Json<'_>, claims: &Json<'_>) -> Vec<String> {
    let mut lines = vec![matches(query, TOKEN)];
    for (index, fields) in [header, claims].into_iter().enumerate() {
        let part = format!("{query} split \".\" nth {index} base64UrlSafeDecode utf8Decode ");
        lines.push(format!("{part}{} isObject", jsonpath("$")));
        if let Json::Object(fields) = fields {
            let field = |(name, json): &(&str, Json<'_>)| equals(&part, &format!("${}", member(name)), json);
            lines.extend(fields.iter().flat_map(field));
        }
    }
    lines
}

fn one_of(query: &str, values: &Json<'_>) -> Vec<String> {
    let Json::Array(values) = values else { return vec![] };
    let strings: Option<Vec<String>> = values.iter().map(regex_of).collect();
    if let Some(strings) = strings.filter(|strings| !strings.is_empty()) {
        return vec![format!("{query} matches \"^(?:{})$\"", strings.join("|"))];
    }
    let predicate = match values.as_slice() {
        [value] if !matches!(value, Json::Array(_) | Json::Object(_)) => {
            return vec![format!("{query} == {}", scalar(value))];
        }
        values if values.iter().all(|value| matches!(value, Json::Number(_))) => "isNumber",
        values if values.iter().all(|value| matches!(value, Json::Boolean(_))) => "isBoolean",
        values if values.iter().all(|value| matches!(value, Json::Array(_))) => "isList",
        values if values.iter().all(|value| matches!(value, Json::Object(_))) => "isObject",
        _ => "exists",
    };
    let known: Vec<String> = values.iter().map(|value| value.sample().0.to_string()).collect();
    let remark = lacking(&format!("assert alternatives: this is one of {}", known.join(", ")));
    vec![remark, format!("{query} {predicate}")]
}

fn range(query: &str, bounds: Bounds<'_>) -> Vec<String> {
    let least = |bound| format!("{query} >= {}", number(bound));
    let most = |bound| format!("{query} <= {}", number(bound));
    let mut lines = vec![format!("{query} isNumber")];
    match bounds {
        Bounds::AtLeast(min) => lines.push(least(min)),
        Bounds::AtMost(max) => lines.push(most(max)),
        Bounds::Between(min, max) => lines.extend([least(min), most(max)]),
    }
    lines
}

/// How many items there are, and of each how often what is plain in it comes.
fn unordered(query: &str, path: Option<&str>, items: &Json<'_>) -> Vec<String> {
    let Json::Array(items) = items else { return vec![] };
    let mut lines = vec![format!("{query} isList"), format!("{query} count == {}", items.len())];
    let is_plain = |item: &Json<'_>| !matches!(item, Json::Array(_) | Json::Object(_));
    if !items.iter().all(is_plain) {
        lines
            .insert(0, lacking("compare arrays and objects in any order: their plain values are looked for"));
    }
    let Some(path) = path else { return lines };
    let mut wanted: Vec<(String, usize)> = Vec::new();
    for item in items.iter().take(MOST_ITEMS) {
        let mut conditions = Vec::new();
        plain_values("@", item, &mut conditions);
        if conditions.is_empty() {
            continue;
        }
        let filter = conditions.join(" && ");
        match wanted.iter_mut().find(|(other, _)| *other == filter) {
            Some((_, times)) => *times += 1,
            None => wanted.push((filter, 1)),
        }
    }
    lines.extend(wanted.into_iter().map(|(filter, times)| {
        let found = format!("jsonpath \"{}[?{filter}]\"", escaped(path, StringContext::Quoted));
        // Hurl takes a list of one for the one, which cannot be counted.
        if times == 1 { format!("{found} exists") } else { format!("{found} count >= {times}") }
    }));
    lines
}

/// The comparisons, in JSONPath within double quotes, of everything plain in a value.
fn plain_values(path: &str, json: &Json<'_>, conditions: &mut Vec<String>) {
    let mut equal = |value: String| {
        conditions.push(format!("{} == {value}", escaped(path, StringContext::Quoted)));
    };
    match json {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                plain_values(&format!("{path}[{index}]"), item, conditions);
            }
        }
        Json::Object(fields) => {
            for (name, value) in fields {
                plain_values(&format!("{path}{}", member(name)), value, conditions);
            }
        }
        Json::String(text) => equal(escaped(&path_string(text), StringContext::Quoted)),
        Json::Text(text) => {
            let part = |piece: &Piece<'_>| match piece {
                Piece::Literal(text) => {
                    let quoted = path_string(text);
                    escaped(&quoted[1..quoted.len() - 1], StringContext::Quoted)
                }
                piece => {
                    format!("{{{{{}}}}}", variable(piece, Naming { prefix: "", setting: Setting::Text }))
                }
            };
            equal(format!("'{}'", text.pieces().iter().map(part).collect::<String>()));
        }
        plain => equal(escaped(&plain.sample().0.to_string(), StringContext::Quoted)),
    }
}

/// The regular expression of exactly this text, within double quotes.
fn regex_of(json: &Json<'_>) -> Option<String> {
    let literal = |text: &str| escaped(&regex_escaped(text), StringContext::Quoted);
    match json {
        Json::String(text) => Some(literal(text)),
        Json::Text(text) => {
            let part = |piece: &Piece<'_>| match piece {
                Piece::Literal(text) => literal(text),
                piece => {
                    format!("{{{{{}}}}}", variable(piece, Naming { prefix: "", setting: Setting::Regex }))
                }
            };
            Some(text.pieces().iter().map(part).collect())
        }
        _ => None,
    }
}

fn regex_escaped(text: &str) -> String {
    text.chars().flat_map(|c| "\\.+*?()|[]{}^$".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

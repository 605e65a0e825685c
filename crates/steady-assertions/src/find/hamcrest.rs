//! What Hamcrest's matchers say, as far as they are constant.

use serde_json::Value;
use steady_model::{Assertion, Matcher, Place};

use super::meaning::containing;
use crate::assertion::leaves;
use crate::pointer;
use crate::syntax::{Expr, Kind, Link, Step};

/// What a matcher says of a place; none when it is not known to steady.
pub(super) fn hamcrest(place: &Place, matcher: &Expr) -> Option<Vec<Assertion>> {
    let (name, arguments) = matcher.call()?;
    let one = |matcher| Some(vec![Assertion::new(place.clone(), matcher)]);
    match (name, arguments) {
        ("is" | "equalTo" | "numberMatches" | "comparesEqualTo", [value]) => {
            let value = constant(value);
            match &value.kind {
                Kind::Chain(..) if name == "is" => hamcrest(place, &value),
                _ => Some(leaves(place, &value)).filter(|places| !places.is_empty()),
            }
        }
        ("nullValue", []) => one(Matcher::Equals(Value::Null)),
        ("notNullValue", []) => one(Matcher::Present),
        ("containsString", [text]) => Some(containing(place, text.text()?, false)),
        ("startsWith", [text]) => Some(containing(place, text.text()?, true)),
        ("hasSize", [length]) => one(Matcher::Size(usize::try_from(length.constant()?.as_u64()?).ok()?)),
        ("empty", []) => one(Matcher::Size(0)),
        ("emptyString", []) => one(Matcher::Equals("".into())),
        ("emptyOrNullString" | "isEmptyOrNullString", []) => one(Matcher::Absent),
        ("contains", items) => one(Matcher::Equals(Value::Array(constants(items)?))),
        ("containsInAnyOrder" | "hasItems", items) => one(Matcher::Unordered(constants(items)?)),
        ("oneOf" | "isOneOf", items) => one(Matcher::OneOf(constants(items)?)),
        ("hasKey", [key]) => match place {
            Place::Body(outer) => {
                let place = Place::Body(pointer::join(outer, key.text()?));
                Some(vec![Assertion::new(place, Matcher::Present)])
            }
            Place::Status | Place::Header(_) => None,
        },
        ("anyOf", choices) if !choices.is_empty() => {
            let mut values = Vec::new();
            for choice in choices {
                match hamcrest(place, choice)?.as_slice() {
                    [Assertion { matcher: Matcher::Equals(value), .. }] => values.push(value.clone()),
                    _ => return None,
                }
            }
            one(Matcher::OneOf(values))
        }
        _ => None,
    }
}

/// What a plain value or a matcher says of a place.
pub(super) fn value_or_matcher(place: &Place, value: &Expr) -> Option<Vec<Assertion>> {
    match value.constant() {
        Some(value) => Some(vec![Assertion::new(place.clone(), Matcher::Equals(value))]),
        None => hamcrest(place, value),
    }
}

/// What `contentType(…)` asserts of a text, a matcher or one of RestAssured's constants.
pub(super) fn content_type(value: &Expr) -> Option<Vec<Assertion>> {
    let place = Place::Header("content-type".to_owned());
    if let Some(text) = value.text() {
        return Some(containing(&place, text, true));
    }
    let constant = match &value.kind {
        Kind::Name(name) => Some(name.as_str()),
        Kind::Chain(_, links) => match links.last() {
            Some(Link { kind: Step::Member(name), .. }) => Some(name.as_str()),
            _ => None,
        },
        _ => None,
    };
    match constant {
        Some("JSON") => Some(containing(&place, "application/json", true)),
        Some("TEXT") => Some(containing(&place, "text/plain", true)),
        Some("XML") => Some(containing(&place, "application/xml", true)),
        Some("HTML") => Some(containing(&place, "text/html", true)),
        Some(_) => None,
        None => hamcrest(&place, value),
    }
}

fn constants(items: &[Expr]) -> Option<Vec<Value>> {
    items.iter().map(|item| constant(item).constant()).collect()
}

/// An expression with the collections that Java and Kotlin make by calls as literals.
pub(super) fn constant(expr: &Expr) -> Expr {
    let span = expr.span;
    match expr.call() {
        Some(("of" | "asList" | "listOf", items)) if !expr_is_map(expr) => {
            Expr { span, kind: Kind::List(items.iter().map(constant).collect()) }
        }
        Some(("of", pairs)) if pairs.len().is_multiple_of(2) => {
            let fields =
                pairs.chunks_exact(2).map(|pair| Some((pair[0].text()?.to_owned(), constant(&pair[1]))));
            match fields.collect::<Option<Vec<_>>>() {
                Some(fields) => Expr { span, kind: Kind::Map(fields) },
                None => expr.clone(),
            }
        }
        _ => expr.clone(),
    }
}

fn expr_is_map(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::Chain(base, _) if matches!(&base.kind, Kind::Name(name) if name == "Map"))
}

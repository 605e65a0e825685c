//! Matchers of Hamcrest, for Java and Kotlin.

use serde_json::{Number, Value};
use steady_model::{JsonType, Matcher, Range};

use super::{Context, Rendered, quote, scalars};
use crate::language::Language;

/// The code of a matcher, as the only code of what is rendered.
pub(super) fn matcher(context: &Context<'_>, matcher: &Matcher) -> Option<Rendered> {
    let language = context.language;
    Some(match matcher {
        Matcher::Equals(Value::Null) | Matcher::Absent | Matcher::Type(JsonType::Null) => {
            call("nullValue", "")
        }
        Matcher::Equals(Value::Array(items)) => call("contains", &list(items, language)?),
        Matcher::Equals(value) => call("equalTo", &quote::scalar(value, language)?),
        Matcher::Unordered(items) if scalars(items) => call("containsInAnyOrder", &list(items, language)?),
        Matcher::Unordered(items) => size(items.len(), language),
        Matcher::Pattern(pattern) => call("matchesPattern", &quote::text(&pattern.open(), language)),
        Matcher::OneOf(values) => call("oneOf", &list(values, language)?),
        Matcher::Range(range) => between(range, language),
        Matcher::MediaType(media_type) => call("startsWith", &quote::text(media_type, language)),
        Matcher::Size(length) => size(*length, language),
        Matcher::Type(JsonType::Integer) if !context.fractional() => {
            join("anyOf", instance("Integer", language), instance("Long", language))
        }
        Matcher::Type(JsonType::Integer | JsonType::Number) => instance("Number", language),
        Matcher::Type(JsonType::String) => instance("String", language),
        Matcher::Type(JsonType::Boolean) => instance("Boolean", language),
        Matcher::Type(JsonType::Array) => instance("java.util.List", language),
        Matcher::Type(JsonType::Object) => instance("java.util.Map", language),
        Matcher::Present => call("notNullValue", ""),
        // A matcher sees no other value than its own.
        Matcher::Relation(_) => return self::matcher(context, &context.original_type()),
        Matcher::Variable(_)
        | Matcher::Text(_)
        | Matcher::Jwt(_)
        | Matcher::Recent(_)
        | Matcher::Disabled => return None,
    })
}

fn call(name: &'static str, arguments: &str) -> Rendered {
    Rendered { code: vec![format!("{name}({arguments})")], imports: [name].into() }
}

fn join(name: &'static str, left: Rendered, right: Rendered) -> Rendered {
    let arguments = [left.code, right.code].concat().join(", ");
    let mut joined = call(name, &arguments);
    joined.imports.extend(left.imports);
    joined.imports.extend(right.imports);
    joined
}

fn list(values: &[Value], language: Language) -> Option<String> {
    let values = values.iter().map(|value| quote::scalar(value, language));
    Some(values.collect::<Option<Vec<_>>>()?.join(", "))
}

/// Kotlin cannot infer what the collection is of.
fn size(length: usize, language: Language) -> Rendered {
    let generic = if language == Language::Kotlin { "<Any>" } else { "" };
    Rendered { code: vec![format!("hasSize{generic}({length})")], imports: ["hasSize"].into() }
}

fn instance(class: &str, language: Language) -> Rendered {
    if language == Language::Java {
        return call("instanceOf", &format!("{class}.class"));
    }
    let class = match class {
        "Integer" => "Int",
        "java.util.List" => "List",
        "java.util.Map" => "Map",
        other => other,
    };
    let generic = match class {
        "List" => "<*>",
        "Map" => "<*, *>",
        _ => "",
    };
    let class = if generic.is_empty() {
        format!("{class}::class.javaObjectType")
    } else {
        format!("{class}::class.java")
    };
    Rendered { code: vec![format!("instanceOf<Any>({class})")], imports: ["instanceOf"].into() }
}

/// The matcher for any number.
pub(super) fn number(context: &Context<'_>) -> Rendered {
    instance("Number", context.language)
}

/// Whether the numbers in a range are all of type `long` rather than `int`; none when they may be of several types, none of
/// which Java compares with another.
pub(super) fn bounds(range: &Range) -> Option<bool> {
    let (min, max) = (range.min.as_ref()?.as_i64()?, range.max.as_ref()?.as_i64()?);
    let int = |bound: i64| i32::try_from(bound).is_ok();
    match (int(min), int(max)) {
        (true, true) => Some(false),
        (false, false) if (min < 0) == (max < 0) => Some(true),
        _ => None,
    }
}

fn between(range: &Range, language: Language) -> Rendered {
    let bound = |name, number: &Option<Number>| Some(call(name, &quote::number(number.as_ref()?)?));
    match (bound("greaterThanOrEqualTo", &range.min), bound("lessThanOrEqualTo", &range.max)) {
        (Some(least), Some(most)) if bounds(range).is_some() => join("allOf", least, most),
        _ => instance("Number", language),
    }
}

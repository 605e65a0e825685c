//! Assertions of RestAssured and JUnit, for Java and Kotlin.

use serde_json::Value;
use steady_model::{JsonType, Matcher, Place};

use super::{Context, Rendered, hamcrest, quote};
use crate::language::Language;
use crate::pointer;

/// A call of a chain after `then()`.
pub(super) fn chained(
    context: &Context<'_>,
    place: &Place,
    matcher: &Matcher,
    quoted: bool,
    text: bool,
) -> Option<Rendered> {
    let language = context.language;
    let path = |pointer: &str| quote::text(&pointer::to_gpath(pointer, quoted), language);
    // A key whose value is null is there.
    if let (Place::Body(pointer), Matcher::Present) = (place, matcher)
        && let Some((outer, _)) = pointer.rsplit_once('/')
        && let Some(key) = pointer::steps(pointer).pop().filter(|key| !pointer::is_index(key))
    {
        let outer = if outer.is_empty() { quote::text("$", language) } else { path(outer) };
        let code = format!(".body({outer}, hasKey({}))", quote::text(&key, language));
        return Some(Rendered { code: vec![code], imports: ["hasKey"].into() });
    }
    let mut rendered = hamcrest::matcher(context, matcher)?;
    for code in &mut rendered.code {
        *code = match place {
            Place::Status => format!(".statusCode({code})"),
            Place::Header(name) if name == "content-type" => format!(".contentType({code})"),
            Place::Header(name) => format!(".header({}, {code})", quote::text(name, language)),
            Place::Body(pointer) if pointer.is_empty() && text => format!(".body({code})"),
            Place::Body(pointer) => format!(".body({}, {code})", path(pointer)),
        };
    }
    Some(rendered)
}

/// `.body("list.name", hasItem(value))`: GPath takes the name from every item.
pub(super) fn member(
    context: &Context<'_>,
    list: &Place,
    steps: &[String],
    value: &Value,
    quoted: bool,
) -> Option<Rendered> {
    let Place::Body(list) = list else { return None };
    steps.iter().all(|step| !pointer::is_index(step)).then_some(())?;
    let path = steps.iter().fold(list.clone(), |path, step| pointer::join(&path, step));
    let path = pointer::to_gpath(&path, quoted);
    let path = if path.is_empty() { "$".to_owned() } else { path };
    let value = quote::scalar(value, context.language)?;
    let code = format!(".body({}, hasItem({value}))", quote::text(&path, context.language));
    Some(Rendered { code: vec![code], imports: ["hasItem"].into() })
}

/// `assertThat(value, matcher)`.
pub(super) fn statement(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<Rendered> {
    if let Matcher::Relation(_) = matcher {
        return statement(context, place, &context.original_type());
    }
    if let (Place::Body(pointer), Matcher::Present) = (place, matcher)
        && let Some(rendered) = has_key(context, pointer)
    {
        return Some(rendered);
    }
    let (value, mut rendered) = match actual(context, place, matcher) {
        Some(value) => (value, hamcrest::matcher(context, matcher)?),
        // A number of a type that is not known can be compared with none.
        None if kind(matcher) == Kind::Number => {
            (context.subject(place)?.to_owned(), hamcrest::number(context))
        }
        None => return None,
    };
    for code in &mut rendered.code {
        *code = format!("assertThat({value}, {code})");
    }
    rendered.imports.insert("assertThat");
    Some(rendered)
}

/// What a matcher compares with, which decides how the value must be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Other,
}

fn kind(matcher: &Matcher) -> Kind {
    match matcher {
        Matcher::Equals(value) if value.is_string() || value.is_null() => Kind::Text,
        Matcher::OneOf(values) if values.iter().all(Value::is_string) => Kind::Text,
        Matcher::Pattern(_) | Matcher::MediaType(_) | Matcher::Present | Matcher::Absent => Kind::Text,
        Matcher::Type(JsonType::String) => Kind::Text,
        Matcher::Equals(Value::Number(_)) | Matcher::Range(_) => Kind::Number,
        Matcher::OneOf(values) if values.iter().any(Value::is_number) => Kind::Number,
        Matcher::Type(JsonType::Integer | JsonType::Number) => Kind::Number,
        _ => Kind::Other,
    }
}

/// Code for the value at a place, of the type that the matcher wants: as it is asserted now, or read anew.
fn actual(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<String> {
    let own = context.subject(place).filter(|code| match kind(matcher) {
        Kind::Text => true,
        Kind::Number => *place == Place::Status,
        Kind::Other => !code.contains("getString("),
    });
    own.map(str::to_owned).or_else(|| getter(context, place, matcher))
}

/// `assertThat(map, hasKey(…))`, which a key holds whose value is null.
fn has_key(context: &Context<'_>, pointer: &str) -> Option<Rendered> {
    let language = context.language;
    let json_path = context.site.known.get("")?.strip_suffix(".get")?;
    let (outer, _) = pointer.rsplit_once('/')?;
    let key = pointer::steps(pointer).pop().filter(|key| !pointer::is_index(key))?;
    let outer = if outer.is_empty() { "$".to_owned() } else { pointer::to_gpath(outer, false) };
    let generic = if language == Language::Kotlin { "<String, Any>" } else { "" };
    let (outer, key) = (quote::text(&outer, language), quote::text(&key, language));
    let code = format!("assertThat({json_path}.getMap{generic}({outer}), hasKey({key}))");
    Some(Rendered { code: vec![code], imports: ["assertThat", "hasKey"].into() })
}

/// Code that reads a place of the body by its path.
fn getter(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<String> {
    let Place::Body(pointer) = place else { return None };
    let get = context.site.known.get("")?;
    let path = quote::text(&pointer::to_gpath(pointer, false), context.language);
    if context.language == Language::Java {
        return Some(format!("{get}({path})"));
    }
    let generic = match matcher {
        _ if kind(matcher) == Kind::Text => "String",
        Matcher::Range(range) => {
            hamcrest::bounds(range).map_or("Any", |long| if long { "Long" } else { "Int" })
        }
        Matcher::Unordered(_) | Matcher::Size(_) => "List<Any>",
        _ => "Any",
    };
    Some(format!("{get}<{generic}>({path})"))
}

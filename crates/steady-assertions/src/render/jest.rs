//! Assertions of Jest, and expectations of SuperTest.

use serde_json::Value;
use steady_model::{JsonType, Matcher, Place, Relation, TimeFormat};

use super::{Context, InLiteral, Rendered, quote, recent, scalars};
use crate::language::Language;
use crate::pointer;

const SCRIPT: Language = Language::JavaScript;

pub(super) fn statement(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<Rendered> {
    let value = access(context, place)?;
    let code = match matcher {
        Matcher::Relation(_) if context.site.once => {
            return statement(context, place, &context.original_type());
        }
        Matcher::Relation(relation) => {
            let others = relation.places().iter().map(|place| access(context, place));
            related(&value, relation, &others.collect::<Option<Vec<_>>>()?)?
        }
        Matcher::Variable(name) => vec![format!("expect({value}).toBe({})", variable(context, name)?)],
        Matcher::Unordered(items) if context.site.once => {
            vec![format!(
                "expect({value}).toEqual(expect.arrayContaining([{}]))",
                quote::values(items, SCRIPT)
            )]
        }
        matcher => expect(&value, matcher)?,
    };
    Some(Rendered { code, ..Rendered::default() })
}

/// `expect(list.map((item) => item.name)).toContain(value)`
pub(super) fn member(
    context: &Context<'_>,
    list: &Place,
    steps: &[String],
    value: &Value,
) -> Option<Rendered> {
    let list = access(context, list)?;
    let items = match steps {
        [] => list,
        steps => format!("{list}.map((item) => {})", index("item".to_owned(), steps.to_vec())),
    };
    let check = if value.is_array() || value.is_object() { "toContainEqual" } else { "toContain" };
    let code = format!("expect({items}).{check}({})", quote::value(value, SCRIPT));
    Some(Rendered { code: vec![code], ..Rendered::default() })
}

/// A call of SuperTest's chain, which hands the response to a function.
pub(super) fn expectation(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<Rendered> {
    if let Matcher::Relation(_) = matcher {
        return expectation(context, place, &context.original_type());
    }
    let value = match place {
        Place::Status => "res.status".to_owned(),
        Place::Header(name) => format!("res.headers[{}]", quote::text(name, SCRIPT)),
        Place::Body(pointer) => index("res.body".to_owned(), pointer::steps(pointer)),
    };
    let code = expect(&value, matcher)?.join("; ");
    Some(Rendered { code: vec![format!(".expect((res) => {{ {code}; }})")], ..Rendered::default() })
}

/// A matcher in the place of a value, or the value's own code with an assertion besides.
pub(super) fn in_literal(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<InLiteral> {
    let asymmetric = match matcher {
        Matcher::Pattern(pattern) => {
            Some(format!("expect.stringMatching({})", quote::script_pattern(&pattern.open())))
        }
        Matcher::Equals(value) => Some(quote::value(value, SCRIPT)),
        Matcher::Type(json_type) => any(*json_type),
        Matcher::Variable(name) => Some(variable(context, name)?),
        Matcher::Relation(Relation::Same(other)) if !context.site.once => Some(access(context, other)?),
        Matcher::Relation(Relation::Count(list)) if !context.site.once => {
            Some(format!("{}.length", access(context, list)?))
        }
        _ => None,
    };
    if let Some(value) = asymmetric {
        return Some(InLiteral { value, besides: Rendered::default() });
    }
    if context.site.once {
        let value = match matcher {
            Matcher::Range(_) => "expect.any(Number)".to_owned(),
            Matcher::Recent(format) => of_time(context, *format),
            Matcher::Unordered(items) => {
                format!("expect.arrayContaining([{}])", quote::values(items, SCRIPT))
            }
            Matcher::Type(JsonType::Integer) => "expect.any(Number)".to_owned(),
            _ => "expect.anything()".to_owned(),
        };
        return Some(InLiteral { value, besides: Rendered::default() });
    }
    let besides = match matcher {
        Matcher::Disabled => Rendered::default(),
        matcher => statement(context, place, matcher)?,
    };
    // The type is said in the place, the rest besides; what may be of any type, and nothing, equals but itself.
    let value = match matcher {
        Matcher::Recent(format) => of_time(context, *format),
        Matcher::Type(JsonType::Integer)
        | Matcher::Range(_)
        | Matcher::Relation(Relation::Sum(_) | Relation::Product(_)) => "expect.any(Number)".to_owned(),
        Matcher::Unordered(_) | Matcher::Size(_) => "expect.any(Array)".to_owned(),
        Matcher::OneOf(values) if !values.iter().any(Value::is_null) => "expect.anything()".to_owned(),
        _ => access(context, place)?,
    };
    Some(InLiteral { value, besides })
}

/// The matcher for any time of a format.
fn of_time(context: &Context<'_>, format: TimeFormat) -> String {
    match recent::form(format, context) {
        Matcher::Pattern(pattern) => {
            format!("expect.stringMatching({})", quote::script_pattern(&pattern.open()))
        }
        _ => "expect.any(Number)".to_owned(),
    }
}

fn expect(value: &str, matcher: &Matcher) -> Option<Vec<String>> {
    let to = |check: String| vec![format!("expect({value}).{check}")];
    Some(match matcher {
        Matcher::Equals(Value::Null) | Matcher::Type(JsonType::Null) => to("toBeNull()".to_owned()),
        Matcher::Equals(expected) => to(format!("toEqual({})", quote::value(expected, SCRIPT))),
        Matcher::Unordered(items) if scalars(items) => {
            vec![format!("expect([...{value}].sort()).toEqual([{}].sort())", quote::values(items, SCRIPT))]
        }
        Matcher::Unordered(items) => vec![
            format!("expect({value}).toHaveLength({})", items.len()),
            format!("expect({value}).toEqual(expect.arrayContaining([{}]))", quote::values(items, SCRIPT)),
        ],
        Matcher::Pattern(pattern) => to(format!("toMatch({})", quote::script_pattern(&pattern.open()))),
        Matcher::OneOf(values) => {
            let check = if scalars(values) { "toContain" } else { "toContainEqual" };
            vec![format!("expect([{}]).{check}({value})", quote::values(values, SCRIPT))]
        }
        Matcher::Range(range) => {
            let least =
                range.min.as_ref().map(|min| format!("expect({value}).toBeGreaterThanOrEqual({min})"));
            let most = range.max.as_ref().map(|max| format!("expect({value}).toBeLessThanOrEqual({max})"));
            let bounds: Vec<_> = least.into_iter().chain(most).collect();
            if bounds.is_empty() { to("toEqual(expect.any(Number))".to_owned()) } else { bounds }
        }
        Matcher::MediaType(media_type) => {
            let anchored = quote::script_pattern(&crate::find::escape(media_type));
            to(format!("toMatch({}/)", anchored.trim_end_matches("$/")))
        }
        Matcher::Size(size) => to(format!("toHaveLength({size})")),
        Matcher::Type(JsonType::Integer) => vec![format!("expect(Number.isInteger({value})).toBe(true)")],
        Matcher::Type(json_type) => to(format!("toEqual({})", any(*json_type)?)),
        Matcher::Present => to("toBeDefined()".to_owned()),
        Matcher::Absent => to("toBeUndefined()".to_owned()),
        Matcher::Recent(format) => recent::jest(value, *format),
        Matcher::Relation(_)
        | Matcher::Variable(_)
        | Matcher::Text(_)
        | Matcher::Jwt(_)
        | Matcher::Disabled => return None,
    })
}

fn related(value: &str, relation: &Relation, others: &[String]) -> Option<Vec<String>> {
    Some(vec![match relation {
        Relation::Same(_) => format!("expect({value}).toEqual({})", others.first()?),
        Relation::Count(_) => format!("expect({value}).toBe({}.length)", others.first()?),
        Relation::Sum(_) | Relation::Product(_) => {
            let operator = if matches!(relation, Relation::Sum(_)) { " + " } else { " * " };
            let whole = others.join(operator);
            let rounding = Relation::ROUNDING;
            format!(
                "expect(Math.abs({value} - ({whole}))).toBeLessThanOrEqual({rounding:e} * Math.abs({value}))"
            )
        }
    }])
}

/// The matcher for any value of a type, where Jest has one.
fn any(json_type: JsonType) -> Option<String> {
    let class = match json_type {
        JsonType::Null => return Some("null".to_owned()),
        JsonType::Integer => return None,
        JsonType::Boolean => "Boolean",
        JsonType::Number => "Number",
        JsonType::String => "String",
        JsonType::Array => "Array",
        JsonType::Object => "Object",
    };
    Some(format!("expect.any({class})"))
}

/// Code for the value at a place.
fn access(context: &Context<'_>, place: &Place) -> Option<String> {
    let Some((code, steps)) = context.towards(place) else {
        return context.subject(place).map(str::to_owned);
    };
    let code =
        if code.starts_with("await ") && !steps.is_empty() { format!("({code})") } else { code.to_owned() };
    Some(index(code, steps))
}

/// Code for what a variable of the test holds.
fn variable(context: &Context<'_>, name: &str) -> Option<String> {
    let (code, steps) = context.variable(name)?;
    Some(index(code.to_owned(), steps))
}

fn index(mut code: String, steps: Vec<String>) -> String {
    for step in steps {
        let plain = step.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && step.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if plain {
            code.push_str(&format!(".{step}"));
        } else if pointer::is_index(&step) {
            code.push_str(&format!("[{step}]"));
        } else {
            code.push_str(&format!("[{}]", quote::text(&step, SCRIPT)));
        }
    }
    code
}

//! Assertions of pytest and unittest.

use serde_json::Value;
use steady_model::{JsonType, Matcher, Place, Relation};

use super::{Context, InLiteral, Rendered, quote, recent, scalars};
use crate::assertion::Form;
use crate::language::Language;
use crate::pointer;

const PYTHON: Language = Language::Python;

/// What must hold, before it is written as `assert …` or `self.assert…(…)`.
enum Condition {
    Equal(String, String),
    Matches(String, String),
    Instance(String, &'static str),
    In(String, String),
    IsNone(String),
    True(String),
}

pub(super) fn statement(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<Rendered> {
    let mut imports = std::collections::BTreeSet::new();
    let condition = condition(context, place, matcher)?;
    let unittest = context.site.form == Form::Unittest;
    let code = match condition {
        Condition::Equal(left, right) if unittest => format!("self.assertEqual({left}, {right})"),
        Condition::Equal(left, right) => format!("assert {left} == {right}"),
        Condition::Matches(regex, value) if unittest => {
            format!("self.assertRegex({value}, {})", quote::python_pattern(&format!("^(?:{regex})\\Z")))
        }
        Condition::Matches(regex, value) => {
            imports.insert("re");
            format!("assert re.fullmatch({}, {value})", quote::python_pattern(&regex))
        }
        Condition::Instance(value, class) if unittest => format!("self.assertIsInstance({value}, {class})"),
        Condition::Instance(value, class) => format!("assert isinstance({value}, {class})"),
        Condition::In(item, list) if unittest => format!("self.assertIn({item}, {list})"),
        Condition::In(item, list) => format!("assert {item} in {list}"),
        Condition::IsNone(value) if unittest => format!("self.assertIsNone({value})"),
        Condition::IsNone(value) => format!("assert {value} is None"),
        Condition::True(condition) if unittest => format!("self.assertTrue({condition})"),
        Condition::True(condition) => format!("assert {condition}"),
    };
    if let Matcher::Recent(format) = matcher {
        imports.insert(recent::python(context, "", *format).1);
    }
    if matches!(matcher, Matcher::Unordered(items) if !scalars(items)) {
        imports.insert("json");
    }
    Some(Rendered { code: vec![code], imports })
}

/// `assert value in [item["name"] for item in list]`
pub(super) fn member(
    context: &Context<'_>,
    list: &Place,
    steps: &[String],
    value: &Value,
) -> Option<Rendered> {
    let list = access(context, list)?;
    let items = if steps.is_empty() {
        list
    } else {
        format!("[{} for item in {list}]", index("item".to_owned(), steps))
    };
    let value = quote::value(value, PYTHON);
    let code = match context.site.form {
        Form::Unittest => format!("self.assertIn({value}, {items})"),
        _ => format!("assert {value} in {items}"),
    };
    Some(Rendered { code: vec![code], ..Rendered::default() })
}

/// What equals the value in its place, so that the rest is still compared whole: what it must be, or anything, with an assertion
/// besides.
pub(super) fn in_literal(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<InLiteral> {
    if context.site.once {
        return None;
    }
    let exact = match matcher {
        Matcher::Equals(value) => Some(quote::value(value, PYTHON)),
        Matcher::Relation(Relation::Same(other)) => Some(access(context, other)?),
        Matcher::Variable(name) => Some(variable(context, name)?),
        Matcher::Relation(Relation::Count(list)) => Some(format!("len({})", access(context, list)?)),
        _ => None,
    };
    if let Some(value) = exact {
        return Some(InLiteral { value, besides: Rendered::default() });
    }
    let mut besides = match matcher {
        Matcher::Disabled => Rendered::default(),
        matcher => statement(context, place, matcher)?,
    };
    besides.imports.extend(context.anything.import());
    Some(InLiteral { value: context.anything.code().to_owned(), besides })
}

fn condition(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<Condition> {
    if let (Matcher::Present | Matcher::Absent, Place::Body(pointer)) = (matcher, place)
        && let Some((outer, _)) = pointer.rsplit_once('/')
    {
        let outer = access(context, &Place::Body(outer.to_owned()))?;
        let step = pointer::steps(pointer).pop()?;
        let present = *matcher == Matcher::Present;
        return Some(if pointer::is_index(&step) {
            Condition::True(format!("len({outer}) {} {step}", if present { ">" } else { "<=" }))
        } else if present {
            Condition::In(quote::text(&step, PYTHON), outer)
        } else {
            Condition::True(format!("{} not in {outer}", quote::text(&step, PYTHON)))
        });
    }
    let value = access(context, place)?;
    Some(match matcher {
        Matcher::Equals(Value::Null) | Matcher::Absent | Matcher::Type(JsonType::Null) => {
            Condition::IsNone(value)
        }
        Matcher::Equals(expected) => Condition::Equal(value, quote::value(expected, PYTHON)),
        Matcher::Unordered(items) => {
            let same_kind = items.iter().all(Value::is_string) || items.iter().all(Value::is_number);
            let key = match (same_kind, scalars(items)) {
                (true, _) => "",
                (false, true) => ", key=repr",
                (false, false) => ", key=lambda item: json.dumps(item, sort_keys=True)",
            };
            let items = quote::values(items, PYTHON);
            Condition::Equal(format!("sorted({value}{key})"), format!("sorted([{items}]{key})"))
        }
        Matcher::Pattern(pattern) => Condition::Matches(pattern.open(), value),
        Matcher::OneOf(values) => Condition::In(value, format!("[{}]", quote::values(values, PYTHON))),
        Matcher::Range(range) => Condition::True(match (&range.min, &range.max) {
            (Some(min), Some(max)) => format!("{min} <= {value} <= {max}"),
            (Some(min), None) => format!("{value} >= {min}"),
            (None, Some(max)) => format!("{value} <= {max}"),
            (None, None) => return condition(context, place, &Matcher::Type(JsonType::Number)),
        }),
        Matcher::MediaType(media_type) => {
            Condition::True(format!("{value}.startswith({})", quote::text(media_type, PYTHON)))
        }
        Matcher::Size(size) => Condition::Equal(format!("len({value})"), size.to_string()),
        Matcher::Type(JsonType::Integer) if context.fractional() => {
            Condition::True(format!("float({value}).is_integer()"))
        }
        Matcher::Type(json_type) => Condition::Instance(value, class(*json_type)),
        Matcher::Present => Condition::True(format!("{value} is not None")),
        Matcher::Relation(_) if context.site.once => {
            return condition(context, place, &context.original_type());
        }
        Matcher::Relation(relation) => related(context, value, relation)?,
        Matcher::Recent(format) => Condition::True(recent::python(context, &value, *format).0),
        Matcher::Variable(name) => Condition::Equal(value, variable(context, name)?),
        Matcher::Text(_) | Matcher::Jwt(_) | Matcher::Disabled => {
            return None;
        }
    })
}

fn related(context: &Context<'_>, value: String, relation: &Relation) -> Option<Condition> {
    let others: Vec<_> =
        relation.places().iter().map(|place| access(context, place)).collect::<Option<_>>()?;
    Some(match relation {
        Relation::Same(_) => Condition::Equal(value, others.first()?.clone()),
        Relation::Count(_) => Condition::Equal(value, format!("len({})", others.first()?)),
        Relation::Sum(_) | Relation::Product(_) => {
            let operator = if matches!(relation, Relation::Sum(_)) { " + " } else { " * " };
            let whole = others.join(operator);
            let rounding = Relation::ROUNDING;
            Condition::True(format!("abs({value} - ({whole})) <= {rounding:e} * abs({value})"))
        }
    })
}

fn class(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Null => "type(None)",
        JsonType::Boolean => "bool",
        JsonType::Integer => "int",
        JsonType::Number => "(int, float)",
        JsonType::String => "str",
        JsonType::Array => "list",
        JsonType::Object => "dict",
    }
}

/// Code for the value at a place.
fn access(context: &Context<'_>, place: &Place) -> Option<String> {
    let Some((code, steps)) = context.towards(place) else {
        return context.subject(place).map(str::to_owned);
    };
    let code =
        if code.starts_with("await ") && !steps.is_empty() { format!("({code})") } else { code.to_owned() };
    Some(index(code, &steps))
}

/// Code for what a variable of the test holds.
fn variable(context: &Context<'_>, name: &str) -> Option<String> {
    let (code, steps) = context.variable(name)?;
    Some(index(code.to_owned(), &steps))
}

fn index(mut code: String, steps: &[String]) -> String {
    for step in steps {
        let step = if pointer::is_index(step) { step.clone() } else { quote::text(step, PYTHON) };
        code.push_str(&format!("[{step}]"));
    }
    code
}

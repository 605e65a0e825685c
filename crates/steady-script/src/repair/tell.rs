//! Tells a call how long it may wait.

use super::layout::Layout;
use super::list::{self, List};
use super::outline::{Call, Outline, Shape};
use super::slots::{self, Place, Site, Strength};
use super::target::Spot;
use super::{Edit, Obstacle, number};
use crate::{Framework, Span, Unit};

/// A call that could be told how long to wait, and where.
pub(super) struct Told {
    pub(super) call: usize,
    place: Place,
    pub(super) strength: Strength,
}

/// The call to tell: the one at the column, else the last of the line, else the last of the statement. Waits come before actions,
/// these before timers, and the limit of the test comes last.
pub(super) fn choose(
    outline: &Outline,
    layout: &Layout<'_>,
    frameworks: &[Framework],
    spot: &Spot,
) -> Option<Told> {
    let told = |call: usize| told(call, outline, frameworks);
    if let Some(byte) = spot.byte
        && let Some(call) = outline.calls.iter().position(|call| call.name_at == byte)
        && let Some(told) = told(call)
    {
        return Some(told);
    }
    let statement = spot.statement?;
    let of_statement = outline.calls.iter().enumerate().filter(|(_, call)| call.statement == Some(statement));
    let ranked = of_statement.filter_map(|(at, call)| {
        let told = told(at)?;
        let elsewhere = layout.lines.line(call.name_at) != spot.line;
        // A test's limit is meant only where the test is named.
        let is_meant = !elsewhere && spot.byte.is_none_or(|byte| byte == call.name_at);
        (told.strength != Strength::Limits || is_meant).then_some((elsewhere, told))
    });
    let best =
        ranked.min_by_key(|(elsewhere, told)| (*elsewhere, told.strength, std::cmp::Reverse(told.call)));
    best.map(|(_, told)| told).or_else(|| told(polling(outline, frameworks, spot)?))
}

/// The call that polls the function around the statement: a check in it fails when the time of that call is over.
pub(super) fn polling(outline: &Outline, frameworks: &[Framework], spot: &Spot) -> Option<usize> {
    let polls =
        |call: &usize| told(*call, outline, frameworks).is_some_and(|told| told.strength == Strength::Waits);
    outline.callers(spot.statement?).find(polls)
}

fn told(call: usize, outline: &Outline, frameworks: &[Framework]) -> Option<Told> {
    let site = Site { outline, frameworks, call: &outline.calls[call] };
    slots::slot(&site).map(|(place, strength)| Told { call, place, strength })
}

/// The edits that tell the call.
pub(super) fn tell(
    told: &Told,
    ms: u64,
    separators: bool,
    layout: &Layout<'_>,
    outline: &Outline,
) -> Result<Vec<Edit>, Obstacle> {
    let call = &outline.calls[told.call];
    let length = number::fresh(ms, Unit::Milliseconds, separators);
    match told.place {
        Place::Option { at, key, fill } => {
            option(call, at, &format!("{key}: {length}"), fill, key, layout, outline)
        }
        Place::Argument { at } => argument(call, at, length, layout, outline),
        Place::AfterTitle { key } => after_title(call, key, &length, layout, outline),
        Place::Chained { name } => Ok(vec![Edit::insert(call.span.end, format!(".{name}({length})"))]),
        Place::Opening { function, name } => {
            Ok(vec![opening(function, &format!("{name}({length})"), layout, outline)])
        }
        Place::NoThis => Err(Obstacle::ArrowHasNoThis),
    }
}

fn option(
    call: &Call,
    at: usize,
    property: &str,
    fill: &str,
    key: &str,
    layout: &Layout<'_>,
    outline: &Outline,
) -> Result<Vec<Edit>, Obstacle> {
    if call.arguments.iter().take(at + 1).any(|argument| matches!(argument.shape, Shape::Spread)) {
        return Err(Obstacle::OptionsComputed);
    }
    let Some(given) = call.arguments.get(at) else {
        return Ok(add_arguments(call, at, format!("{{ {property} }}"), fill, layout, outline));
    };
    match &given.shape {
        Shape::Object(object) if object.properties.iter().any(|one| one.name.as_deref() == Some(key)) => {
            Err(Obstacle::ComputedAtRunTime)
        }
        Shape::Object(object) => {
            let items: Vec<Span> = object.properties.iter().map(|property| property.span).collect();
            let list = List { open: given.span.start, items: &items, close: given.span.end - 1 };
            Ok(list::append(&list, &[property.to_owned()], layout, outline))
        }
        Shape::Names if layout.slice(given.span) == "undefined" => {
            Ok(vec![Edit { span: given.span, text: format!("{{ {property} }}") }])
        }
        Shape::Names => Ok(vec![Edit {
            span: given.span,
            text: format!("{{ ...{}, {property} }}", layout.slice(given.span)),
        }]),
        _ => Err(Obstacle::OptionsComputed),
    }
}

fn argument(
    call: &Call,
    at: usize,
    length: String,
    layout: &Layout<'_>,
    outline: &Outline,
) -> Result<Vec<Edit>, Obstacle> {
    let has_spread = call.arguments.iter().any(|argument| matches!(argument.shape, Shape::Spread));
    if has_spread || call.arguments.len() > at {
        return Err(Obstacle::ComputedAtRunTime);
    }
    Ok(add_arguments(call, at, length, "undefined", layout, outline))
}

fn add_arguments(
    call: &Call,
    at: usize,
    added: String,
    fill: &str,
    layout: &Layout<'_>,
    outline: &Outline,
) -> Vec<Edit> {
    let items: Vec<Span> = call.arguments.iter().map(|argument| argument.span).collect();
    let mut all = vec![fill.to_owned(); at - items.len()];
    all.push(added);
    let list = List { open: call.open, items: &items, close: call.span.end - 1 };
    list::append(&list, &all, layout, outline)
}

fn after_title(
    call: &Call,
    key: &str,
    length: &str,
    layout: &Layout<'_>,
    outline: &Outline,
) -> Result<Vec<Edit>, Obstacle> {
    match call.arguments.get(1) {
        Some(second) if matches!(second.shape, Shape::Function) => {
            Ok(vec![Edit::insert(second.span.start, format!("{{ {key}: {length} }}, "))])
        }
        _ => option(call, 1, &format!("{key}: {length}"), "{}", key, layout, outline),
    }
}

/// A call as the first statement of a function.
fn opening(function: usize, call: &str, layout: &Layout<'_>, outline: &Outline) -> Edit {
    let function = &outline.functions[function];
    let end = if layout.has_semicolons(outline) { ";" } else { "" };
    match function.first {
        Some(first) if layout.begins_line(first) => {
            Edit::insert(first, format!("{call}{end}{}{}", layout.newline(), layout.indentation(first)))
        }
        Some(first) => Edit::insert(first, format!("{call}; ")),
        None if function.is_expression => Edit {
            span: function.body,
            text: format!("{{ {call}; return {}; }}", layout.slice(function.body)),
        },
        None => Edit {
            span: Span { start: function.body.start + 1, end: function.body.end - 1 },
            text: format!(" {call}{end} "),
        },
    }
}

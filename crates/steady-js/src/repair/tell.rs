//! Tells a call how long it may wait.

use steady_edit::Span;

use super::layout::Layout;
use super::list::{self, List};
use super::number::{self, Separators};
use super::outline::{Call, Outline, Shape};
use super::slots::{self, Place, Site, Slot, Strength};
use super::target::Spot;
use super::{Edit, Obstacle};
use crate::{Framework, Unit};

/// A call that could be told how long to wait, and where.
pub(super) struct Told {
    call: usize,
    pub(super) slot: Slot,
}

/// The call to tell: the one at the column, else the last of the line, else the last of the statement. Waits come before
/// actions, these before timers, and the limit of the test comes last.
pub(super) fn choose(layout: &Layout<'_>, frameworks: &[Framework], spot: &Spot) -> Option<Told> {
    let outline = layout.outline;
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
        (told.slot.strength != Strength::Limits || is_meant).then_some((elsewhere, told))
    });
    let best =
        ranked.min_by_key(|(elsewhere, told)| (*elsewhere, told.slot.strength, std::cmp::Reverse(told.call)));
    best.map(|(_, told)| told).or_else(|| told(polling(outline, frameworks, spot)?))
}

/// The call that polls the function around the statement: a check in it fails when the time of that call is over.
pub(super) fn polling(outline: &Outline, frameworks: &[Framework], spot: &Spot) -> Option<usize> {
    let polls = |call: &usize| {
        told(*call, outline, frameworks).is_some_and(|told| told.slot.strength == Strength::Waits)
    };
    outline.callers(spot.statement?).find(polls)
}

fn told(call: usize, outline: &Outline, frameworks: &[Framework]) -> Option<Told> {
    let site = Site { outline, frameworks, call: &outline.calls[call] };
    slots::slot(&site).map(|slot| Told { call, slot })
}

/// The edits that tell the call.
pub(super) fn tell(
    told: &Told,
    ms: u64,
    separators: Separators,
    layout: &Layout<'_>,
) -> Result<Vec<Edit>, Obstacle> {
    let call = &layout.outline.calls[told.call];
    let length = number::fresh(ms, Unit::Milliseconds, separators);
    match told.slot.place {
        Place::Option { at, key, fill } => option(call, at, (key, &length), fill, layout),
        Place::Argument { at } => argument(call, at, length, layout),
        Place::AfterTitle { key } => after_title(call, (key, &length), layout),
        Place::Chained { name } => Ok(vec![Edit::insert(call.span.end, format!(".{name}({length})"))]),
        Place::Opening { function, name } => {
            Ok(vec![opening(function, &format!("{name}({length})"), layout)])
        }
        Place::NoThis => Err(Obstacle::ArrowHasNoThis),
    }
}

/// Puts a property into the options at a place.
fn option(
    call: &Call,
    at: usize,
    (key, length): (&str, &str),
    fill: &str,
    layout: &Layout<'_>,
) -> Result<Vec<Edit>, Obstacle> {
    if call.arguments.iter().take(at + 1).any(|argument| matches!(argument.shape, Shape::Spread)) {
        return Err(Obstacle::OptionsComputed);
    }
    let property = format!("{key}: {length}");
    let Some(given) = call.arguments.get(at) else {
        return Ok(add_arguments(call, at, format!("{{ {property} }}"), fill, layout));
    };
    let replaced = |text: String| Ok(vec![Edit { span: given.span, text }]);
    match &given.shape {
        Shape::Object(object) if object.properties.iter().any(|one| one.name.as_deref() == Some(key)) => {
            Err(Obstacle::ComputedAtRunTime)
        }
        Shape::Object(object) => {
            let items: Vec<Span> = object.properties.iter().map(|property| property.span).collect();
            let list = List { open: given.span.start, items: &items, close: given.span.end - 1 };
            Ok(list::append(&list, &[property], layout))
        }
        Shape::Names if layout.slice(given.span) == "undefined" => replaced(format!("{{ {property} }}")),
        Shape::Names => replaced(format!("{{ ...{}, {property} }}", layout.slice(given.span))),
        _ => Err(Obstacle::OptionsComputed),
    }
}

fn argument(call: &Call, at: usize, length: String, layout: &Layout<'_>) -> Result<Vec<Edit>, Obstacle> {
    let has_spread = call.arguments.iter().any(|argument| matches!(argument.shape, Shape::Spread));
    if has_spread || call.arguments.len() > at {
        return Err(Obstacle::ComputedAtRunTime);
    }
    Ok(add_arguments(call, at, length, "undefined", layout))
}

fn add_arguments(call: &Call, at: usize, added: String, fill: &str, layout: &Layout<'_>) -> Vec<Edit> {
    let items: Vec<Span> = call.arguments.iter().map(|argument| argument.span).collect();
    let mut all = vec![fill.to_owned(); at - items.len()];
    all.push(added);
    list::append(&List { open: call.open, items: &items, close: call.span.end - 1 }, &all, layout)
}

fn after_title(call: &Call, (key, length): (&str, &str), layout: &Layout<'_>) -> Result<Vec<Edit>, Obstacle> {
    match call.arguments.get(1) {
        Some(second) if matches!(second.shape, Shape::Function) => {
            Ok(vec![Edit::insert(second.span.start, format!("{{ {key}: {length} }}, "))])
        }
        _ => option(call, 1, (key, length), "{}", layout),
    }
}

/// A call as the first statement of a function.
fn opening(function: usize, call: &str, layout: &Layout<'_>) -> Edit {
    let function = &layout.outline.functions[function];
    let (end, newline) = (layout.semicolon(), layout.newline());
    match function.first {
        Some(first) if layout.begins_line(first) => {
            Edit::insert(first, format!("{call}{end}{newline}{}", layout.indentation(first)))
        }
        Some(first) => Edit::insert(first, format!("{call}; ")),
        None if function.is_expression => {
            let text = format!("{{ {call}; return {}; }}", layout.slice(function.body));
            Edit { span: function.body, text }
        }
        None => Edit::insert(function.body.start + 1, format!(" {call}; ")),
    }
}

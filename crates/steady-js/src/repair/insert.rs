//! Puts a wait beside a statement.

use steady_edit::Span;

use super::layout::Layout;
use super::outline::{Call, Function, Kind, Outline, Statement};
use super::{Edit, Obstacle};

/// Where a wait goes.
pub(super) enum Seat {
    /// Before or behind a statement.
    Beside { statement: usize, is_before: bool },
    /// Before the expression that an arrow leads to.
    Arrow { function: usize },
}

/// The seat for a statement, and the function it is in. A wait goes behind what needs time, and before what is only
/// looked at then: an assertion, a `return`, the head of a loop.
pub(super) fn seat(statement: usize, byte: Option<usize>, outline: &Outline) -> (Seat, Option<usize>) {
    let statement = decided(statement, outline);
    let beside = &outline.statements[statement];
    if let Some(arrow) = arrow(statement, byte, outline) {
        return (Seat::Arrow { function: arrow }, Some(arrow));
    }
    let is_before = beside.kind != Kind::Simple || asserts(statement, outline);
    (Seat::Beside { statement, is_before }, beside.function)
}

/// What decides whether a statement runs that only leaves: a wait before `throw` in `if (!done) throw …` would come too late.
fn decided(statement: usize, outline: &Outline) -> usize {
    let Statement { kind, is_bare, parent, .. } = outline.statements[statement];
    let calls = || outline.calls.iter().any(|call| call.statement == Some(statement));
    match parent {
        Some(parent) if is_bare && kind == Kind::Leaving && !calls() => decided(parent, outline),
        _ => statement,
    }
}

/// The async arrow in a statement of a function that is not async, if it leads to an expression: the last one, or the
/// one at a byte.
fn arrow(statement: usize, byte: Option<usize>, outline: &Outline) -> Option<usize> {
    let around = &outline.statements[statement];
    if around.function.is_some_and(|function| outline.functions[function].is_async) {
        return None;
    }
    let in_it = |function: &Function| {
        function.is_async
            && function.is_expression
            && around.span.covers(function.span)
            && byte.is_none_or(|byte| function.span.contains(byte))
            && outline.statement_around(function.span) == Some(statement)
    };
    outline.functions.iter().rposition(in_it)
}

/// Whether a statement checks something.
fn asserts(statement: usize, outline: &Outline) -> bool {
    let checks = |call: &Call| {
        ["expect", "assert", "verify", "should"]
            .iter()
            .any(|word| call.root.starts_with(word) || call.name.starts_with(word))
    };
    outline.calls.iter().filter(|call| call.statement == Some(statement)).any(checks)
}

/// The edits that put `wait` into its seat.
pub(super) fn insert(seat: &Seat, wait: &str, layout: &Layout<'_>) -> Result<Vec<Edit>, Obstacle> {
    match seat {
        Seat::Arrow { function } => Ok(vec![into_arrow(&layout.outline.functions[*function], wait, layout)]),
        Seat::Beside { statement, is_before } => {
            let beside = &layout.outline.statements[*statement];
            if beside.is_bare {
                return braced(beside, *is_before, wait, layout);
            }
            Ok(if *is_before { before(beside, wait, layout) } else { behind(beside, wait, layout) })
        }
    }
}

fn into_arrow(function: &Function, wait: &str, layout: &Layout<'_>) -> Edit {
    let expression = layout.slice(function.body);
    Edit { span: function.body, text: format!("{{ {wait}; return {expression}; }}") }
}

/// Above the statement and the comments that are about it, or on its line where others share that.
fn before(statement: &Statement, wait: &str, layout: &Layout<'_>) -> Vec<Edit> {
    let start = statement.span.start;
    if !layout.begins_line(start) {
        return vec![Edit::insert(start, format!("{wait}; "))];
    }
    let end = end(layout.text[start..].chars().next(), layout);
    let indentation = layout.indentation(start);
    let mut line = layout.lines.line(start);
    while line > 1 && layout.line(line - 1).trim_start().starts_with("//") {
        line -= 1;
    }
    let code = layout
        .lines
        .span(layout.text, line)
        .map_or(start, |span| span.start + layout.indentation(span.start).len());
    vec![Edit::insert(code, format!("{wait}{end}{}{indentation}", layout.newline()))]
}

/// Below the statement's line, or on it where others share it.
fn behind(statement: &Statement, wait: &str, layout: &Layout<'_>) -> Vec<Edit> {
    let Span { start, end: last } = statement.span;
    if !layout.ends_line(last) {
        let stop = if layout.slice(statement.span).ends_with(';') { "" } else { ";" };
        return vec![Edit::insert(last, format!("{stop} {wait};"))];
    }
    let next = layout.text[layout.line_end(last)..].trim_start().chars().next();
    let end = end(next, layout);
    let text = format!("{}{}{wait}{end}", layout.newline(), layout.indentation(start));
    vec![Edit::insert(layout.line_end(last), text)]
}

/// Braces around a statement that had none, and the wait between them.
fn braced(
    statement: &Statement,
    is_before: bool,
    wait: &str,
    layout: &Layout<'_>,
) -> Result<Vec<Edit>, Obstacle> {
    let Span { start, end: last } = statement.span;
    let head = layout.text[..start].trim_end().len();
    let parent = statement
        .parent
        .map(|parent| layout.outline.statements[parent].span.start)
        .ok_or(Obstacle::NoPlace)?;
    if head == 0 || layout.outline.is_comment(head - 1) {
        return Err(Obstacle::NoPlace);
    }
    let stop = if layout.slice(statement.span).ends_with([';', '}']) { "" } else { ";" };
    if !layout.begins_line(start) {
        let text = layout.slice(statement.span);
        let text = if is_before {
            format!("{{ {wait}; {text}{stop} }}")
        } else {
            format!("{{ {text}{stop} {wait}; }}")
        };
        return Ok(vec![Edit { span: statement.span, text }]);
    }
    let end = layout.semicolon();
    let (newline, inner, outer) = (layout.newline(), layout.indentation(start), layout.indentation(parent));
    let close = if layout.ends_line(last) { layout.line_end(last) } else { last };
    Ok(if is_before {
        vec![
            Edit::insert(head, " {".to_owned()),
            Edit::insert(start, format!("{wait}{end}{newline}{inner}")),
            Edit::insert(close, format!("{newline}{outer}}}")),
        ]
    } else {
        vec![
            Edit::insert(head, " {".to_owned()),
            Edit::insert(close, format!("{newline}{inner}{wait}{end}{newline}{outer}}}")),
        ]
    })
}

/// What ends the wait: what ends statements, or a semicolon if what follows would be read as a part of the wait.
fn end(next: Option<char>, layout: &Layout<'_>) -> &'static str {
    if matches!(next, Some('(' | '[' | '`' | '/' | '+' | '-')) { ";" } else { layout.semicolon() }
}

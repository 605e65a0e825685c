//! Where a wait is to be changed.

use steady_edit::Span;

use super::layout::Layout;
use super::outline::{Kind, Outline};
use super::{Obstacle, RepairError, survey, tell};
use crate::{Kind as Paid, Script, Wait};

/// A place where a wait is to be changed or put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in UTF-16 code units as a stack has it.
    pub column: Option<usize>,
    /// Which of the script's waits is meant, if one is there.
    pub wait: Option<usize>,
    /// How long is waited there now, in milliseconds: what is written, or what the framework does when it is told nothing
    /// and the project's configuration does not say otherwise. `None`: not at all, or nobody knows.
    pub ms: Option<u64>,
    /// What a repair adds, where no length is written yet.
    pub adds: Option<Paid>,
}

impl Target {
    /// The line of a failure, or one that a person named.
    pub fn at(script: &Script, line: usize) -> Result<Self, RepairError> {
        Self::near(script, line, None)
    }

    /// The place of a failure. The column decides where several calls or statements share the line.
    pub fn near(script: &Script, line: usize, column: Option<usize>) -> Result<Self, RepairError> {
        let outline = survey::of(script)?;
        let layout = Layout::of(script.text(), &outline);
        let spot = spot(&layout, line, column)?;
        let wait = wait(script.waits(), &layout, &spot).or_else(|| polling(script, &outline, &spot));
        let runs = spot.statement.is_some_and(|at| outline.statements[at].kind != Kind::Declaration);
        if wait.is_none() && !runs {
            return Err(RepairError::NoWaitAt { line });
        }
        if let Some(written) = wait.and_then(|at| script.waits()[at].ms()) {
            return Ok(Self { line, column, wait, ms: Some(written), adds: None });
        }
        let slot = tell::choose(&layout, script.frameworks(), &spot).map(|told| told.slot);
        let adds = slot.as_ref().map_or(Paid::Sleep, |slot| slot.strength.kind());
        Ok(Self { line, column, wait, ms: slot.and_then(|slot| slot.default), adds: Some(adds) })
    }

    /// The same place, where a sleep is put in though a call there could be told how long to wait.
    pub fn with_pause(self) -> Self {
        match self.adds {
            Some(_) => Self { ms: None, adds: Some(Paid::Sleep), ..self },
            None => self,
        }
    }
}

/// A target in the outline of its file.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) line: usize,
    /// The byte of the column.
    pub(super) byte: Option<usize>,
    /// The innermost statement there.
    pub(super) statement: Option<usize>,
}

/// Finds a line in the outline.
pub(super) fn spot(layout: &Layout<'_>, line: usize, column: Option<usize>) -> Result<Spot, RepairError> {
    let outline = layout.outline;
    let lines = layout.lines.count();
    let Some(span) = layout.lines.span(layout.text, line) else {
        return Err(RepairError::LineOutOfRange { line, lines });
    };
    let code = layout.slice(span);
    let first = span.start + (code.len() - code.trim_start().len());
    if code.trim().is_empty() || is_comment(outline, first, span.end) {
        return Err(RepairError::NoWaitAt { line });
    }
    if outline.texts.iter().any(|text| text.start < first && text.contains(first)) {
        return Err(RepairError::NotEditable { line, why: Obstacle::InText });
    }
    let byte = column.map(|column| byte(code, span.start, column));
    Ok(Spot { line, byte, statement: statement(outline, span, first, byte) })
}

fn is_comment(outline: &Outline, first: usize, end: usize) -> bool {
    outline.comments.iter().any(|comment| comment.start <= first && comment.end >= end)
}

/// The byte of a column; a column behind the line is its end.
fn byte(code: &str, start: usize, column: usize) -> usize {
    let mut units = 1;
    for (at, sign) in code.char_indices() {
        if units >= column {
            return start + at;
        }
        units += sign.len_utf16();
    }
    start + code.len()
}

/// The statement at a byte, or the last that begins on the line, or the innermost that the line is a part of.
fn statement(outline: &Outline, line: Span, first: usize, byte: Option<usize>) -> Option<usize> {
    let innermost =
        |byte: usize| outline.statements.iter().rposition(|statement| statement.span.contains(byte));
    if let Some(byte) = byte {
        return innermost(byte);
    }
    let begins = |at: &usize| {
        let statement = &outline.statements[*at];
        line.contains(statement.span.start) && statement.kind != Kind::Declaration
    };
    // Statements of a function that is written on the line do not hide the one that the line begins with.
    let around = innermost(first);
    let beside = |at: &usize| {
        around.is_none_or(|around| outline.statements[*at].function == outline.statements[around].function)
    };
    (0..outline.statements.len()).rev().filter(begins).find(beside).or(around)
}

/// The wait that is meant: of those that have a length the one at the column, else the last one of the line; then those
/// that have no length; then those of the rest of the statement. Limits of tests come last.
fn wait(waits: &[Wait], layout: &Layout<'_>, spot: &Spot) -> Option<usize> {
    let outline = layout.outline;
    let in_statement = |wait: &Wait| {
        let statement = spot.statement.filter(|at| outline.statements[*at].kind != Kind::Compound);
        let covers = statement.is_some_and(|at| outline.statements[at].span.covers(wait.call));
        covers && outline.statement_around(wait.call) == statement
    };
    let value_here = |wait: &Wait| wait.value.as_ref().is_some_and(|value| value.line == spot.line);
    let rank = |wait: &Wait| {
        // What happens in a test is not about the test's limit.
        if wait.kind == Paid::TestTimeout
            && spot.byte.is_some_and(|byte| wait.call.contains(byte) && name_at(wait, layout) != byte)
        {
            return None;
        }
        let place = match spot.byte {
            Some(byte) if name_at(wait, layout) == byte => 0,
            _ if wait.line == spot.line => 1,
            _ if value_here(wait) => 2,
            _ if in_statement(wait) => 3,
            _ => return None,
        };
        Some((place == 3, wait.value.is_none(), wait.kind == Paid::TestTimeout, place))
    };
    let ranked = waits
        .iter()
        .enumerate()
        .filter_map(|(at, wait)| Some((rank(wait)?, std::cmp::Reverse(wait.call.end), at)));
    ranked.min().map(|(_, _, at)| at)
}

/// The wait that polls the function around a statement.
fn polling(script: &Script, outline: &Outline, spot: &Spot) -> Option<usize> {
    let caller = tell::polling(outline, script.frameworks(), spot)?;
    script.waits().iter().position(|wait| wait.call == outline.calls[caller].span)
}

fn name_at(wait: &Wait, layout: &Layout<'_>) -> usize {
    let Some(line) = layout.lines.span(layout.text, wait.line) else { return wait.call.start };
    byte(layout.slice(line), line.start, wait.column)
}

//! Changes a wait: the file with another length, told or inserted.
//!
//! A repair does one of three things, the first that fits, as TRaf does (section 4.2.1 of its paper). It replaces the
//! length that a wait has, in the way it is written. It tells a call that waits, and was told nothing, how long it may:
//! in the place where its framework takes that. Or it inserts a sleep in the file's own idiom: behind the statement, or
//! before it when it is an assertion.
//!
//! Edits are spans and text: all other bytes stay. The result is parsed again before it is handed out.

mod edit;
mod error;
mod idiom;
mod insert;
mod layout;
mod list;
mod number;
mod outline;
mod slots;
mod survey;
mod target;
mod tell;
mod unused;

pub use error::{Obstacle, RepairError};
pub use target::Target;
pub use unused::without_unused_imports;

use layout::Layout;
use number::Separators;
use serde::Serialize;
use slots::Strength;
use steady_edit::{Edit, apply};
use target::Spot;

use crate::{Holder, Kind, Script, Value, Wait};

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The whole new text.
    pub text: String,
    /// What was changed for the length, in the order of the text.
    pub edits: Vec<Edit>,
    /// What was done.
    pub action: Action,
    /// The line of the new text that has the length, from 1.
    pub line: usize,
    /// Whether every run now pays for the length, so that waiting for a condition would be the cure.
    pub stop_gap: bool,
    /// How many other waits of the file have the length as well, since all read one constant.
    pub shared: usize,
}

impl Repair {
    /// The same without the imports that it left without a use.
    #[must_use]
    pub fn tidied(self, script: &Script) -> Self {
        let Some(text) = without_unused_imports(script, &self.text) else { return self };
        // Imports stand above what uses them.
        let removed = self.text.matches('\n').count() - text.matches('\n').count();
        Self { line: self.line.saturating_sub(removed), text, ..self }
    }
}

/// What a repair does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A length was there and is another.
    Replaced,
    /// A call that waits was told how long.
    AddedTimeout,
    /// A sleep was put in.
    InsertedWait,
}

/// Makes the wait at a place `ms` long.
///
/// ```
/// use std::path::Path;
/// use steady_js::{Script, repair::{Action, Target, repair}};
///
/// let text = "it('saves', async () => {\n  await screen.findByText('Saved');\n});\n";
/// let script = Script::read(Path::new("save.test.js"), text)?;
/// let repair = repair(&script, &Target::at(&script, 2)?, 5000)?;
/// assert_eq!(repair.action, Action::AddedTimeout);
/// assert!(repair.text.contains("findByText('Saved', {}, { timeout: 5000 })"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If nothing on the line could wait, if what is there is computed at run time, if a sleep may not stand there, or if
/// the file would no longer parse.
pub fn repair(script: &Script, target: &Target, ms: u64) -> Result<Repair, RepairError> {
    let valued = target.wait.and_then(|at| script.waits().get(at)).filter(|wait| wait.value.is_some());
    if let Some(wait) = valued {
        return finished(script, replaced(script, wait, ms));
    }
    let outline = survey::of(script)?;
    let layout = Layout::of(script.text(), &outline);
    let spot = target::spot(&layout, target.line, target.column)?;
    if script.unread_waits().iter().any(|wait| wait.line == spot.line && wait.kind != Kind::TestTimeout) {
        return Err(RepairError::NotEditable { line: spot.line, why: Obstacle::ComputedAtRunTime });
    }
    let told = tell::choose(&layout, script.frameworks(), &spot);
    let change = match told.filter(|_| target.adds != Some(Kind::Sleep)) {
        Some(told) => {
            let edits = tell::tell(&told, ms, separators(script), &layout)
                .map_err(|why| RepairError::NotEditable { line: spot.line, why })?;
            let stop_gap = told.slot.strength == Strength::Sleeps;
            Change { edits, action: Action::AddedTimeout, stop_gap, shared: 0 }
        }
        None => inserted(script, &layout, &spot, ms)?,
    };
    finished(script, change)
}

/// What is to be changed.
struct Change {
    edits: Vec<Edit>,
    action: Action,
    stop_gap: bool,
    shared: usize,
}

fn replaced(script: &Script, wait: &Wait, ms: u64) -> Change {
    let edits = wait.value.iter().map(|value| {
        let old = value.span.get(script.text()).unwrap_or_default();
        let text = match &value.holder {
            Holder::Number => number::rewritten(old, value, ms),
            Holder::Object(key) => overridden(script, value, old, key, ms),
            Holder::Shorthand => format!("{old}: {}", number::fresh(ms, value.unit, separators(script))),
        };
        Edit { span: value.span, text }
    });
    let holds = |other: &&Wait| {
        let same = |one: &Wait| one.value.as_ref().map(|value| value.span);
        same(other) == same(wait) && other.call != wait.call
    };
    let shared = script.waits().iter().filter(holds).count();
    Change { edits: edits.collect(), action: Action::Replaced, stop_gap: wait.kind.is_blocking(), shared }
}

/// The object with another length; others may use it too, so that it stays as it is.
fn overridden(script: &Script, value: &Value, object: &str, key: &str, ms: u64) -> String {
    let length = number::fresh(ms, value.unit, separators(script));
    let is_spread = script.text()[..value.span.start].trim_end().ends_with("...");
    if is_spread {
        format!("{object}, {key}: {length}")
    } else {
        format!("{{ ...{object}, {key}: {length} }}")
    }
}

fn inserted(script: &Script, layout: &Layout<'_>, spot: &Spot, ms: u64) -> Result<Change, RepairError> {
    let outline = layout.outline;
    let line = spot.line;
    let runs = spot.statement.filter(|at| outline.statements[*at].kind != outline::Kind::Declaration);
    let statement = runs.ok_or(RepairError::NoWaitAt { line })?;
    let (seat, function) = insert::seat(statement, spot.byte, outline);
    let idiom = idiom::idiom(script, layout, statement, function);
    let may_await = function.map_or(outline.awaits, |function| outline.functions[function].is_async);
    if idiom.is_awaited && !may_await {
        return Err(RepairError::NotAsync { line });
    }
    let wait = idiom.written(ms, separators(script));
    let edits = insert::insert(&seat, &wait, layout).map_err(|why| RepairError::NotEditable { line, why })?;
    Ok(Change { edits, action: Action::InsertedWait, stop_gap: true, shared: 0 })
}

/// From which length on the file writes separators.
fn separators(script: &Script) -> Separators {
    let lengths = script.waits().iter().filter_map(|wait| wait.value.as_ref());
    Separators::of(lengths.filter_map(|value| value.span.get(script.text())))
}

/// Makes the edits and reads the result.
fn finished(script: &Script, change: Change) -> Result<Repair, RepairError> {
    let Change { edits, action, stop_gap, shared } = change;
    let text = apply(script.text(), &edits).map_err(|error| RepairError::Conflict { error })?;
    Script::read(script.path(), &text).map_err(|error| RepairError::WouldNotParse { error })?;
    let line = edit::line(script.text(), &edits);
    Ok(Repair { text, edits, action, line, stop_gap, shared })
}

#[cfg(test)]
mod tests;

//! `steady waits lint --fix`: deletes sleeps that nothing needs.

use std::path::Path;

use steady_edit::Span;
use steady_model::Event;
use steady_waits::lint::{Complaint, without};
use steady_waits::scripts::ScriptFile;

use super::LintArgs;
use crate::commands::waits::tune::refuse_dirty;
use crate::error::CommandError;
use crate::session::Session;
use crate::ui::{counted, escape_lines};

/// What was, or would be, deleted.
pub(super) struct Fixes {
    /// The change, file by file.
    pub(super) patch: String,
    /// How many sleeps go.
    pub(super) sleeps: usize,
    files: usize,
    /// Whether the files are changed.
    pub(super) written: bool,
}

/// Deletes the sleeps that the lines after them do not need, or shows how.
pub(super) fn fixes(
    args: &LintArgs,
    files: &[ScriptFile],
    complaints: &[Vec<Complaint>],
    session: &Session,
) -> Result<Fixes, CommandError> {
    let mut changes: Vec<(&Path, &str, String, usize)> = Vec::new();
    for (file, complaints) in files.iter().zip(complaints) {
        let mut spans: Vec<Span> = complaints.iter().filter_map(|complaint| complaint.deletion).collect();
        spans.dedup();
        if let Some(text) =
            Some(&spans).filter(|spans| !spans.is_empty()).and_then(|spans| without(&file.script, spans))
        {
            changes.push((&file.path, file.script.text(), text, spans.len()));
        }
    }
    if args.write {
        changes.iter().try_for_each(|(path, ..)| refuse_dirty(path, args.allow_dirty))?;
        for (path, old, new, _) in &changes {
            steady_edit::write(path, old, new)?;
            session.emit(Event::FileWritten { path: path.display().to_string() });
        }
    }
    Ok(Fixes {
        patch: changes.iter().map(|(path, old, new, _)| steady_edit::diff(path, old, new)).collect(),
        sleeps: changes.iter().map(|(.., sleeps)| sleeps).sum(),
        files: changes.len(),
        written: args.write && !changes.is_empty(),
    })
}

impl Fixes {
    /// For people, given how many findings there are.
    pub(super) fn report(&self, found: usize) -> String {
        if self.sleeps == 0 {
            return format!(
                "No sleep can simply be deleted; {} left: see them without --fix\n",
                counted(found, "finding")
            );
        }
        let (sleeps, files) = (counted(self.sleeps, "sleep"), counted(self.files, "file"));
        let left = counted(found.saturating_sub(self.sleeps), "other finding");
        let ending = if self.written {
            format!("Deleted {sleeps} in {files}; {left}\n")
        } else {
            format!(
                "{sleeps} in {files} can be deleted; {left}\nApply this with --write, then run the tests\n"
            )
        };
        format!("{}\n{ending}", escape_lines(&self.patch))
    }
}

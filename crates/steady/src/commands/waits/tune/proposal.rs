//! The change that is proposed: another value, or the deletion of a sleep that nothing needs.

use std::path::PathBuf;

use steady_js::repair::{Repair, RepairError, Target, repair};
use steady_waits::locate::Located;
use steady_waits::tune::drive::Tuned;
use steady_waits::tune::{Deletion, deletion_at, stop_gap_advice};

use super::{TuneArgs, WaitLocation};
use crate::error::{CommandError, UserError};
use crate::session::Session;

/// What is proposed for a wait.
pub(super) enum Proposal {
    /// No value is known, or none can be written here.
    Nothing {
        /// The value that would be proposed.
        chosen: Option<u64>,
    },
    /// Another value.
    Value {
        /// In milliseconds.
        ms: u64,
        /// The changed file.
        change: Box<Repair>,
    },
    /// The sleep goes.
    Deletion(Deletion),
}

impl Proposal {
    /// Decides from what was found and, if the test was run, from what held.
    pub(super) fn new(
        location: &WaitLocation,
        target: Result<Target, RepairError>,
        located: &Located,
        tuned: Option<&Tuned>,
        args: &TuneArgs,
        session: &Session,
    ) -> Result<Self, CommandError> {
        // Where nothing is proven by runs, deleting the sleep is the better change.
        if args.command.is_empty()
            && let Some(deletion) = deletion_at(&location.script, &location.path, location.line)
        {
            return Ok(Self::Deletion(deletion));
        }
        let chosen = match tuned {
            Some(tuned) => tuned.proposed,
            None => located.candidates.first().map(|candidate| candidate.ms),
        };
        let Some(ms) = chosen else { return Ok(Self::Nothing { chosen }) };
        match target.and_then(|target| repair(&location.script, &target, ms)) {
            Ok(change) => Ok(Self::Value { ms, change: Box::new(change.tidied(&location.script)) }),
            Err(error) if args.write || tuned.is_some() => Err(Unrepairable::new(location, &error).into()),
            // The values are worth knowing even where they have to be written by hand.
            Err(error) => {
                session.warn(format!("no patch: {error}"));
                Ok(Self::Nothing { chosen })
            }
        }
    }

    /// The value that is proposed, in milliseconds.
    pub(super) fn chosen(&self) -> Option<u64> {
        match self {
            Self::Nothing { chosen } => *chosen,
            Self::Value { ms, .. } => Some(*ms),
            Self::Deletion(_) => None,
        }
    }

    /// Whether every run would pay for the value.
    pub(super) fn is_stop_gap(&self) -> bool {
        matches!(self, Self::Value { change, .. } if change.stop_gap)
    }

    /// How many other waits of the file read the same constant.
    pub(super) fn shared_with(&self) -> usize {
        match self {
            Self::Value { change, .. } => change.shared,
            Self::Nothing { .. } | Self::Deletion(_) => 0,
        }
    }

    /// What is better than the value, or why the sleep can go.
    pub(super) fn advice(&self, location: &WaitLocation) -> Option<String> {
        match self {
            Self::Deletion(deletion) => {
                Some(format!("{} The values above are for a sleep that has to stay.", deletion.advice))
            }
            Self::Value { change, .. } if change.stop_gap => Some(stop_gap_advice(&location.path, change)),
            Self::Value { .. } | Self::Nothing { .. } => None,
        }
    }

    /// The change as a diff; empty where there is none.
    pub(super) fn patch(&self, location: &WaitLocation) -> String {
        let diff = |text| steady_edit::diff(&location.path, location.script.text(), text);
        self.text().map(diff).unwrap_or_default()
    }

    /// Changes the file.
    pub(super) fn write(&self, location: &WaitLocation, session: &Session) -> Result<(), CommandError> {
        if let Some(text) = self.text() {
            steady_edit::write(&location.path, location.script.text(), text)?;
            session.wrote(&location.path);
        }
        Ok(())
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Nothing { .. } => None,
            Self::Value { change, .. } => Some(&change.text),
            Self::Deletion(deletion) => Some(&deletion.text),
        }
    }
}

/// A file cannot have another wait at this line.
#[derive(Debug, thiserror::Error)]
#[error("cannot change `{}`: {error}", path.display())]
pub(super) struct Unrepairable {
    path: PathBuf,
    error: RepairError,
}

impl Unrepairable {
    pub(super) fn new(location: &WaitLocation, error: &RepairError) -> Self {
        Self { path: location.path.clone(), error: error.clone() }
    }
}

impl UserError for Unrepairable {
    fn hint(&self) -> Option<String> {
        Some("name the line of the call that should wait; the file was not changed".to_owned())
    }
}

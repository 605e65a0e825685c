//! What is run, and which wait of it is tuned.

use std::path::Path;
use std::time::Duration;

use steady_exec::TestCommand;
use steady_process::Cancel;

use super::PatchError;

/// A project and how its tests are run.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    /// The folder the command is run in.
    pub folder: &'a Path,
    /// The command, its program first.
    pub command: &'a [String],
    /// Environment variables for it.
    pub variables: &'a [(String, String)],
    /// Patterns of the files that hold results; empty: the runner is told to write them.
    pub results: &'a [String],
    /// How long one run may take.
    pub timeout: Option<Duration>,
    /// When no further run is started.
    pub time: Option<Duration>,
    /// Whether only the tests that count are run, where the runner can do that.
    pub narrow: bool,
    /// steady's own folder in the project.
    pub state: &'a Path,
    /// Ends a run that is under way.
    pub cancel: &'a Cancel,
}

impl<'a> Project<'a> {
    /// The command, as it is run.
    pub(super) fn test_command(&self) -> TestCommand<'a> {
        TestCommand {
            words: self.command,
            variables: self.variables,
            results: self.results,
            timeout: self.timeout,
        }
    }
}

/// The wait to tune.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The file it is in, relative to the project.
    pub path: &'a Path,
    /// The title of the test that has to pass; `None`: all tests of the file, or of the command when the file has none.
    pub test: Option<&'a str>,
    /// The whole text of the file with a wait of so many milliseconds.
    pub patch: &'a dyn Fn(u64) -> Result<String, PatchError>,
    /// How often the value that was found is run on a busy machine; 0: not at all.
    pub loaded: u64,
}

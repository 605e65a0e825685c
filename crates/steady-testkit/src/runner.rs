//! The test runners that emitted suites are run with.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steady_model::Emitter;

use crate::RunReport;
use crate::runners::{hurl, maven, node, python};

/// The test runner of an emitter's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runner(pub Emitter);

impl Runner {
    /// Installs what the runner needs, once; later calls return at once, and calls at the same time wait.
    pub fn install(self) -> Result<(), RunnerError> {
        match self.0 {
            Emitter::Pytest | Emitter::Unittest => python::install().map(drop),
            Emitter::Jest | Emitter::Playwright => node::install().map(drop),
            Emitter::Junit5 | Emitter::Kotlin => maven::install(),
            Emitter::Hurl => hurl::install().map(drop),
        }
    }

    /// Runs the tests in `folder` against the API at `url`, with more environment variables.
    pub fn run(
        self,
        folder: &Path,
        url: &str,
        environment: &[(&str, &str)],
    ) -> Result<RunReport, RunnerError> {
        let mut variables: Vec<(OsString, OsString)> =
            environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
        variables.push(("STEADY_URL".into(), url.into()));
        match self.0 {
            Emitter::Pytest => python::pytest(folder, &variables),
            Emitter::Unittest => python::unittest(folder, &variables),
            Emitter::Jest => node::jest(folder, &variables),
            Emitter::Playwright => node::playwright(folder, &variables),
            Emitter::Junit5 | Emitter::Kotlin => maven::surefire(folder, &variables),
            Emitter::Hurl => hurl::run_script(folder, &variables),
        }
    }
}

/// A runner could not be installed or run. Failing tests are not an error: they are in the report.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// A folder or file of the installation cannot be used.
    #[error("cannot use {path}", path = path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A program cannot be started.
    #[error("cannot run `{program}`; is it installed?")]
    Program {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// A step of an installation failed.
    #[error("{command} failed:\n{output}")]
    Failed {
        /// The command.
        command: String,
        /// What it printed.
        output: String,
    },
    /// A process did not end in time and was killed.
    #[error("`{program}` did not end within {limit:?}:\n{output}")]
    TooLong {
        /// The program.
        program: String,
        /// How long it was given.
        limit: Duration,
        /// What it printed.
        output: String,
    },
    /// A runner wrote no readable result.
    #[error("no test results in {path}: {reason}\n{output}", path = path.display())]
    Report {
        /// Where the results should be.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// What the runner printed.
        output: String,
    },
}

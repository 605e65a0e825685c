//! The test runners that emitted suites are run with.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::RunReport;
use crate::runners::{hurl, maven, node, python};

/// A test runner, named as the emitter whose output it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the runners")]
pub enum Runner {
    Pytest,
    Unittest,
    Jest,
    Playwright,
    Junit5,
    Kotlin,
    Hurl,
}

impl Runner {
    /// Every runner.
    pub const ALL: [Self; 7] =
        [Self::Pytest, Self::Unittest, Self::Jest, Self::Playwright, Self::Junit5, Self::Kotlin, Self::Hurl];

    /// The runner of an emitter's output.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|runner| runner.as_str() == name)
    }

    /// The runner's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Unittest => "unittest",
            Self::Jest => "jest",
            Self::Playwright => "playwright",
            Self::Junit5 => "junit5",
            Self::Kotlin => "kotlin",
            Self::Hurl => "hurl",
        }
    }

    /// Installs what the runner needs, once; later calls return at once, and calls at the same time wait.
    pub fn install(self) -> Result<(), RunnerError> {
        match self {
            Self::Pytest | Self::Unittest => python::install().map(drop),
            Self::Jest | Self::Playwright => node::install().map(drop),
            Self::Junit5 | Self::Kotlin => maven::install(),
            Self::Hurl => hurl::install().map(drop),
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
        match self {
            Self::Pytest => python::pytest(folder, &variables),
            Self::Unittest => python::unittest(folder, &variables),
            Self::Jest => node::jest(folder, &variables),
            Self::Playwright => node::playwright(folder, &variables),
            Self::Junit5 | Self::Kotlin => maven::surefire(folder, &variables),
            Self::Hurl => hurl::run_script(folder, &variables),
        }
    }
}

/// A runner could not be installed or run. Failing tests are no error: they are in the report.
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

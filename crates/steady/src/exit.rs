//! How the process ends.

use std::process::ExitCode;

/// The exit codes of every command, documented in `steady --help`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Exit {
    /// 0: the job is done and there is nothing to report.
    #[default]
    Clean,
    /// 1: the job is done and something was found: faults, or failed tests.
    Findings,
    /// 2: the job could not be done: bad input, no answer, no place to write to.
    Error,
}

impl Exit {
    /// The number the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Error => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

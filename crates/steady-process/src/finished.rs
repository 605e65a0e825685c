//! How a command ended.

use std::fmt;
use std::time::Duration;

use crate::output::Output;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// A signal ended it that steady did not send.
    Signal(i32),
    /// It took longer than its timeout and was ended.
    TimedOut,
    /// It was ended by cancellation.
    Stopped,
}

impl Exit {
    /// Whether the exit code means success.
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "ended by signal {signal}"),
            Self::TimedOut => f.write_str("timed out"),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

/// A command that has ended, with everything it started.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub exit: Exit,
    /// What it printed.
    pub output: Output,
    /// From its start to its end, without the time it took to end what it left running.
    pub duration: Duration,
    /// The most memory the command or one of its waited-for children had at a time, in bytes. Never less than this process had
    /// when it started the command: Linux counts the copy that fork makes.
    pub max_memory: u64,
    /// Names of processes that were still running when the command had exited by itself. They were ended.
    pub left_running: Vec<String>,
    /// How many processes could not be ended: another user's (sudo), or hanging in the kernel.
    pub survivors: usize,
}

//! Errors of an API that steady starts.

use std::fmt;
use std::io;
use std::time::Duration;

use steady_exec::{ApplyError, StateDirError};
use steady_http::{ClientError, ParseBaseUrlError, TransportError};
use steady_model::rerun::Perturbation;
use steady_process::{Exit, Output, PlaceholderError, SpawnError};

use crate::action::RequestLine;
use crate::database::DatabaseError;
use crate::ready::Answer;

/// How many of the last lines an API printed are kept for an error.
const LAST_LINES: usize = 200;
/// A longer line is cut.
const LONGEST_LINE: usize = 1_000;

/// Which command of the specification is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The one that starts the API.
    Start,
    /// The one that resets it.
    Reset,
    /// The one that ends it.
    Stop,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Reset => "reset",
            Self::Stop => "stop",
        })
    }
}

/// What went wrong with the API; [`SutError::hint`] says what to do, [`SutError::output`] what the API printed last.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are in the messages; `output` are the last lines printed")]
pub enum SutError {
    /// Steady's own folder cannot be used.
    #[error(transparent)]
    StateDir(#[from] StateDirError),
    /// Its address has an unknown placeholder.
    #[error(transparent)]
    Placeholder(#[from] PlaceholderError),
    /// Its address is invalid.
    #[error(transparent)]
    Address(#[from] ParseBaseUrlError),
    /// No client can be made for it.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// There is no port for it.
    #[error("cannot reserve a port on the loopback interface for the API")]
    NoPort(#[source] io::Error),
    /// It cannot know where to listen.
    #[error("the API is expected at {url}, but its start command does not get the port")]
    PortUnsaid { url: String },
    /// Another program uses its port.
    #[error("another program answers at {url}, where the API is to be started")]
    PortTaken { url: String },
    /// A command does not start.
    #[error("the command that is to {what} the API does not run")]
    Spawn { what: What, source: SpawnError },
    /// The process ended too early.
    #[error("`{command}` ended before the API was ready ({exit}){}", LastLine(output))]
    ExitedEarly { command: String, exit: Exit, output: Vec<String> },
    /// It did not answer as it should.
    #[error(
        "the API was not ready within {limit:?}: `{request}` at {url} {}{}",
        Got(last.as_deref()),
        LastLine(output)
    )]
    NeverReady {
        request: RequestLine,
        url: String,
        limit: Duration,
        last: Option<Box<Answer>>,
        output: Vec<String>,
    },
    /// The process exited during a run.
    #[error("the API is gone: `{command}` has ended ({exit}){}", LastLine(output))]
    Died { command: String, exit: Exit, output: Vec<String> },
    /// It was not started.
    #[error("the API is not running")]
    NotRunning,
    /// It refuses the reset request.
    #[error("the API refused `{request}`, which is to reset it: status {status}{}", BodyStart(body))]
    ResetRefused { request: RequestLine, status: u16, body: String },
    /// It does not answer the reset request.
    #[error("the API did not answer `{request}`, which is to reset it")]
    ResetUnanswered { request: RequestLine, source: TransportError },
    /// A command in its environment failed.
    #[error("`{command}`, which is to {what} the API, failed ({exit}){}", LastLine(output))]
    CommandFailed { what: What, command: String, exit: Exit, output: Vec<String> },
    /// Its tables cannot be saved or restored.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The overrides of a condition cannot be applied to it.
    #[error(transparent)]
    Surround(#[from] ApplyError),
    /// Its program bypasses the preload shim.
    #[error("`{perturbation}` cannot be changed for this API: {reason}")]
    NotPerturbable { perturbation: Perturbation, reason: String },
}

impl SutError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::PortUnsaid { .. } => {
                "put `{port}` into `start` or `env` under [sut], or the address it listens at into `url` under [api]"
            }
            Self::PortTaken { .. } => {
                "end that program, or let the API listen on `{port}`, which is always free"
            }
            Self::Spawn { .. } => "try the command by hand, in the folder that [sut] names",
            Self::ExitedEarly { exit: Exit::Code(0), .. } => {
                "let `start` run the API in the foreground: what it leaves in the background is ended"
            }
            Self::ExitedEarly { exit: Exit::Code(127), .. } => {
                "the shell found no such program: is it in PATH?"
            }
            Self::ExitedEarly { .. } => "what it printed last says why; try the command by hand",
            Self::NeverReady { last, .. } if matches!(last.as_deref(), Some(Answer::Status(_))) => {
                "name a request under `ready` that it answers with a status below 500"
            }
            Self::NeverReady { .. } => {
                "does it listen on the port it was given, on 127.0.0.1? A slow start needs a longer `timeout` under [sut]"
            }
            Self::Died { .. } => "what it printed last says why; it is started again by a restart",
            Self::NotRunning => "start it first",
            Self::ResetRefused { .. } | Self::ResetUnanswered { .. } => {
                "check `reset` under [sut]; without it the API is restarted"
            }
            Self::CommandFailed { .. } => "try the command by hand, in the folder that [sut] names",
            Self::Database(error) => return Some(error.hint()),
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// The last lines of what the API, or the command beside it, printed.
    pub fn output(&self) -> &[String] {
        match self {
            Self::ExitedEarly { output, .. }
            | Self::NeverReady { output, .. }
            | Self::Died { output, .. }
            | Self::CommandFailed { output, .. } => output,
            _ => &[],
        }
    }
}

/// The last lines of an output.
pub(crate) fn last_lines(output: &Output) -> Vec<String> {
    let text = output.text();
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.len().saturating_sub(LAST_LINES);
    lines[first..].iter().map(|line| line.chars().take(LONGEST_LINE).collect()).collect()
}

/// The last line that was printed.
struct LastLine<'a>(&'a [String]);

impl fmt::Display for LastLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.iter().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => write!(f, "; it last printed `{}`", line.trim()),
            None => f.write_str("; it printed nothing"),
        }
    }
}

/// The last answer to a request.
struct Got<'a>(Option<&'a Answer>);

impl fmt::Display for Got<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(Answer::Status(status)) => write!(f, "was last answered with status {status}"),
            Some(Answer::None(error)) => write!(f, "was not answered ({error})"),
            None => f.write_str("was not answered"),
        }
    }
}

/// The start of a body, if there is one.
struct BodyStart<'a>(&'a str);

impl fmt::Display for BodyStart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, ", `{}`", self.0) }
    }
}

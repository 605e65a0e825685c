//! The user's description of the API.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use steady_model::Secret;

use crate::action::{Action, ParseRequestError, RequestLine};

/// How an API is started, reset and ended. `{port}`, `{port1}`… and `{job}` may be used in commands, values of the environment, the folder
/// and addresses; `{port}` is the same free port until a [`Sut`](crate::Sut) is relocated.
#[derive(Debug, Clone)]
pub struct SutSpec {
    /// The command line that starts it, in the foreground.
    pub start: String,
    /// Where it then is.
    pub url: String,
    /// It is ready when it answers this with a status below 500; `None` means any answer to `GET /`.
    pub ready: Option<RequestLine>,
    /// How it is reset; `None` means by its database, or without one by a restart.
    pub reset: Option<Reset>,
    /// What to do before its processes are ended.
    pub stop: Option<Action>,
    /// Environment variables for it, and for the other commands of the specification.
    pub env: BTreeMap<String, String>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// How long it may take until it is ready, and how long a reset may take.
    pub timeout: Duration,
    /// The PostgreSQL database it keeps its data in: its tables are saved when the API is first ready, and restored at a reset.
    pub database: Option<Secret>,
    /// What `{job}` stands for.
    pub job: usize,
}

impl SutSpec {
    /// Where an API is that listens on `{port}`.
    pub const DEFAULT_URL: &str = "http://127.0.0.1:{port}";
    /// How long a start may take when nothing else is said.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

    /// An API that this command starts, in the current folder.
    pub fn new(start: impl Into<String>) -> Self {
        Self {
            start: start.into(),
            url: Self::DEFAULT_URL.to_owned(),
            ready: None,
            reset: None,
            stop: None,
            env: BTreeMap::new(),
            folder: PathBuf::from("."),
            timeout: Self::DEFAULT_TIMEOUT,
            database: None,
            job: 0,
        }
    }

    /// All texts in which placeholders may stand.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let commands = [self.command_of_reset(), self.command_of_stop()];
        self.known_to_the_api()
            .chain([self.url.as_str()])
            .chain(commands.into_iter().flatten())
            .chain(self.database.as_ref().map(Secret::reveal))
    }

    /// The texts from which the API can learn its port.
    pub(crate) fn known_to_the_api(&self) -> impl Iterator<Item = &str> {
        [self.start.as_str()]
            .into_iter()
            .chain(self.env.values().map(String::as_str))
            .chain(self.folder.as_os_str().to_str())
    }

    fn command_of_reset(&self) -> Option<&str> {
        match &self.reset {
            Some(Reset::Action(Action::Command(command))) => Some(command),
            _ => None,
        }
    }

    fn command_of_stop(&self) -> Option<&str> {
        match &self.stop {
            Some(Action::Command(command)) => Some(command),
            _ => None,
        }
    }
}

/// How an API is reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reset {
    /// It is ended and started again.
    Restart,
    /// By a request or a command.
    Action(Action),
}

impl FromStr for Reset {
    type Err = ParseRequestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim() == "restart" { Ok(Self::Restart) } else { text.parse().map(Self::Action) }
    }
}

//! A session: one call of steady, the runs it made and where it made them.

use std::collections::BTreeMap;
use std::fmt;
use std::thread::available_parallelism;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use steady_model::shard::Shard;

/// Names a session in its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub(crate) i64);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One call of steady, as it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The project; several may share a store.
    pub project: String,
    /// The test command, word by word.
    pub command: Vec<String>,
    /// The version of steady.
    pub version: String,
    /// When it began.
    pub started: Timestamp,
    /// The code that was tested, where it is under version control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The machine.
    pub environment: Environment,
    /// Which part of the tests, when several machines share them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// The state of the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The commit's hash.
    pub commit: String,
    /// The branch, unless detached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Whether files differed from the commit. Results of such a session are not compared with others of the commit.
    pub dirty: bool,
}

/// The machine and what is installed on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// The operating system: `linux`.
    pub os: String,
    /// The processor's architecture: `x86_64`.
    pub arch: String,
    /// How many processors this process may use.
    pub cpus: u32,
    /// Versions by name: `node` → `22.11.0`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub runtimes: BTreeMap<String, String>,
    /// The name of the CI service, on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci: Option<String>,
}

impl Environment {
    /// This machine, without runtimes or CI, which the caller adds.
    pub fn here() -> Self {
        Self {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpus: available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX)),
            runtimes: BTreeMap::new(),
            ci: None,
        }
    }
}

/// A stored session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastSession {
    /// Its number.
    pub id: SessionId,
    /// Its data when it began.
    #[serde(flatten)]
    pub session: Session,
    /// When it ended; absent while it runs, or when it was aborted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<Timestamp>,
    /// How many of its runs are stored.
    pub runs: u32,
}

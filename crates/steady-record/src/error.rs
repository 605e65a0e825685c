//! Why nothing was recorded.

use std::io;
use std::path::PathBuf;

use steady_process::{Exit, SpawnError};
use steady_results::SourceError;
use steady_runners::Unsupported;

/// Why a test command could not be recorded.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum RecordError {
    /// The command is not a known test runner.
    #[error(
        "`{command}` starts no test runner that steady knows; give the runner's own command, one of {supported}"
    )]
    NotRecognised { command: String, supported: String },
    /// There is no recorder for this runner.
    #[error("steady cannot record the exchanges of tests run by {runner}; it can with {supported}")]
    NotSupported { runner: &'static str, supported: String },
    /// The command leaves the recorder no place.
    #[error("cannot attach the recorder to {runner}: {instead}")]
    NoPlace { runner: &'static str, instead: &'static str },
    /// The runner cannot run some tests only.
    #[error(transparent)]
    Select(#[from] Unsupported),
    /// The recorder for the JVM was not built.
    #[error(
        "cannot compile steady's recorder with `{compiler}`; is that a JDK of version 8 or later?\n{output}"
    )]
    Compile { compiler: String, output: String },
    /// There is no compiler for it.
    #[error("no Java compiler to build steady's recorder with; install a JDK, or let JAVA_HOME name one")]
    NoCompiler(#[source] SpawnError),
    /// Steady's own folder cannot be used.
    #[error("cannot use `{}`; is it writable and the disk not full?", path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// The place of the results makes no sense.
    #[error(transparent)]
    Results(#[from] SourceError),
    /// The command did not start.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// The command ended without having run a test.
    #[error("the command ran no test ({exit}); does it work without steady? It ended with:\n{excerpt}")]
    NoTests { exit: Exit, excerpt: String },
    /// Requests were sent, and none was answered.
    #[error(
        "the API cannot be reached: none of {requests} requests was answered, the first to {url}: {error}"
    )]
    Unreachable { requests: usize, url: String, error: String },
    /// Tests ran and no exchange was seen.
    #[error(
        "{tests} tests ran and no HTTP exchange was seen; with {runner}, steady sees what goes through {sees}, in the \
         test's own process"
    )]
    NoExchange { runner: &'static str, tests: usize, sees: &'static str },
}

impl RecordError {
    /// A folder or file of steady's own that cannot be used.
    pub(crate) fn folder(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Folder { path, source }
    }
}

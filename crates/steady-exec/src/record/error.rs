//! Why nothing was recorded.

use std::io;
use std::path::PathBuf;

use steady_model::rerun::{Ending, Run};
use steady_process::SpawnError;

/// How much of the end of the output is shown.
const EXCERPT_LINES: usize = 40;

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
    /// The command already uses the place of the recorder.
    #[error("cannot attach the recorder to {runner}: {instead}")]
    NoPlace { runner: &'static str, instead: &'static str },
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
    /// The command ended without running a test.
    #[error("the command ran no test ({ending}); does it work without steady? It ended with:\n{excerpt}")]
    NoTests { ending: Ending, excerpt: String },
    /// Requests were sent, but none was answered.
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
    /// A run without tests.
    pub fn no_tests(run: &Run) -> Self {
        Self::NoTests { ending: run.ending, excerpt: excerpt(&run.excerpt) }
    }

    /// A folder or file of steady's own that cannot be used.
    pub(crate) fn folder(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Folder { path, source }
    }
}

/// The last lines, without control characters.
fn excerpt(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .rev()
        .take(EXCERPT_LINES)
        .map(|line| line.chars().filter(|letter| !letter.is_control() || *letter == '\t').take(500).collect())
        .collect();
    lines.into_iter().rev().collect::<Vec<String>>().join("\n")
}

//! An exchange of a test: request, response, and the lines that made it.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::Deserialize;
use steady_model::Response;
use steady_model::rerun::TestId;

/// One exchange of a test, as the test saw it: a redirect that was followed is one exchange, with the last answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The test, named as its results name it; `None` outside of tests.
    pub test: Option<TestId>,
    /// The lines of the project on the call stack, innermost first. Empty where the stack does not lead back to it.
    pub frames: Vec<Frame>,
    /// Its place among the exchanges of the test, in the order they were asked for, from 1. Requests without an answer leave gaps.
    pub sequence: u32,
    /// What was asked for.
    pub request: RequestLine,
    /// What came back; header names in lower case, the body decoded and at most 1 MiB of it.
    pub response: Response,
    /// Whether the API that answered runs in the test's own process.
    pub inside: bool,
    /// The id of the test's process, where the recorder reports it.
    pub process: Option<u32>,
    /// The clock of the test's process when the answer came, where the recorder reports it.
    pub clock: Option<Timestamp>,
}

/// A failure of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The test, named as its results name it.
    pub test: TestId,
    /// The lines of the project it came through, innermost first.
    pub frames: Vec<Frame>,
}

/// A request without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Unanswered {
    /// The whole address, without credentials.
    pub url: String,
    /// The client's error.
    pub error: String,
}

/// A line of the project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The file, relative to the project.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u32,
}

/// What is known of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLine {
    /// The method.
    pub method: String,
    /// The whole address, without credentials.
    pub url: String,
}

//! Why a report could not be read.

use crate::format::Format;

/// A report that cannot be read, wholly or at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum ReadError {
    /// It is empty: the runner was ended before it wrote, or ran no test.
    #[error("the file is empty; did the runner get to the end?")]
    Empty,
    /// Its format is unknown.
    #[error(
        "not a test report steady knows (JUnit XML, TAP, JSON of Playwright, Jest, Vitest, pytest, libtest or Go)"
    )]
    Unknown,
    /// It begins like a report and then violates its format.
    #[error("broken {format} report at {place}: {detail}; was the runner ended while it wrote?")]
    Malformed { format: Format, place: ReportPosition, detail: String },
    /// It is nested deeper than any real report.
    #[error("the {format} report is nested more than {limit} levels deep; it is not a runner's")]
    TooDeep { format: Format, limit: usize },
    /// It is larger than the limit.
    #[error("the report has more than {limit} bytes; let the runner leave out the tests' output")]
    TooLarge { limit: u64 },
}

/// A position in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportPosition {
    /// This byte, from 0.
    Byte(u64),
    /// This line, from 1.
    Line(usize),
}

impl std::fmt::Display for ReportPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Line(line) => write!(f, "line {line}"),
        }
    }
}

impl ReadError {
    /// JSON that does not match the format.
    pub(crate) fn json(format: Format, error: &serde_json::Error) -> Self {
        Self::Malformed { format, place: ReportPosition::Line(error.line()), detail: error.to_string() }
    }
}

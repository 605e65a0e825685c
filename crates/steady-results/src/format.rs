//! The formats, recognised by the content of a file and never by its name.

use std::fmt;

use steady_model::rerun::TestResult;

use crate::base::Base;
use crate::case::Case;
use crate::error::ReadError;
use crate::formats::{go, jest, junit, libtest, playwright, pytest_json, pytest_log, steady, tap};
use crate::identity;

/// How many bytes are examined to recognise the format.
const LOOK: usize = 64 * 1024;

/// The largest report that is read: 64 MB.
pub const SIZE_LIMIT: u64 = 64 * 1024 * 1024;

/// A format in which runners report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// JUnit XML, in the dialects of many runners.
    Junit,
    /// The JSON reporter of Playwright.
    Playwright,
    /// `jest --json` and Vitest's JSON reporter.
    Jest,
    /// pytest-json-report.
    PytestJson,
    /// `pytest --report-log`.
    PytestLog,
    /// JSON lines of libtest (`cargo test`) and nextest.
    Libtest,
    /// `go test -json`.
    Go,
    /// The lines that steady's own plugins write.
    Steady,
    /// TAP 12 to 14.
    Tap,
}

impl Format {
    /// All of them, in the order they are tried: from the most to the least specific.
    pub const ALL: [Self; 9] = [
        Self::Junit,
        Self::Playwright,
        Self::Jest,
        Self::PytestJson,
        Self::PytestLog,
        Self::Libtest,
        Self::Go,
        Self::Steady,
        Self::Tap,
    ];

    /// The format of these bytes, by what they hold.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let start = &bytes[..bytes.len().min(LOOK)];
        Self::ALL.into_iter().find(|format| format.sniff(start))
    }

    /// What the report says, each test under a name that is the same in every run; a test that was tried several times
    /// has several results, the last of which counts.
    pub fn read(self, bytes: &[u8], base: &Base) -> Result<Vec<TestResult>, ReadError> {
        self.cases(bytes, base).map(identity::number)
    }

    pub(crate) fn cases(self, bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
        if bytes.len() as u64 > SIZE_LIMIT {
            return Err(ReadError::TooLarge { limit: SIZE_LIMIT });
        }
        match self {
            Self::Junit => junit::read(bytes, base),
            Self::Playwright => playwright::read(bytes, base),
            Self::Jest => jest::read(bytes, base),
            Self::PytestJson => pytest_json::read(bytes, base),
            Self::PytestLog => pytest_log::read(bytes, base),
            Self::Libtest => libtest::read(bytes, base),
            Self::Go => go::read(bytes, base),
            Self::Steady => steady::read(bytes, base),
            Self::Tap => tap::read(bytes, base),
        }
    }

    fn sniff(self, start: &[u8]) -> bool {
        match self {
            Self::Junit => junit::sniff(start),
            Self::Playwright => playwright::sniff(start),
            Self::Jest => jest::sniff(start),
            Self::PytestJson => pytest_json::sniff(start),
            Self::PytestLog => pytest_log::sniff(start),
            Self::Libtest => libtest::sniff(start),
            Self::Go => go::sniff(start),
            Self::Steady => steady::sniff(start),
            Self::Tap => tap::sniff(start),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Junit => "JUnit XML",
            Self::Playwright => "Playwright JSON",
            Self::Jest => "Jest JSON",
            Self::PytestJson => "pytest JSON",
            Self::PytestLog => "pytest log",
            Self::Libtest => "libtest JSON",
            Self::Go => "Go test JSON",
            Self::Steady => "steady results",
            Self::Tap => "TAP",
        })
    }
}

/// Reads a report in whatever format it is.
pub fn read(bytes: &[u8], base: &Base) -> Result<Vec<TestResult>, ReadError> {
    cases(bytes, base).map(|(_, cases)| identity::number(cases))
}

pub(crate) fn cases(bytes: &[u8], base: &Base) -> Result<(Format, Vec<Case>), ReadError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ReadError::Empty);
    }
    let format = Format::detect(bytes).ok_or(ReadError::Unknown)?;
    Ok((format, format.cases(bytes, base)?))
}

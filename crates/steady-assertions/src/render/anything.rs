//! What equals everything, in Python: `ANY` of `unittest.mock`.

use crate::imports;

/// How the code of a file calls it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Anything {
    /// By its name.
    #[default]
    Name,
    /// As the file calls it already, by its module: `mock.ANY`.
    OfMock,
    /// The name means something else in the file.
    OfModule,
}

impl Anything {
    /// How a file calls it.
    pub fn of(text: &str) -> Self {
        let takes_mock = |line: &str| {
            line.trim()
                .strip_prefix("from unittest import ")
                .is_some_and(|names| names.split(',').any(|name| name.trim() == "mock"))
        };
        let is_bound = || !imports::is_free(text, "ANY");
        let takes_it = |line: &str| {
            line.starts_with("from unittest.mock import")
                && line.split([' ', ',', '(', ')']).any(|name| name == "ANY")
        };
        if text.lines().any(takes_it) {
            Self::Name
        } else if text.lines().any(takes_mock) {
            Self::OfMock
        } else if is_bound() {
            Self::OfModule
        } else {
            Self::Name
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::Name => "ANY",
            Self::OfMock => "mock.ANY",
            Self::OfModule => "unittest.mock.ANY",
        }
    }

    /// What has to be imported for it.
    pub fn import(self) -> Option<&'static str> {
        match self {
            Self::Name => Some("unittest.mock:ANY"),
            Self::OfMock => None,
            Self::OfModule => Some("unittest.mock"),
        }
    }
}

//! The kinds of test code there are, by name.

use std::fmt;
use std::str::FromStr;

/// A kind of test code a suite can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Emitter {
    /// Python functions for pytest, with requests.
    Pytest,
    /// Python's own unittest, with requests.
    Unittest,
    /// JavaScript for Jest, with Node's own HTTP client.
    Jest,
    /// JavaScript for Playwright Test, with its request fixture.
    Playwright,
    /// Java for JUnit 5, with REST Assured.
    Junit5,
    /// Kotlin for JUnit 5, with REST Assured.
    Kotlin,
    /// Hurl files.
    Hurl,
}

impl Emitter {
    /// Every emitter, in the order they are offered.
    pub const ALL: [Self; 7] =
        [Self::Pytest, Self::Unittest, Self::Jest, Self::Playwright, Self::Junit5, Self::Kotlin, Self::Hurl];

    /// The name on the command line and of the folder under `tests/`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Unittest => "unittest",
            Self::Jest => "jest",
            Self::Playwright => "playwright",
            Self::Junit5 => "junit5",
            Self::Kotlin => "kotlin",
            Self::Hurl => "hurl",
        }
    }
}

impl fmt::Display for Emitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text does not name an emitter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown emitter `{name}`; choose from {}", Emitter::ALL.map(Emitter::as_str).join(", "))]
pub struct UnknownEmitter {
    /// What was given.
    pub name: String,
}

impl FromStr for Emitter {
    type Err = UnknownEmitter;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|emitter| emitter.as_str() == name)
            .ok_or_else(|| UnknownEmitter { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_emitter_is_found_by_its_name() {
        for emitter in Emitter::ALL {
            assert_eq!(emitter.to_string().parse(), Ok(emitter));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_choices() {
        let error = "phpunit".parse::<Emitter>().unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown emitter `phpunit`; choose from pytest, unittest, jest, playwright, junit5, kotlin, hurl"
        );
    }
}

//! The languages that are read.

use std::path::Path;

/// A language that tests are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the languages")]
pub enum Language {
    Java,
    Kotlin,
    Python,
    JavaScript,
    TypeScript,
    /// TypeScript with JSX in it.
    Tsx,
}

impl Language {
    /// The language of a file, by its extension.
    pub fn of(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "java" => Self::Java,
            "kt" | "kts" => Self::Kotlin,
            "py" => Self::Python,
            "js" | "jsx" | "mjs" | "cjs" => Self::JavaScript,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            _ => return None,
        })
    }

    /// Whether it is Java or Kotlin.
    pub(crate) fn is_jvm(self) -> bool {
        matches!(self, Self::Java | Self::Kotlin)
    }

    /// What begins a comment.
    pub(crate) fn comment(self) -> &'static str {
        if self == Self::Python { "#" } else { "//" }
    }
}

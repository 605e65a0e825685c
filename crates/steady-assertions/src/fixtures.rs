//! Files that hold what tests of other files use: fixtures in `conftest.py` of pytest, and functions that tests import.

use std::path::{Path, PathBuf};

use steady_edit::LineIndex;

use crate::error::ParseError;
use crate::find::Home;
use crate::imported::ImportedName;
use crate::language::Language;
use crate::lower;
use crate::syntax::File;

/// A file with fixtures that tests of other files see.
#[derive(Debug)]
pub struct FixtureFile {
    path: PathBuf,
    text: String,
    lines: LineIndex,
    file: File,
    /// How the file of the tests names it where it imports from it.
    module: Option<String>,
}

impl FixtureFile {
    /// The name of such files.
    pub const NAME: &'static str = "conftest.py";

    /// Reads a file's text. Nothing is read from the disk.
    pub fn read(path: impl Into<PathBuf>, text: impl Into<String>) -> Result<Self, ParseError> {
        let (path, text) = (path.into(), text.into());
        let (_, file) = lower::file(&path, &text)?;
        Ok(Self { lines: LineIndex::new(&text), path, text, file, module: None })
    }

    /// Reads a file whose functions tests import from this module.
    pub fn imported(
        path: impl Into<PathBuf>,
        text: &str,
        module: impl Into<String>,
    ) -> Result<Self, ParseError> {
        Ok(Self { module: Some(module.into()), ..Self::read(path, without_exports(text))? })
    }

    /// Whether it is the file that a name is imported from.
    pub(crate) fn exports(&self, name: &ImportedName) -> bool {
        self.module.as_ref() == Some(&name.module) && self.file.functions.contains_key(&name.exported)
    }

    /// The file it was read as.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a file of tests may ask for such fixtures.
    pub fn serves(path: &Path) -> bool {
        Language::of(path) == Some(Language::Python)
    }

    pub(crate) fn home(&self, at: usize) -> Home<'_> {
        let Self { text, lines, file, .. } = self;
        Home { text, lines, functions: &file.functions, fixture_file: Some(at) }
    }
}

/// A text whose functions and constants are declared without being exported; everything stays in its place.
fn without_exports(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let rest = line.strip_prefix("export ").map(|rest| rest.strip_prefix("default ").unwrap_or(rest));
        let is_declared = |rest: &&str| {
            ["function", "async function", "const", "let"].iter().any(|word| rest.starts_with(word))
        };
        match rest.filter(is_declared) {
            Some(rest) => {
                plain.extend(std::iter::repeat_n(' ', line.len() - rest.len()));
                plain.push_str(rest);
            }
            None => plain.push_str(line),
        }
    }
    plain
}

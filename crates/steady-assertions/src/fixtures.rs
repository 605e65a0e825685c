//! Files that hold fixtures for the tests of other files: `conftest.py` of pytest.

use std::path::{Path, PathBuf};

use steady_edit::LineIndex;

use crate::find::Home;
use crate::language::Language;
use crate::lower;
use crate::source::{ParseError, parsed};
use crate::syntax::File;

/// A file with fixtures that tests of other files see.
#[derive(Debug)]
pub struct FixtureFile {
    path: PathBuf,
    text: String,
    lines: LineIndex,
    file: File,
}

impl FixtureFile {
    /// The name of such files.
    pub const NAME: &'static str = "conftest.py";

    /// Reads a file's text. Nothing is read from the disk.
    pub fn read(path: impl Into<PathBuf>, text: impl Into<String>) -> Result<Self, ParseError> {
        let (path, text) = (path.into(), text.into());
        let (language, tree) = parsed(&path, &text)?;
        let file = lower::file(&tree, &text, language);
        Ok(Self { lines: LineIndex::new(&text), path, text, file })
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

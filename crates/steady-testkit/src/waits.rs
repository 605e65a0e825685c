//! Projects with a test whose needed wait is known.
//!
//! The test `shows what is in it` opens a page, waits, and looks whether the page is ready. Time is a clock in the project that only the
//! wait moves, so the outcome depends on the value and on the number of the run alone: a page needs [`NEEDED`] milliseconds and up to
//! [`JITTER`] more.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{RunnerError, node_modules, vitest_modules};

/// What a page needs at least, in milliseconds.
pub const NEEDED: u64 = 137;
/// What some runs need in addition: every fourth needs all of it.
pub const JITTER: u64 = 40;
/// The shortest wait that always suffices.
pub const RIGHT: u64 = NEEDED + JITTER;
/// The file with the tests.
pub const FILE: &str = "cart.test.js";
/// The test that waits for the page.
pub const TEST: &str = "shows what is in it";

const PAGE: &str = "page.cjs";

/// Who runs the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitsRunner {
    /// Jest.
    Jest,
    /// Vitest.
    Vitest,
    /// Mocha.
    Mocha,
    /// Playwright Test, without a browser.
    Playwright,
    /// Playwright Test in Chromium, with a page whose delay is real.
    Browser,
    /// Node.js alone: a script that exits with 0 or not.
    Node,
}

/// A project with a wait, in a folder of the caller's.
#[derive(Debug)]
pub struct WaitsProject {
    runner: WaitsRunner,
    folder: PathBuf,
}

impl WaitsProject {
    /// Writes the project into an empty folder and installs its runner.
    pub fn write(runner: WaitsRunner, folder: &Path) -> Result<Self, RunnerError> {
        let unusable = |path: &Path| {
            let path = path.to_owned();
            move |source: io::Error| RunnerError::Folder { path, source }
        };
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("waits");
        let own = fixtures.join(runner.name());
        let entries = fs::read_dir(&own).map_err(unusable(&own))?;
        let files = entries.flatten().map(|entry| entry.path()).chain([fixtures.join(PAGE)]);
        for file in files {
            let name = file.file_name().unwrap_or_default();
            fs::copy(&file, folder.join(name)).map_err(unusable(&file))?;
        }
        if let Some(modules) = runner.modules()? {
            let link = folder.join("node_modules");
            std::os::unix::fs::symlink(modules, &link).map_err(unusable(&link))?;
        }
        Ok(Self { runner, folder: folder.to_owned() })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The command that runs its tests, without `npx`: every run would pay for it.
    pub fn command(&self) -> Vec<String> {
        let words: &[&str] = match self.runner {
            WaitsRunner::Jest => &["node", "node_modules/.bin/jest"],
            WaitsRunner::Vitest => &["node", "node_modules/.bin/vitest", "run"],
            WaitsRunner::Mocha => &["node", "node_modules/.bin/mocha", FILE],
            WaitsRunner::Playwright => &["node", "node_modules/.bin/playwright", "test"],
            WaitsRunner::Browser => &["node", "node_modules/.bin/playwright", "test", FILE],
            WaitsRunner::Node => &["node", FILE],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// The text of the file with the tests.
    pub fn text(&self) -> Result<String, RunnerError> {
        let path = self.folder.join(FILE);
        fs::read_to_string(&path).map_err(|source| RunnerError::Folder { path, source })
    }

    /// That text with another value for the first wait.
    pub fn with_wait(text: &str, ms: u64) -> Option<String> {
        Self::with_nth_wait(text, 0, ms)
    }

    /// That text with another value for one of its waits, counted from 0.
    pub fn with_nth_wait(text: &str, nth: usize, ms: u64) -> Option<String> {
        const CALL: &str = "await wait(";
        let (start, _) = text.match_indices(CALL).nth(nth)?;
        let start = start + CALL.len();
        let end = start + text[start..].find(')')?;
        Some(format!("{}{ms}{}", &text[..start], &text[end..]))
    }
}

impl WaitsRunner {
    /// Its name, and that of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jest => "jest",
            Self::Vitest => "vitest",
            Self::Mocha => "mocha",
            Self::Playwright => "playwright",
            Self::Browser => "browser",
            Self::Node => "node",
        }
    }

    fn modules(self) -> Result<Option<PathBuf>, RunnerError> {
        match self {
            Self::Jest | Self::Mocha | Self::Playwright | Self::Browser => node_modules().map(Some),
            Self::Vitest => vitest_modules().map(Some),
            Self::Node => Ok(None),
        }
    }
}

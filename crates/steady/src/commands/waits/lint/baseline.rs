//! Findings that are known: `--baseline FILE` reports the others.
//!
//! ```json
//! {
//!   "version": 1,
//!   "findings": {
//!     "e2e/cart.spec.ts": [{ "rule": "fixed-sleep", "code": "await page.waitForTimeout(500);", "count": 2 }]
//!   }
//! }
//! ```
//!
//! A finding is known by its file, its rule and the code of its line, so moving a line makes no new finding, and changing the time of a
//! sleep does. Paths are relative to the folder of the baseline.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{CommandError, ReadError, UsageError};
use crate::malformed::{OBJECT, plain};
use crate::output::{OutputError, UnfinishedFile};

/// The version that is written.
const VERSION: u32 = 1;

/// Known findings by file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Baseline {
    version: u32,
    findings: BTreeMap<String, Vec<Known>>,
    #[serde(skip)]
    folder: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Known {
    rule: String,
    code: String,
    count: usize,
}

impl Baseline {
    /// One without findings, to be written to a file.
    pub(super) fn empty(path: &Path) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Self { version: VERSION, findings: BTreeMap::new(), folder }
    }

    /// Reads one.
    pub(super) fn read(path: &Path) -> Result<Self, CommandError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(UsageError {
                    message: format!("there is no baseline `{}` yet", path.display()),
                    hint: "create it with the current findings: add --create-baseline".to_owned(),
                }
                .into());
            }
            Err(source) => {
                return Err(ReadError { what: "the baseline", path: path.to_owned(), source }.into());
            }
        };
        let read: Self = serde_json::from_str(&text).map_err(|error| UsageError {
            message: format!(
                "`{}` is not a baseline of waits: {}",
                path.display(),
                plain(&error.to_string(), OBJECT)
            ),
            hint: "name another file, or recreate it with --create-baseline".to_owned(),
        })?;
        if read.version > VERSION {
            return Err(UsageError {
                message: format!("`{}` was written by a newer steady", path.display()),
                hint: "upgrade steady, or recreate it with --create-baseline".to_owned(),
            }
            .into());
        }
        Ok(Self { folder: Self::empty(path).folder, ..read })
    }

    /// Adds a finding.
    pub(super) fn add(&mut self, path: &Path, rule: &str, code: &str) {
        let code = collapsed(code);
        let known = self.findings.entry(name_of(&self.folder, path)).or_default();
        match known.iter_mut().find(|one| one.rule == rule && one.code == code) {
            Some(one) => one.count += 1,
            None => known.push(Known { rule: rule.to_owned(), code, count: 1 }),
        }
    }

    /// Whether a finding is known; each entry stands for as many as it counts.
    pub(super) fn takes(&mut self, path: &Path, rule: &str, code: &str) -> bool {
        let code = collapsed(code);
        let known = self.findings.get_mut(&name_of(&self.folder, path)).into_iter().flatten();
        let mut fitting = known.filter(|one| one.rule == rule && one.code == code && one.count > 0);
        let Some(one) = fitting.next() else { return false };
        one.count -= 1;
        true
    }

    /// How many findings are listed that were not taken.
    pub(super) fn left(&self) -> usize {
        self.findings.values().flatten().map(|one| one.count).sum()
    }

    /// Writes it at once or not at all.
    pub(super) fn write(&self, path: &Path) -> Result<(), CommandError> {
        let mut file = UnfinishedFile::create(path)?;
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        let unwritten = |source| OutputError::Write { path: path.to_owned(), source };
        file.write_all(text.as_bytes()).map_err(unwritten)?;
        Ok(file.finish()?)
    }
}

fn name_of(folder: &Path, path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole.strip_prefix(folder).unwrap_or(&whole);
    name.display().to_string().replace('\\', "/")
}

fn collapsed(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

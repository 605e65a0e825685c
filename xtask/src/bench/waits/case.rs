//! Real fixes of waits: what a developer changed, and at which commit.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use steady_js::Kind;
use steady_waits::locate::{Evidence, KINDS};

/// From here on `}, 5000)` ends a test and not a timer.
const LIMIT_FROM: u64 = 4_000;

/// A fix.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Case {
    /// `A…` was reviewed, `B…` was not, `M…` was found by us.
    pub id: String,
    pub(super) tier: String,
    /// `owner/name`.
    pub repo: String,
    /// The fix.
    pub commit: String,
    /// The commit before.
    pub parent: String,
    /// The file.
    pub path: PathBuf,
    /// The line that was changed; none where a line was added.
    pub old_line: Option<usize>,
    /// The line as fixed.
    pub new_line: usize,
    #[serde(default)]
    pub(super) after: String,
    pub(super) new_value: f64,
    #[serde(default)]
    pub(super) call_form: String,
    /// Of which kind the developer's wait is, where the fix was parsed.
    #[serde(default)]
    pub(super) wait_kind: Option<Kind>,
    /// Where a plain TRaf had the developer's value.
    #[serde(default)]
    pub rank_of_dev_value_with_history: Option<usize>,
    /// And among how many values.
    #[serde(default)]
    pub candidate_values_with_history: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

impl Case {
    /// Reads a list of cases.
    pub fn read_all(path: &Path) -> Result<Vec<Self>> {
        let text = fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
        let Cases { mut cases } = serde_json::from_str(&text).context("the cases are not as expected")?;
        cases.sort_by(|one, two| {
            (&one.repo, &one.parent, &one.path, &one.id).cmp(&(&two.repo, &two.parent, &two.path, &two.id))
        });
        Ok(cases)
    }

    /// Writes a list of cases.
    pub fn write_all(path: &Path, cases: Vec<Self>) -> Result<()> {
        let text = serde_json::to_string_pretty(&Cases { cases })?;
        fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
    }

    /// A fix that was found by going through the past; where it is, and its name, come later.
    pub fn mined(kind: Kind, ms: u64) -> Self {
        Self { tier: "M".to_owned(), wait_kind: Some(kind), new_value: ms as f64, ..Self::default() }
    }

    /// Whether it was found by going through the past, and not given.
    pub fn is_mined(&self) -> bool {
        self.tier == "M"
    }

    /// Whether it was reviewed.
    pub fn is_reviewed(&self) -> bool {
        self.tier == "A"
    }

    /// What the developer chose.
    pub fn chosen(&self) -> u64 {
        self.new_value.round() as u64
    }

    /// Whether the developer put in a pause.
    pub fn is_pause(&self) -> bool {
        self.written_kind() == Kind::Sleep
    }

    /// Of which kind the developer's wait is, by how the fixed line is written.
    fn written_kind(&self) -> Kind {
        if let Some(kind) = self.wait_kind {
            return kind;
        }
        let is_limit = self.chosen() >= LIMIT_FROM;
        match self.call_form.as_str() {
            "setTimeout-close" if is_limit => Kind::TestTimeout,
            "setTimeout-close" => Kind::Timer,
            "cy.wait" | "waitForTimeout" => Kind::Sleep,
            "sleep/delay/wait fn" if self.after.contains("timeout(") => Kind::TestTimeout,
            "sleep/delay/wait fn" => Kind::Sleep,
            "setTimeout" if self.after.contains("romise") => Kind::Sleep,
            "setTimeout" => Kind::Timer,
            "jest.setTimeout" => Kind::TestTimeout,
            _ => Kind::PollTimeout,
        }
    }
}

/// A case with what steady knows at the commit before.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Example {
    /// The fix.
    pub case: Case,
    /// What is known.
    pub evidence: Evidence,
    /// What is known once the wait that the developer added is written, with its time left open.
    #[serde(default)]
    pub written: Option<Evidence>,
    /// How long reading the files and the lines took, in milliseconds, without the past.
    pub read_ms: f64,
    /// How long reading the past took.
    pub past_ms: f64,
    /// How many files were read.
    pub files: usize,
    /// How many commits of the folder there were.
    pub commits: usize,
}

impl Example {
    /// Of which kind the developer's wait is.
    pub fn kind(&self) -> Kind {
        self.evidence.target.kind().unwrap_or_else(|| self.case.written_kind())
    }

    /// The kind's place in the tables.
    pub fn kind_index(&self) -> usize {
        KINDS.iter().position(|kind| *kind == self.kind()).unwrap_or_default()
    }

    /// Whether a wait that says how long is raised.
    pub fn is_raise(&self) -> bool {
        self.evidence.target.old_ms().is_some()
    }
}

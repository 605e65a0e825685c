//! Everything that speaks for a value: lines that have it, and commits that chose it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steady_history::{Past, versions_in};
use steady_js::{Form, Kind, Wait};

use super::corpus::{Corpus, Source};
use super::fragment::fragment;
use super::similar::Space;
use super::target::{Addition, Target};

/// Words in the subject of a commit that was made because of time.
const HASTE: [&str; 14] = [
    "flak",
    "timeout",
    "time out",
    "wait",
    "slow",
    "unstable",
    "stabil",
    "intermittent",
    "race",
    "random",
    "delay",
    "timing",
    "longer",
    "sleep",
];

/// Where a line is, as seen from the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// In the same file.
    File,
    /// In another test file of the same folder.
    Folder,
    /// In a folder beside or above.
    Around,
}

/// A time in a line of today.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Seen {
    /// Where.
    pub scope: Scope,
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Who pays for it.
    pub kind: Kind,
    /// How it is written.
    pub form: Form,
    /// What is called.
    pub callee: String,
    /// How long.
    pub ms: u64,
    /// How alike its line is to the place; 0 outside the folder.
    pub similarity: f64,
}

/// A time that a commit wrote, changed or took away.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Changed {
    /// How many commits of the folder are newer.
    pub age: usize,
    /// The commit.
    pub commit: String,
    /// Whether its subject speaks of time.
    pub in_haste: bool,
    /// The file.
    pub path: PathBuf,
    /// Whether that is the file of the place.
    pub same_file: bool,
    /// The line, after the commit if it is still there.
    pub line: usize,
    /// What it said or says.
    pub text: String,
    /// Who pays for it.
    pub kind: Kind,
    /// How it is written.
    pub form: Form,
    /// How long it was before.
    pub from: Option<u64>,
    /// How long it was after.
    pub to: Option<u64>,
    /// How alike the line is to the place.
    pub similarity: f64,
}

/// All that is known about a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Evidence {
    /// What stands there.
    pub target: Target,
    /// What is called there and beside it, for a place without a time.
    pub callees: Vec<String>,
    /// The line.
    pub line: usize,
    /// Times in the lines of today.
    pub seen: Vec<Seen>,
    /// Times in the past of the folder, newest first.
    pub changed: Vec<Changed>,
    /// Times that this line had.
    pub had: Vec<u64>,
    /// What will be written, where there is no wait yet and that is known.
    #[serde(default)]
    pub addition: Option<Addition>,
}

impl Evidence {
    /// Gathers what is known about a line of a file.
    pub fn gather(corpus: &Corpus, place: &Source, line: usize, past: Option<&Past>) -> Self {
        let target = Target::at(place, line);
        let folder = place.path.parent().unwrap_or(Path::new(""));
        let near: Vec<&Source> = corpus
            .files()
            .iter()
            .filter(|file| file.path.parent().unwrap_or(Path::new("")) == folder)
            .collect();
        let timed = |file: &Source| {
            let lines: Vec<&str> = file.text.lines().collect();
            let line_of = |line: usize| lines.get(line - 1).copied().unwrap_or_default().to_owned();
            let waits = file.waits.iter().filter_map(|wait| Some((wait, wait.value.as_ref()?)));
            waits
                .map(|(wait, value)| (wait.clone(), value.ms, value.line, line_of(value.line)))
                .collect::<Vec<_>>()
        };
        let here = target.wait().and_then(|wait| wait.value.as_ref()).map(|value| value.span);
        let mut seen = Vec::new();
        for file in corpus.files() {
            let scope = match (file.path == place.path, near.iter().any(|one| std::ptr::eq(*one, file))) {
                (true, _) => Scope::File,
                (false, true) => Scope::Folder,
                (false, false) => Scope::Around,
            };
            let mut values = Vec::new();
            for (wait, ms, line, text) in timed(file) {
                let span = wait.value.as_ref().map(|value| value.span);
                // A constant that many calls use is one line.
                if scope == Scope::File && span == here || values.contains(&span) {
                    continue;
                }
                values.push(span);
                let (path, similarity) = (file.path.clone(), 0.0);
                let (kind, form, callee) = (wait.kind, wait.form, wait.callee);
                seen.push(Seen { scope, path, line, text, kind, form, callee, ms, similarity });
            }
        }
        let mut changed = past.map(|past| changes(past, &place.path)).unwrap_or_default();
        let texts = seen.iter().filter(|seen| seen.scope != Scope::Around).map(|seen| seen.text.as_str());
        let texts: Vec<&str> = texts.chain(changed.iter().map(|change| change.text.as_str())).collect();
        let space = Space::new(&near, place, line, &texts);
        for one in seen.iter_mut().filter(|seen| seen.scope != Scope::Around) {
            one.similarity = space.similarity(&one.text);
        }
        for one in &mut changed {
            one.similarity = space.similarity(&one.text);
        }
        let versions = past
            .and_then(|past| versions_in(past, &place.path, &place.text).remove(&line))
            .unwrap_or_default();
        let had =
            versions.iter().filter_map(|version| fragment(&version.text)).map(|found| found.ms).collect();
        let callees = place.waits.iter().filter(|wait| wait.line.abs_diff(line) <= 1);
        let callees = callees.map(|wait| wait.callee.clone()).collect();
        Self { target, callees, line, seen, changed, had, addition: None }
    }

    /// The kind of the wait that is there, or that will be.
    pub fn kind(&self) -> Option<Kind> {
        self.target.kind().or(self.addition.map(|addition| addition.kind))
    }

    /// What a value must be above.
    pub fn least(&self) -> u64 {
        self.target.wait().and_then(Wait::ms).unwrap_or(0)
    }

    /// How long is waited there now, if nothing there says so: a limit that is added is of use only above it.
    pub fn default_ms(&self) -> u64 {
        match self.target.wait().and_then(Wait::ms) {
            Some(_) => 0,
            None => self.addition.map_or(0, |addition| addition.above),
        }
    }
}

fn changes(past: &Past, place: &Path) -> Vec<Changed> {
    let folder = place.parent();
    let mut ages: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for change in &past.changes {
        if change.path.parent() != folder {
            continue;
        }
        let before = change.old.as_deref().and_then(fragment);
        let after = change.new.as_deref().and_then(fragment);
        let Some(known) = after.as_ref().or(before.as_ref()) else { continue };
        let (from, to) = (before.as_ref().map(|one| one.ms), after.as_ref().map(|one| one.ms));
        if from == to {
            continue;
        }
        let age = ages.len();
        let age = *ages.entry(&change.commit).or_insert(age);
        let subject = change.subject.to_lowercase();
        let text = if after.is_some() { &change.new } else { &change.old };
        found.push(Changed {
            age,
            commit: change.commit.clone(),
            in_haste: HASTE.iter().any(|word| subject.contains(word)),
            path: change.path.clone(),
            same_file: change.path == place,
            line: change.new_line.or(change.old_line).unwrap_or(1),
            text: text.clone().unwrap_or_default(),
            kind: known.kind,
            form: known.form,
            from,
            to,
            similarity: 0.0,
        });
    }
    found
}

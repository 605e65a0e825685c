//! A command line with what steady adds to it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::plan::{self, Plan};

/// A test command as plain data: what to spawn, with which environment, after writing which files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Changes to the environment, by name.
    pub variables: BTreeMap<&'static str, Variable>,
    /// Steady's own files, by their name in the injection folder.
    pub files: BTreeMap<&'static str, String>,
    /// The folder for steady's own files; outside of the user's project.
    pub folder: PathBuf,
    pub(crate) plan: Plan,
    /// Where in `args` more arguments may stand.
    pub(crate) slot: usize,
    /// The runner's own words, after `npx`, `poetry run` and such, or in a script.
    pub(crate) words: Vec<String>,
    /// Which word of the command line is the first of these; none when they are in a script.
    pub(crate) start: Option<usize>,
}

/// A change to an environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Variable {
    /// It becomes this.
    Set(String),
    /// This and a colon are prepended.
    PathBefore(String),
    /// A space and this are appended.
    WordsAfter(String),
}

impl Variable {
    /// The value, given what it was before.
    pub fn value(&self, before: Option<&OsStr>) -> OsString {
        let before = before.filter(|before| !before.is_empty());
        match (self, before) {
            (Self::Set(value), _) | (Self::PathBefore(value) | Self::WordsAfter(value), None) => value.into(),
            (Self::PathBefore(value), Some(before)) => joined(value.as_ref(), ":", before),
            (Self::WordsAfter(value), Some(before)) => joined(before, " ", value.as_ref()),
        }
    }
}

fn joined(first: &OsStr, between: &str, second: &OsStr) -> OsString {
    let mut whole = first.to_owned();
    whole.push(between);
    whole.push(second);
    whole
}

impl Invocation {
    /// The values of the changed environment variables, given this process's environment.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let value =
            |(name, change): (&&'static str, &Variable)| (*name, change.value(env::var_os(name).as_deref()));
        self.variables.iter().map(value).collect()
    }

    /// Writes steady's own files to the injection folder.
    pub fn write_files(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for (name, text) in &self.files {
            fs::write(self.folder.join(name), text)?;
        }
        if self.variables.contains_key(plan::VARIABLE) {
            fs::write(self.folder.join(plan::FILE), serde_json::to_vec(&self.plan)?)?;
        }
        Ok(())
    }

    /// Puts one more argument where the runner takes it.
    pub fn add(&mut self, argument: impl Into<String>) {
        self.args.insert(self.slot, argument.into());
        self.slot += 1;
    }

    /// The path of one of steady's own files.
    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Adds one of steady's own files and returns its path.
    pub(crate) fn file(&mut self, name: &'static str, text: impl Into<String>) -> String {
        self.files.insert(name, text.into());
        self.path(name)
    }

    pub(crate) fn set(&mut self, name: &'static str, change: Variable) {
        self.variables.insert(name, change);
    }

    /// The plan; from now on it is written, and the plugins find it.
    pub(crate) fn plan(&mut self) -> &mut Plan {
        let path = self.path(plan::FILE);
        self.set(plan::VARIABLE, Variable::Set(path));
        &mut self.plan
    }

    /// Where steady's own plugin writes results; requests it in the plan.
    pub(crate) fn own_results(&mut self, folder: &Path) -> crate::Report {
        self.plan().results = Some(folder.join(plan::RESULTS_FILE));
        crate::Report::file(folder, plan::RESULTS_FILE)
    }

    /// Whether the user gave an option, as `--name` or `--name=value`.
    pub(crate) fn has_option(&self, name: &str) -> bool {
        let is = |word: &String| {
            word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        self.words.iter().chain(&self.args).any(is)
    }
}

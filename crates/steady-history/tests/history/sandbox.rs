//! A small repository, made by the real git, the same every time.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use steady_history::{Limits, LineVersion, Past, Query, Repository, line_versions, past};
use tempfile::TempDir;

/// The time of the first commit; every further one is a minute later.
pub const START: i64 = 1_700_000_000;

pub struct Sandbox {
    folder: TempDir,
    commits: Cell<i64>,
}

impl Sandbox {
    pub fn new() -> Self {
        let sandbox = Self::without_git();
        sandbox.git(["init", "--quiet", "--initial-branch=main"]);
        sandbox
    }

    pub fn without_git() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), commits: Cell::new(0) }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Runs git without any user configuration.
    pub fn git<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        let time = format!("{} +0000", START + 60 * self.commits.get());
        let mut command = Command::new("git");
        command.arg("-C").arg(self.folder.path()).args(arguments).stdin(Stdio::null());
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "Ada")
                .env(format!("GIT_{role}_EMAIL"), "ada@example.org");
            command.env(format!("GIT_{role}_DATE"), &time);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Brings in a history written down for `git fast-import`.
    pub fn import(&self, script: &str) {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.folder.path()).args(["fast-import", "--quiet"]);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }

    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Commits everything there is; gives the commit's id.
    pub fn commit(&self, subject: &str) -> String {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--allow-empty", "--message", subject]);
        self.commits.set(self.commits.get() + 1);
        self.git(["rev-parse", "HEAD"])
    }

    /// Writes a file of a few lines around one that matters, and commits it.
    pub fn commit_line(&self, path: &str, line: &str) -> String {
        self.write(path, file(line));
        self.commit(line)
    }

    pub fn repository(&self) -> Repository {
        Repository::find(&self.path()).unwrap().unwrap()
    }

    pub fn past(&self) -> Past {
        past(&self.repository(), &query("tests")).unwrap()
    }
}

/// A few lines around one that matters, which is the third.
pub fn file(line: &str) -> String {
    format!("test('cart', async () => {{\n  open(cart);\n  {line}\n  expect(total);\n}});\n")
}

/// Asks for the lines with a digit in the TypeScript files of a folder.
pub fn query(folder: &str) -> Query<'_> {
    Query {
        folder: Path::new(folder),
        recursive: false,
        is_test: &|path| path.extension() == Some("ts".as_ref()),
        keep: &|line| line.contains(|character: char| character.is_ascii_digit()),
        rules: "digits 1",
        limits: Limits { depth: 10_000, time: Duration::from_secs(600) },
    }
}

/// What the changes did, newest first: before, after.
pub fn changes(past: &Past) -> Vec<(&str, &str)> {
    fn text(text: &Option<String>) -> &str {
        text.as_deref().map_or("", str::trim)
    }
    past.changes.iter().map(|change| (text(&change.old), text(&change.new))).collect()
}

/// What a line said, newest first.
pub fn said(past: &Past, path: &str, line: usize) -> Vec<String> {
    texts(&line_versions(past, Path::new(path), line))
}

pub fn texts(versions: &[LineVersion]) -> Vec<String> {
    versions.iter().map(|version| version.text.trim().to_owned()).collect()
}

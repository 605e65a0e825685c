//! The project whose tests are looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use steady_assertions::{FixtureFile, LARGEST, Language, ParseError, Source, imported_names};
use steady_exec::{ExecError, RecordError, SandboxError, StateDirError, TestCommand};
use steady_process::Cancel;

/// Folders without tests of the project's own.
const ELSEWHERE: [&str; 12] = [
    "node_modules",
    "target",
    "build",
    "dist",
    "out",
    "venv",
    ".venv",
    "__pycache__",
    "site-packages",
    "vendor",
    "coverage",
    "steady-out",
];

/// The project, its tests and how they are run.
#[derive(Debug)]
pub struct CodeProject<'a> {
    /// The folder the command is run in.
    pub folder: &'a Path,
    /// The command, its program first.
    pub command: &'a [String],
    /// Environment variables for it.
    pub variables: Vec<(String, String)>,
    /// How long one run may take.
    pub timeout: Duration,
    /// The files with tests.
    pub code: Vec<TestCode>,
    /// steady's own folder in the project.
    pub state: &'a Path,
    /// Ends a run that is under way.
    pub cancel: &'a Cancel,
}

/// A file with tests.
#[derive(Debug)]
pub struct TestCode {
    /// Where it is, relative to the project.
    pub path: PathBuf,
    /// What it says.
    pub source: Source,
}

/// Test code cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// A file or folder is not there, or not to be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no code of a known language.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// There is nothing to look at.
    #[error("no assertion about an HTTP response was found below `{}`", path.display())]
    Nothing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The exchanges of the tests cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of the copy cannot be written.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The tests cannot be run.
    #[error(transparent)]
    Exec(ExecError),
}

impl From<ExecError> for CodeError {
    fn from(error: ExecError) -> Self {
        match error {
            ExecError::Record(error) => Self::Record(error),
            error => Self::Exec(error),
        }
    }
}

impl From<StateDirError> for CodeError {
    fn from(error: StateDirError) -> Self {
        Self::Exec(error.into())
    }
}

impl<'a> CodeProject<'a> {
    /// The command, as it is run.
    pub(super) fn test_command(&'a self) -> TestCommand<'a> {
        TestCommand {
            words: self.command,
            variables: &self.variables,
            results: &[],
            timeout: Some(self.timeout),
        }
    }
}

impl TestCode {
    /// The files with assertions about responses at or below a path of a project; a file that does not parse is reported and
    /// skipped, unless it is the only one.
    pub fn find(project: &Path, path: &Path, warn: &mut dyn FnMut(String)) -> Result<Vec<Self>, CodeError> {
        let mut found = Vec::new();
        let mut files = Vec::new();
        let mut fixtures = Fixtures::default();
        collect(path, &mut files)?;
        for file in &files {
            let bytes = fs::read(file).map_err(|source| CodeError::Read { path: file.clone(), source })?;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let relative = relative_to(project, file);
            let seen = fixtures.seen_by(project, &relative, &text);
            match Source::read_with(&relative, text, &seen) {
                Ok(source) if source.assertions().is_empty() => {}
                Ok(source) => found.push(Self { path: relative, source }),
                Err(error) if files.len() == 1 => return Err(error.into()),
                Err(error) => warn(format!("{error}; the file is left alone")),
            }
        }
        if found.is_empty() { Err(CodeError::Nothing { path: path.to_owned() }) } else { Ok(found) }
    }
}

/// No file of tests imports functions from more files than are read for it.
const MOST_IMPORTED: usize = 20;

/// The files of fixtures that were read; none where there is no such file, or it does not parse.
#[derive(Default)]
struct Fixtures(BTreeMap<PathBuf, Option<Arc<FixtureFile>>>);

impl Fixtures {
    /// Those that a file of a project sees, the nearest first: in its folder and in those around it; then those that it imports
    /// functions from.
    fn seen_by(&mut self, project: &Path, file: &Path, text: &str) -> Vec<Arc<FixtureFile>> {
        let mut seen = self.above(project, file);
        seen.extend(imported(project, file, text).into_iter().map(Arc::new));
        seen
    }

    fn above(&mut self, project: &Path, file: &Path) -> Vec<Arc<FixtureFile>> {
        if !FixtureFile::serves(file) || file.is_absolute() {
            return Vec::new();
        }
        let paths = file.ancestors().skip(1).map(|folder| folder.join(FixtureFile::NAME));
        let paths: Vec<PathBuf> = paths.filter(|path| path != file).collect();
        for path in &paths {
            let read = || {
                let text = fs::read_to_string(project.join(path)).ok()?;
                FixtureFile::read(path, text).ok().map(Arc::new)
            };
            self.0.entry(path.clone()).or_insert_with(read);
        }
        paths.iter().filter_map(|path| self.0.get(path)?.clone()).collect()
    }
}

/// The files of the project that a file imports functions from.
fn imported(project: &Path, file: &Path, text: &str) -> Vec<FixtureFile> {
    let modules: BTreeSet<String> = imported_names(file, text).into_iter().map(|name| name.module).collect();
    let files = modules.into_iter().filter_map(|module| {
        let path = paths_of(file, &module).into_iter().find(|path| project.join(path).is_file())?;
        let whole = project.join(&path).canonicalize().ok()?;
        let is_inside = project.canonicalize().is_ok_and(|project| whole.starts_with(project));
        let is_readable = fs::metadata(&whole).is_ok_and(|data| data.len() <= LARGEST as u64);
        let text = (is_inside && is_readable).then(|| fs::read_to_string(&whole).ok()).flatten()?;
        FixtureFile::imported(path, &text, module).ok()
    });
    files.take(MOST_IMPORTED).collect()
}

/// Where the file of a module may be, relative to the project.
fn paths_of(file: &Path, module: &str) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    if FixtureFile::serves(file) {
        let dots = module.len() - module.trim_start_matches('.').len();
        let name = format!("{}.py", module.trim_start_matches('.').replace('.', "/"));
        // Without a dot, pytest finds modules beside the tests and below the folders around them.
        return match dots {
            0 => file.ancestors().skip(1).map(|folder| folder.join(&name)).collect(),
            dots => folder.ancestors().nth(dots - 1).map(|folder| folder.join(&name)).into_iter().collect(),
        };
    }
    let whole = flat(&folder.join(module));
    let endings = ["", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", "/index.js", "/index.ts"];
    endings.iter().map(|ending| PathBuf::from(format!("{}{ending}", whole.display()))).collect()
}

/// A path without `.` and `..`, as far as it stays inside the project.
fn flat(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                flat.pop();
            }
            part => flat.push(part),
        }
    }
    flat
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), CodeError> {
    let failed = |source| CodeError::Read { path: path.to_owned(), source };
    if !fs::metadata(path).map_err(failed)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<_> =
        fs::read_dir(path).map_err(failed)?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let skipped = name.starts_with('.') || ELSEWHERE.contains(&name);
        if entry.is_symlink() || skipped {
            continue;
        }
        if entry.is_dir() || Language::of(&entry).is_some() {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

fn relative_to(project: &Path, file: &Path) -> PathBuf {
    let (project, absolute) = (project.canonicalize(), file.canonicalize());
    match (project, absolute) {
        (Ok(project), Ok(file)) => file.strip_prefix(&project).map_or(file.clone(), Path::to_path_buf),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_below(files: &[(&str, &str)], tests: &str) -> Vec<usize> {
        let project = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = project.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        let found = TestCode::find(project.path(), &project.path().join(tests), &mut |_| {}).expect("tests");
        found.iter().flat_map(|code| code.source.assertions()).map(|assertion| assertion.line).collect()
    }

    #[test]
    fn functions_are_followed_into_the_files_that_they_are_imported_from() {
        let helper = "module.exports = { titles };\nfunction titles(body) {\n  return body.map((note) => note.title);\n}\n";
        let test = "const { titles } = require('../lib/read');\nit('a', async () => {\n  const res = await request(app).get('/notes');\n  expect(titles(res.body)).toEqual(['x']);\n});\n";
        assert_eq!(lines_below(&[("lib/read.js", helper), ("t/a.test.js", test)], "t"), [4]);
        let client = "def names(body):\n    return [one[\"name\"] for one in body]\n";
        let test = "from helpers.read import names\n\n\ndef test_a():\n    r = requests.get(u)\n    assert names(r.json()) == [\"x\"]\n";
        assert_eq!(lines_below(&[("helpers/read.py", client), ("tests/test_a.py", test)], "tests"), [6]);
    }

    #[test]
    fn nothing_outside_of_the_project_is_read() {
        assert_eq!(flat(Path::new("t/../../../etc/x")), Path::new("etc/x"));
        assert_eq!(paths_of(Path::new("tests/test_a.py"), "..read"), [Path::new("read.py")]);
        assert!(paths_of(Path::new("test_a.py"), "....read").is_empty());
    }
}

//! The versions of test runners that `steady rerun` is held to, each installed from pinned project files of its own.

use std::path::PathBuf;

use crate::RunnerError;
use crate::install::project_file;
use crate::runners::{node, python};

/// A version of a runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// The runner's name, as steady calls it.
    pub runner: &'static str,
    /// Its version.
    pub version: &'static str,
    home: Home,
    /// Whether steady can make it run some tests only.
    pub selects: bool,
}

/// Where a version is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    /// The npm project that all tests share.
    Shared,
    /// Vitest's npm project.
    Vitest,
    /// An npm project in `runners/matrix`.
    Npm(&'static str),
    /// Python requirements in `runners/matrix`.
    Pip(&'static str),
}

const fn release(runner: &'static str, version: &'static str, home: Home) -> Release {
    Release { runner, version, home, selects: true }
}

/// Every version, by runner and from old to new. Three minor versions of Playwright are a year apart.
pub const RELEASES: [Release; 16] = [
    release("pytest", "7.4.4", Home::Pip("pytest-7")),
    release("pytest", "8.4.2", Home::Pip("pytest-8")),
    release("pytest", "9.2.0", Home::Pip("pytest-9")),
    release("jest", "28.1.3", Home::Npm("jest-28")),
    release("jest", "29.7.0", Home::Shared),
    release("jest", "30.5.2", Home::Npm("jest-30")),
    release("vitest", "1.6.1", Home::Npm("vitest-1")),
    release("vitest", "2.1.9", Home::Npm("vitest-2")),
    release("vitest", "3.2.7", Home::Npm("vitest-3")),
    release("vitest", "4.1.12", Home::Vitest),
    release("mocha", "10.8.2", Home::Npm("mocha-10")),
    release("mocha", "11.8.0", Home::Shared),
    release("mocha", "12.0.3", Home::Npm("mocha-12")),
    // Test lists came with 1.56.
    Release { selects: false, ..release("playwright", "1.49.1", Home::Npm("playwright-1.49")) },
    release("playwright", "1.57.0", Home::Npm("playwright-1.57")),
    release("playwright", "1.65.0", Home::Shared),
];

/// An installed version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installed {
    /// The `node_modules` that hold it.
    Modules(PathBuf),
    /// The Python interpreter that has it.
    Interpreter(PathBuf),
}

impl Release {
    /// Installs it, once.
    pub fn install(self) -> Result<Installed, RunnerError> {
        let folder = |name: &str| project_file("matrix").join(name);
        match self.home {
            Home::Shared => node::install().map(Installed::Modules),
            Home::Vitest => node::install_vitest().map(Installed::Modules),
            // Some lock files name the native packages of one platform, and `npm ci` would ask for those of all others too.
            Home::Npm(name) => {
                node::project(name, &folder(name), &["install", "--no-save"]).map(Installed::Modules)
            }
            Home::Pip(name) => {
                python::environment(name, &folder(name).join("requirements.txt")).map(Installed::Interpreter)
            }
        }
    }
}

/// The lines before and after the table in a page of the documentation.
const MARKS: [&str; 2] =
    ["<!-- versions: written by `cargo xtask docs` -->\n\n", "\n<!-- end of versions -->"];

/// The page with the table of all versions in it; `None` where the page has no place for one.
pub fn page_with_versions(page: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some([before, MARKS[0], &table(), MARKS[1], after].concat())
}

fn table() -> String {
    let head = "| runner | version | reports all six kinds | retries by | runs selected tests | runs a given order |\n\
                |---|---|---|---|---|---|\n";
    let row = |release: Release| {
        let (name, retries) = release.described();
        let selects = if release.selects { "yes" } else { "no: needs 1.56" };
        format!("| {name} | {} | yes | {retries} | {selects} | yes |\n", release.version)
    };
    RELEASES.into_iter().map(row).fold(head.to_owned(), |table, row| table + &row)
}

impl Release {
    /// The runner's name as its makers write it, and what makes it retry.
    fn described(self) -> (&'static str, &'static str) {
        match self.runner {
            "jest" => ("Jest", "`jest.retryTimes`"),
            "vitest" => ("Vitest", "`retry`"),
            "mocha" => ("Mocha", "`this.retries`"),
            "playwright" => ("Playwright", "`retries`"),
            other => (other, "pytest-rerunfailures"),
        }
    }
}

//! What the store records of a session when it begins: the code, the machine, what is installed on it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use jiff::Timestamp;
use steady_model::shard::Shard;
use steady_store::{Environment, Revision, Session};

use crate::config::StoreConfig;
use crate::env_vars;

/// Services by the variable they set.
const CI: [(&str, &str); 7] = [
    (env_vars::GITHUB_ACTIONS, "GitHub Actions"),
    ("GITLAB_CI", "GitLab"),
    ("CIRCLECI", "CircleCI"),
    ("BUILDKITE", "Buildkite"),
    ("JENKINS_URL", "Jenkins"),
    ("TF_BUILD", "Azure Pipelines"),
    ("CI", "CI"),
];

/// The project's name: as `[store]` says, or the folder's.
pub fn project_name(config: &StoreConfig, folder: &Path) -> String {
    let own = || folder.canonicalize().ok()?.file_name().map(|name| name.to_string_lossy().into_owned());
    config.project.clone().or_else(own).unwrap_or_else(|| "project".to_owned())
}

/// Describes a session of this command in this folder that begins now. Programs are asked for their versions: it takes time.
pub fn describe(
    config: &StoreConfig,
    folder: &Path,
    command: &[String],
    shard: Option<Shard>,
) -> impl FnOnce() -> Session + Send + 'static {
    let (project, folder, command) = (project_name(config, folder), folder.to_owned(), command.to_vec());
    let started = Timestamp::now();
    move || Session {
        project,
        revision: revision(&folder),
        environment: Environment { runtimes: runtimes(&command), ci: ci(), ..Environment::here() },
        command,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        shard,
    }
}

fn ci() -> Option<String> {
    CI.iter().find(|(variable, _)| std::env::var_os(variable).is_some()).map(|(_, name)| (*name).to_owned())
}

/// The commit, where the folder is under git.
fn revision(folder: &Path) -> Option<Revision> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "HEAD"])?;
    let branch = git(&["symbolic-ref", "--short", "--quiet", "HEAD"]);
    let dirty =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|changes| !changes.is_empty());
    Some(Revision { commit, branch, dirty })
}

/// The version of the interpreter the command is or speaks of.
fn runtimes(command: &[String]) -> BTreeMap<String, String> {
    let speaks_of = |words: &[&str]| {
        let named = |word: &String| {
            words.iter().any(|name| word.rsplit('/').next().is_some_and(|last| last.starts_with(name)))
        };
        command.iter().take(4).any(named)
    };
    let mut versions = BTreeMap::new();
    let mut ask = |name: &str, words: &[&str]| {
        if speaks_of(words)
            && let Some(version) = version_of(name)
        {
            versions.insert(name.to_owned(), version);
        }
    };
    ask("python3", &["python", "pytest", "tox", "nox"]);
    ask("node", &["node", "npm", "npx", "yarn", "pnpm", "jest", "vitest", "mocha", "playwright"]);
    ask("rustc", &["cargo"]);
    ask("go", &["go"]);
    versions
}

fn version_of(program: &str) -> Option<String> {
    let argument = if program == "go" { "version" } else { "--version" };
    let output = Command::new(program).arg(argument).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().chars().take(100).collect::<String>();
    (output.status.success() && !text.is_empty()).then_some(text)
}

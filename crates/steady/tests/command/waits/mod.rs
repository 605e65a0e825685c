//! `steady waits`: every wait is seen, the right value is found, and nothing but the value changes.

mod control;
mod failure;
mod lint;
mod runners;
mod tune;

use std::path::Path;
use std::process::Command;

use crate::support::Invocation;

fn waits(arguments: &[&str]) -> Invocation {
    let mut all = vec!["waits"];
    all.extend(arguments);
    // Git is found on the path; nobody's settings count.
    Invocation::new(all)
        .env("PATH", &std::env::var("PATH").unwrap_or_default())
        .env("GIT_CONFIG_NOSYSTEM", "1")
}

/// Makes a repository of a folder, or adds a commit to it, with everything that is there.
fn commit(folder: &Path, message: &str) {
    let git = |arguments: &[&str]| {
        let status = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(folder)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    };
    if !folder.join(".git").exists() {
        git(&["init", "--quiet"]);
    }
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", message]);
}

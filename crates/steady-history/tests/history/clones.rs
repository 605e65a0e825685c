//! Clones that lack something, folders that are none, and limits.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use steady_history::{HistoryError, Limits, Query, Repository, past};

use crate::sandbox::{Sandbox, changes, file, query, said};

const CART: &str = "tests/cart.test.ts";
/// Set in a test that was started again by itself.
const WORLD: &str = "STEADY_HISTORY_TEST_WORLD";

fn raised() -> (Sandbox, [String; 3]) {
    let sandbox = Sandbox::new();
    let commits = ["sleep(100);", "sleep(500);", "sleep(2000);"].map(|line| sandbox.commit_line(CART, line));
    (sandbox, commits)
}

#[test]
fn a_folder_without_git_has_no_repository() {
    let sandbox = Sandbox::without_git();
    assert!(Repository::find(&sandbox.path()).unwrap().is_none());
    assert!(Repository::find(&sandbox.path().join("nowhere")).unwrap().is_none());
    let (inside, _) = raised();
    assert!(Repository::find(&inside.path().join(".git")).unwrap().is_none());
    let error = Repository::open_bare(&sandbox.path(), "HEAD").unwrap_err();
    assert!(matches!(error, HistoryError::Failed { .. }), "{error}");
}

/// Runs a test of this file once more, in an environment of its own; true: this is that run.
fn in_another_world(test: &str, variable: &str, value: &str) -> bool {
    if env::var_os(WORLD).is_some() {
        return true;
    }
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", &format!("clones::{test}")]).env(variable, value).env(WORLD, "another");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

#[test]
fn a_machine_without_git_is_told_what_to_do() {
    if in_another_world("a_machine_without_git_is_told_what_to_do", "PATH", "/nowhere") {
        let error = Repository::find(Path::new(".")).unwrap_err();
        assert!(matches!(error, HistoryError::NoGit), "{error:?}");
        assert!(error.to_string().contains("install it"));
    }
}

#[test]
fn a_repository_of_somebody_else_is_not_opened_behind_gits_back() {
    let name = "a_repository_of_somebody_else_is_not_opened_behind_gits_back";
    if in_another_world(name, "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(".git/objects")).unwrap();
        fs::create_dir_all(folder.path().join(".git/refs")).unwrap();
        fs::write(folder.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let error = Repository::find(folder.path()).unwrap_err();
        assert!(
            matches!(&error, HistoryError::Refused { detail, .. } if detail.contains("safe.directory")),
            "{error}"
        );
    }
}

#[test]
fn a_repository_without_commits_has_no_past() {
    let sandbox = Sandbox::new();
    sandbox.write(CART, file("sleep(1);"));
    assert_eq!(sandbox.repository().head(), "");
    assert_eq!(sandbox.past().notes, ["the repository has no commits yet"]);
    assert!(sandbox.repository().is_dirty(Path::new(CART)).unwrap());
}

#[test]
fn a_shallow_clone_says_how_much_of_it_is_here() {
    let (origin, _) = raised();
    let sandbox = Sandbox::without_git();
    let address = format!("file://{}", origin.path().display());
    sandbox.git(["clone", "--quiet", "--depth=2", &address, "."]);
    let repository = sandbox.repository();
    assert!(repository.is_shallow() && !origin.repository().is_shallow());
    let past = past(&repository, &query("tests")).unwrap();
    assert!(!past.complete);
    let note = "only 2 commits are here (shallow clone); `git fetch --unshallow` fetches the rest";
    assert_eq!(past.notes, [note]);
    // What the oldest commit here seems to add is older than it.
    assert_eq!(changes(&past), [("sleep(500);", "sleep(2000);")]);
    sandbox.git(["fetch", "--quiet", "--unshallow"]);
    assert_eq!(sandbox.past(), origin.past());
}

#[test]
fn a_repository_is_looked_at_from_any_commit() {
    let (sandbox, commits) = raised();
    let git_dir = sandbox.path().join(".git");
    let repository = Repository::open_bare(&git_dir, &commits[1]).unwrap();
    assert_eq!(repository.head(), commits[1]);
    let past = past(&repository, &query("tests")).unwrap();
    assert_eq!((past.commits_seen, said(&past, CART, 3)), (2, vec!["sleep(100);".to_owned()]));
    let files = repository.files_at(&commits[0], Path::new("tests")).unwrap();
    assert_eq!(files[0].0, Path::new(CART));
    let missing = "1".repeat(40);
    let contents = repository.read_blobs(&[missing.clone(), files[0].1.clone()]).unwrap();
    assert_eq!(contents, [None, Some(file("sleep(100);").into_bytes())]);
    let error = Repository::open_bare(&git_dir, &missing).unwrap_err();
    assert!(matches!(error, HistoryError::UnknownCommit { .. }), "{error}");
    let error = Repository::open_bare(&git_dir, "--help").unwrap_err();
    assert!(matches!(error, HistoryError::UnknownCommit { .. }), "{error}");
}

#[test]
fn a_version_that_is_missing_is_counted_and_the_rest_is_told() {
    let (sandbox, commits) = raised();
    sandbox.commit_line("tests/list.test.ts", "sleep(7);");
    let blob = sandbox.git(["rev-parse", &format!("{}:{CART}", commits[0])]);
    fs::remove_file(sandbox.path().join(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).unwrap();
    let past = sandbox.past();
    assert_eq!(changes(&past), [("", "sleep(7);"), ("sleep(500);", "sleep(2000);")]);
    assert_eq!(past.missing, 1);
    assert_eq!(past.notes, ["versions of files that are not in this clone were left out: 1"]);
}

#[test]
fn a_partial_clone_is_looked_at_as_it_is_and_nothing_is_fetched() {
    let (origin, _) = raised();
    origin.git(["config", "uploadpack.allowFilter", "true"]);
    let sandbox = Sandbox::without_git();
    let address = format!("file://{}", origin.path().display());
    sandbox.git(["clone", "--quiet", "--filter=blob:none", &address, "."]);
    sandbox.commit_line(CART, "sleep(9000);");
    let past = sandbox.past();
    assert_eq!((changes(&past), past.missing), (vec![("sleep(2000);", "sleep(9000);")], 2));
    assert_eq!(sandbox.past(), past);
}

#[test]
fn a_file_too_large_to_be_a_test_is_left_out() {
    let (sandbox, _) = raised();
    sandbox.write(CART, file("sleep(1);").repeat(40_000));
    sandbox.commit("generated");
    let past = sandbox.past();
    assert_eq!(past.notes, ["versions of files that are too large were left out: 1"]);
    assert_eq!(past.changes.len(), 3);
}

#[test]
fn a_broken_history_is_told_as_far_as_it_can_be_read() {
    let (sandbox, commits) = raised();
    let tree = sandbox.git(["rev-parse", &format!("{}^{{tree}}", commits[0])]);
    fs::remove_file(sandbox.path().join(format!(".git/objects/{}/{}", &tree[..2], &tree[2..]))).unwrap();
    let past = sandbox.past();
    assert!(!past.complete && past.notes[0].starts_with("git stopped early"), "{:?}", past.notes);
    assert_eq!(changes(&past), [("sleep(500);", "sleep(2000);")]);
}

#[test]
fn depth_is_counted_in_commits_whatever_they_touch() {
    let (sandbox, _) = raised();
    sandbox.commit_line("README.md", "nothing");
    let limits = |depth| Limits { depth, time: Duration::from_secs(600) };
    let seen =
        |depth| past(&sandbox.repository(), &Query { limits: limits(depth), ..query("tests") }).unwrap();
    assert_eq!(changes(&seen(2)), [("sleep(500);", "sleep(2000);")]);
    assert_eq!(seen(2).notes, ["only the newest 2 commits were read"]);
    assert_eq!(changes(&seen(1)), []);
    assert!(!seen(3).complete && seen(4).complete);
}

#[test]
fn without_time_nothing_is_known_and_nothing_is_wrong() {
    let (sandbox, _) = raised();
    for time in [Duration::ZERO, Duration::from_nanos(1)] {
        let limits = Limits { depth: 10, time };
        let past = past(&sandbox.repository(), &Query { limits, ..query("tests") }).unwrap();
        assert!(!past.complete);
        assert_eq!(past.notes[0], "the history is incomplete: 0 ms were too short to read all of it");
    }
}

#[test]
fn a_file_is_dirty_when_it_says_something_else_than_the_commit() {
    let (sandbox, _) = raised();
    let repository = sandbox.repository();
    let dirty = |path: &str| repository.is_dirty(Path::new(path));
    assert!(!dirty(CART).unwrap());
    sandbox.write(CART, file("sleep(2000);").replace('\n', "\r\n"));
    assert!(!dirty(CART).unwrap());
    sandbox.write(CART, file("sleep(2001);"));
    assert!(dirty(CART).unwrap() && repository.is_dirty(&sandbox.path().join(CART)).unwrap());
    sandbox.write("tests/new.test.ts", "");
    assert!(dirty("tests/new.test.ts").unwrap());
    assert!(matches!(dirty("tests/none.ts"), Err(HistoryError::Unreadable { .. })));
    assert!(matches!(dirty("/nowhere/none.ts"), Err(HistoryError::Outside { .. })));
}

#[test]
fn programs_that_the_repository_names_are_not_run() {
    let (sandbox, _) = raised();
    let mark = sandbox.path().join("mark");
    let program = format!("touch '{}'; cat", mark.display());
    for key in
        ["core.pager", "core.fsmonitor", "diff.external", "diff.x.textconv", "filter.x.clean", "gpg.program"]
    {
        sandbox.git(["config", key, &program]);
    }
    sandbox.git(["config", "log.showSignature", "true"]);
    sandbox.write(".gitattributes", "*.ts diff=x filter=x\n");
    sandbox.write(CART, file("sleep(2001);"));
    assert_eq!(sandbox.past().changes.len(), 3);
    assert!(sandbox.repository().is_dirty(Path::new(CART)).unwrap());
    assert!(!mark.exists());
}

#[test]
fn settings_of_the_user_change_nothing() {
    let (sandbox, _) = raised();
    let plain = sandbox.past();
    let settings = [
        "log.showRoot=false",
        "diff.renames=copies",
        "diff.relative=true",
        "color.ui=always",
        "log.diffMerges=off",
        "diff.orderFile=/nowhere",
    ];
    for (key, value) in settings.iter().filter_map(|setting| setting.split_once('=')) {
        sandbox.git(["config", key, value]);
    }
    let found = Repository::find(&sandbox.path().join("tests")).unwrap().unwrap();
    assert_eq!(past(&found, &query("tests")).unwrap(), plain);
}

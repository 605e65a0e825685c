//! Which files are read after a run.
#![expect(clippy::unwrap_used, reason = "a test's helpers may panic as the test does")]

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use steady_results::{Base, Collected, Snapshot, Sources};

fn junit(name: &str) -> String {
    format!("<testsuite><testcase classname='A' name='{name}'/></testsuite>")
}

/// Writes a file as of a given time, so that no test depends on how fast it runs.
fn write(path: &Path, content: &str, seconds: u64) {
    fs::write(path, content).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds);
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

fn ids(collected: &Collected) -> Vec<&str> {
    collected.results.iter().map(|result| result.id.as_str()).collect()
}

fn notes(collected: &Collected) -> Vec<String> {
    collected.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn only_what_this_run_wrote_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let base = Base::new(folder.path());
    let sources = Sources::new(["*.xml"]).unwrap();
    write(&folder.path().join("a.xml"), &junit("a"), 1);
    write(&folder.path().join("b.xml"), &junit("b"), 1);
    let before = sources.snapshot(&base);
    write(&folder.path().join("b.xml"), &junit("b"), 2);
    write(&folder.path().join("c.xml"), &junit("c"), 1);
    let collected = sources.collect(&base, &before);
    assert_eq!(ids(&collected), ["A::b", "A::c"]);
    assert_eq!(collected.files, ["b.xml", "c.xml"]);
    assert!(collected.notes.is_empty(), "{:?}", collected.notes);

    let nothing_new = sources.collect(&base, &sources.snapshot(&base));
    assert!(nothing_new.results.is_empty());
    assert_eq!(
        notes(&nothing_new),
        ["a.xml is from before this run; the command did not write it this time"]
    );
}

#[test]
fn a_broken_file_does_not_hide_the_sound_ones() {
    let folder = tempfile::tempdir().unwrap();
    let base = Base::new(folder.path());
    write(&folder.path().join("a.xml"), "<testsuite><testcase name='a'>", 1);
    write(&folder.path().join("b.xml"), &junit("b"), 1);
    write(&folder.path().join("c.xml"), "what is this?", 1);
    write(&folder.path().join("d.xml"), "", 1);
    let collected = Sources::new(["*.xml", "reports/*.json"]).unwrap().collect(&base, &Snapshot::default());
    assert_eq!(ids(&collected), ["A::b"]);
    insta::assert_snapshot!(notes(&collected).join("\n"), @r"
    no file matches `reports/*.json`; does the command write its report there?
    a.xml: broken JUnit XML report at byte 30: it ends too early; was the runner ended while it wrote?
    c.xml: not a test report steady knows (JUnit XML, TAP, JSON of Playwright, Jest, Vitest, pytest, libtest or Go)
    d.xml: the file is empty; did the runner get to the end?
    ");
}

#[test]
fn a_folder_means_every_report_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let base = Base::new(folder.path());
    fs::create_dir_all(folder.path().join("reports/[x]/deep")).unwrap();
    write(&folder.path().join("reports/b.xml"), &junit("same"), 1);
    write(&folder.path().join("reports/[x]/deep/a.tap"), "ok 1 - a\n", 1);
    write(&folder.path().join("reports/notes.txt"), "passed over", 1);
    let collected = Sources::new(["reports", "reports/b.xml"]).unwrap().collect(&base, &Snapshot::default());
    assert_eq!(collected.files, ["reports/[x]/deep/a.tap", "reports/b.xml"]);
    assert_eq!(ids(&collected), ["a", "A::same"]);
    assert!(collected.notes.is_empty(), "{:?}", collected.notes);
}

#[test]
fn tests_of_the_same_name_in_two_files_are_numbered_by_path() {
    let folder = tempfile::tempdir().unwrap();
    let base = Base::new(folder.path());
    write(&folder.path().join("b.xml"), "<testsuite><testcase name='t'><failure/></testcase></testsuite>", 1);
    write(&folder.path().join("a.xml"), "<testsuite><testcase name='t'/></testsuite>", 1);
    let collected = Sources::new(["b.xml", "a.xml"]).unwrap().collect(&base, &Snapshot::default());
    assert_eq!(ids(&collected), ["t", "t#2"]);
    assert_eq!(collected.results[1].message, None);
    assert_eq!(collected.results[1].outcome, steady_model::rerun::Outcome::Failed);
}

#[test]
fn the_same_results_in_two_formats_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let base = Base::new(folder.path());
    write(&folder.path().join("a.xml"), "<testsuite><testcase name='t'/><testcase name='u'/></testsuite>", 1);
    write(&folder.path().join("b.tap"), "ok 1 - t\nok 2 - u\nok 3 - v\n", 1);
    write(&folder.path().join("c.tap"), "ok 1 - w\n", 1);
    let collected = Sources::new(["."]).unwrap().collect(&base, &Snapshot::default());
    assert_eq!(ids(&collected), ["t", "u", "w"]);
    assert_eq!(notes(&collected), ["ignoring b.tap (TAP): it duplicates another report"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_end() {
    let folder = tempfile::tempdir().unwrap();
    let base = Base::new(folder.path());
    fs::create_dir(folder.path().join("reports")).unwrap();
    write(&folder.path().join("reports/a.xml"), &junit("a"), 1);
    for link in ["one", "two", "three"] {
        std::os::unix::fs::symlink("..", folder.path().join("reports").join(link)).unwrap();
    }
    let collected = Sources::new(["reports/**/*.xml"]).unwrap().collect(&base, &Snapshot::default());
    assert_eq!(ids(&collected), ["A::a"]);
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let base = Base::new(folder.path());
    File::create(folder.path().join("a.xml")).unwrap().set_len(steady_results::SIZE_LIMIT + 1).unwrap();
    let collected = Sources::new(["a.xml"]).unwrap().collect(&base, &Snapshot::default());
    assert_eq!(
        notes(&collected),
        [
            "a.xml has 67108865 bytes, more than the 67108864 that are read; let the runner leave out the tests' output"
        ]
    );
}

#[test]
fn a_malformed_pattern_is_refused_at_once() {
    let error = Sources::new(["reports/***.xml"]).unwrap_err().to_string();
    assert!(error.starts_with("results pattern `reports/***.xml` is malformed at character "), "{error}");
}

use super::*;

const COMPLETE: Placed = Placed { complete: true, tests: 2 };
const CUT_SHORT: Placed = Placed { complete: false, tests: 1 };

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn files(files: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

fn place(folder: &OutputFolder, result: &[(&str, &str)]) -> Result<Vec<PathBuf>, OutputError> {
    folder.place("fuzz", &files(result), COMPLETE)
}

#[test]
fn files_appear_under_their_names_and_nothing_else_stays() {
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("a/out");
    let folder = OutputFolder::open(&path).unwrap();
    place(&folder, &[("suite.json", "1")]).unwrap();
    place(&folder, &[("suite.json", "2")]).unwrap();
    let mut events = folder.begin("events.jsonl").unwrap();
    events.write_all(b"{}\n").unwrap();
    assert!(!path.join("events.jsonl").exists());
    events.finish().unwrap();
    folder.note_stream("events.jsonl").unwrap();
    drop(folder);
    assert_eq!(names(&path), [MANIFEST, "events.jsonl", "suite.json"]);
    assert_eq!(fs::read(path.join("suite.json")).unwrap(), b"2");
}

#[test]
fn a_result_replaces_the_earlier_one_of_its_kind_and_nothing_else() {
    let temporary = tempfile::tempdir().unwrap();
    let tests = temporary.path().join("tests");
    fs::create_dir_all(tests.join("unit")).unwrap();
    fs::write(tests.join("unit/mine.py"), "mine").unwrap();
    let folder = OutputFolder::open(temporary.path()).unwrap();
    folder.place("rerun", &files(&[("rerun.json", "{}")]), COMPLETE).unwrap();
    place(&folder, &[("tests/pytest/old.py", "old"), ("tests/jest/a.js", "a")]).unwrap();
    fs::write(tests.join("pytest/mine.py"), "mine").unwrap();
    place(&folder, &[("tests/pytest/new.py", "new")]).unwrap();
    assert_eq!(names(&tests), ["pytest", "unit"]);
    assert_eq!(names(&tests.join("pytest")), ["mine.py", "new.py"]);
    assert_eq!(fs::read(tests.join("unit/mine.py")).unwrap(), b"mine");
    assert!(temporary.path().join("rerun.json").exists());
}

#[test]
fn a_file_of_somebody_else_in_the_way_is_an_error_that_names_it_and_nothing_is_written() {
    let temporary = tempfile::tempdir().unwrap();
    fs::write(temporary.path().join("summary.json"), "mine").unwrap();
    let folder = OutputFolder::open(temporary.path()).unwrap();
    let clash = place(&folder, &[("suite.json", "1"), ("summary.json", "2")]).unwrap_err();
    assert!(matches!(&clash, OutputError::Clash { path, .. } if path.ends_with("summary.json")), "{clash}");
    assert!(folder.check(["suite.json"]).is_ok());
    assert!(folder.check(["summary.json"]).is_err());
    drop(folder);
    assert_eq!(names(temporary.path()), ["summary.json"]);
}

#[test]
fn what_somebody_edited_is_kept_under_another_name() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = OutputFolder::open(temporary.path()).unwrap();
    for (edit, kept) in [("first", "suite.json.orig"), ("second", "suite.json.orig2")] {
        place(&folder, &[("suite.json", "new")]).unwrap();
        fs::write(temporary.path().join("suite.json"), edit).unwrap();
        assert_eq!(place(&folder, &[("suite.json", "new")]).unwrap(), [temporary.path().join(kept)]);
        assert_eq!(fs::read_to_string(temporary.path().join(kept)).unwrap(), edit);
    }
}

#[test]
fn a_result_that_was_cut_short_goes_beside_a_complete_one_until_the_next_complete_one() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = OutputFolder::open(temporary.path()).unwrap();
    assert!(!folder.prefers_earlier("fuzz", CUT_SHORT), "there is none");
    place(&folder, &[("suite.json", "good")]).unwrap();
    assert!(folder.prefers_earlier("fuzz", CUT_SHORT) && !folder.prefers_earlier("fuzz", COMPLETE));
    folder.keep_earlier();
    folder.place("fuzz", &files(&[("suite.json", "half")]), CUT_SHORT).unwrap();
    let mut events = folder.begin("events.jsonl").unwrap();
    events.write_all(b"{}\n").unwrap();
    events.finish().unwrap();
    folder.note_stream("events.jsonl").unwrap();
    drop(folder);
    assert_eq!(fs::read(temporary.path().join("suite.json")).unwrap(), b"good");
    assert_eq!(fs::read(temporary.path().join("last-run/suite.json")).unwrap(), b"half");
    assert!(temporary.path().join("last-run/events.jsonl").exists());
    let folder = OutputFolder::open(temporary.path()).unwrap();
    place(&folder, &[("suite.json", "better")]).unwrap();
    drop(folder);
    assert_eq!(names(temporary.path()), [MANIFEST, "suite.json"]);
}

#[test]
fn of_two_results_that_were_cut_short_the_one_with_more_tests_stays() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = OutputFolder::open(temporary.path()).unwrap();
    let result = |tests| Placed { complete: false, tests };
    folder.place("fuzz", &files(&[("suite.json", "1")]), result(5)).unwrap();
    assert!(folder.prefers_earlier("fuzz", result(4)) && !folder.prefers_earlier("fuzz", result(5)));
}

#[test]
fn a_run_that_was_killed_while_it_replaced_files_leaves_none_that_the_next_one_takes_for_a_strangers() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = OutputFolder::open(temporary.path()).unwrap();
    place(&folder, &[("a", "old"), ("b", "old")]).unwrap();
    // As far as a killed run gets: the list is written, one of two files is in its place.
    let new = files(&[("a", "new"), ("b", "new")]);
    folder.note("fuzz", &["a".to_owned(), "b".to_owned()], &new, Manifest::expect).unwrap();
    fs::write(temporary.path().join("a"), "new").unwrap();
    drop(folder);
    let folder = OutputFolder::open(temporary.path()).unwrap();
    assert_eq!(place(&folder, &[("a", "third"), ("b", "third")]).unwrap(), Vec::<PathBuf>::new());
}

#[test]
fn a_second_steady_is_told_to_wait() {
    let temporary = tempfile::tempdir().unwrap();
    let first = OutputFolder::open(temporary.path()).unwrap();
    assert!(matches!(OutputFolder::open(temporary.path()), Err(OutputError::Locked { .. })));
    drop(first);
    assert!(OutputFolder::open(temporary.path()).is_ok());
}

#[test]
fn a_run_that_wrote_nothing_leaves_no_folder() {
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("out");
    drop(OutputFolder::open(&path).unwrap());
    assert!(!path.exists());
}

#[test]
fn what_a_killed_run_left_is_cleared_away() {
    let temporary = tempfile::tempdir().unwrap();
    fs::write(temporary.path().join(format!("{UNFINISHED}x")), "half").unwrap();
    fs::create_dir_all(temporary.path().join(format!("{UNFINISHED}y/z"))).unwrap();
    drop(OutputFolder::open(temporary.path()).unwrap());
    assert_eq!(names(temporary.path()), Vec::<String>::new());
}

#[test]
fn a_file_in_the_way_and_paths_outside_are_refused() {
    let temporary = tempfile::tempdir().unwrap();
    let file = temporary.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(OutputFolder::open(&file), Err(OutputError::NotAFolder { .. })));
    let folder = OutputFolder::open(temporary.path()).unwrap();
    for name in ["../x", "/x", "", "a/../../x"] {
        assert!(matches!(place(&folder, &[(name, "")]), Err(OutputError::Outside { .. })), "{name}");
    }
}

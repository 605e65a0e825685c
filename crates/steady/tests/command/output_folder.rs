//! `--out DIR`: steady owns what it wrote there, and nothing else.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

use tempfile::TempDir;

use crate::support::{Answer, Invocation, Service, signal, start, wait};

const DOCUMENT: &str = r#"{"openapi": "3.0.3", "info": {"title": "Orders", "version": "1"},
    "paths": {"/orders": {"get": {"responses": {"200": {"description": "all"}}}}}}"#;

fn fuzz<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["fuzz", "--openapi", "api.json", "--url", url, "--seed", "1", "--reruns", "0"];
    fixed.into_iter().chain(more.iter().copied()).collect()
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn a_project_as_the_output_folder_keeps_its_own_tests() {
    let service = Service::start(|_, _| Answer::json(200, "[]"));
    let own =
        ["tests/unit/test_price.py", "tests/README.md", "tests/pytest/test_mine.py", "tests/playwright/a.ts"];
    let mut folder = tempfile::tempdir().unwrap();
    for round in ["first", "second"] {
        let mut invocation =
            Invocation::within(folder, fuzz(service.url(), &["--requests", "30", "--out", "."]))
                .file("api.json", DOCUMENT);
        for name in own {
            invocation = invocation.file(name, "mine");
        }
        folder = invocation.run().exits_with(1).into_folder();
        for name in own {
            assert_eq!(read(&folder, name), "mine", "{name}, {round} run");
        }
        assert!(folder.path().join("suite.json").exists());
    }
}

#[test]
fn a_file_of_the_user_in_the_way_is_named_before_the_first_request() {
    let service = Service::start(|_, _| Answer::json(200, "[]"));
    for name in ["suite.json", "events.jsonl", "tests/pytest/conftest.py"] {
        let path = format!("steady-out/{name}");
        let outcome = Invocation::new(fuzz(service.url(), &["--requests", "30"]))
            .file("api.json", DOCUMENT)
            .file(&path, "mine")
            .run()
            .exits_with(2)
            .says(&format!(
                "error: `{path}` exists and was not written by steady\n\
                 hint: move the file, or name another folder with `--out DIR`\n"
            ));
        assert_eq!(outcome.read(&path), "mine");
    }
    assert_eq!(service.lines(), Vec::<String>::new());
}

#[test]
fn an_interrupted_run_keeps_the_complete_suite_and_is_written_beside_it() {
    let (asked, call) = mpsc::channel();
    let slow = Arc::new(AtomicBool::new(false));
    let is_slow = Arc::clone(&slow);
    let service = Service::start(move |_, _| {
        if is_slow.load(Ordering::SeqCst) {
            let _ = asked.send(());
        }
        Answer::json(200, "[]")
    });
    let folder = Invocation::new(fuzz(service.url(), &["--requests", "30"]))
        .file("api.json", DOCUMENT)
        .run()
        .exits_with(1)
        .into_folder();
    let complete = read(&folder, "steady-out/suite.json");
    slow.store(true, Ordering::SeqCst);
    let (mut child, folder) = start(Invocation::within(folder, fuzz(service.url(), &["--time", "1h"])));
    call.recv().unwrap();
    signal("-INT", child.0.id());
    wait(&mut child);
    assert_eq!(read(&folder, "steady-out/suite.json"), complete);
    let beside = folder.path().join("steady-out/last-run");
    for name in ["suite.json", "findings.json", "summary.json", "events.jsonl"] {
        assert!(beside.join(name).exists(), "{name}");
    }
    assert!(!read(&folder, "steady-out/events.jsonl").contains("\"interrupted\":true"));

    slow.store(false, Ordering::SeqCst);
    let folder = Invocation::within(folder, fuzz(service.url(), &["--requests", "30"]))
        .run()
        .exits_with(1)
        .into_folder();
    assert!(!folder.path().join("steady-out/last-run").exists(), "a complete run leaves nothing beside it");
}

#[test]
fn a_pipe_is_no_place_for_a_report() {
    let service = Service::start(|_, _| Answer::json(200, "[]"));
    let invocation = Invocation::new(fuzz(service.url(), &["--requests", "30", "--sarif", "pipe"]))
        .file("api.json", DOCUMENT);
    let pipe = invocation.folder().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let outcome = invocation.run().exits_with(2).says(
        "error: `pipe` is not a regular file\n\
         hint: name a file; to print it, write to a file and show that one\n",
    );
    assert!(!outcome.is_file("pipe"));
    assert_eq!(service.lines(), Vec::<String>::new());
}

//! Signals and closed pipes: every command ends in the same way.

use std::io::Read;
use std::process::Child;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::run_suite::{get_health, suite};
use crate::support::{Answer, Invocation, Service, signal};

fn interrupt(child: &Child) {
    signal("-INT", child.id());
}

/// A document with one operation.
const DOCUMENT: &str = r#"{"openapi": "3.0.3", "info": {"title": "Slow", "version": "1"},
    "paths": {"/slow": {"get": {"responses": {"200": {"description": "there"}}}}}}"#;

/// Waits for the end; a command that outlives the signal by far is killed, and the test fails.
fn end(child: &mut Child) -> Option<i32> {
    let patience = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if Instant::now() > patience {
            child.kill().unwrap();
            panic!("steady did not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn events(child: &mut Child) -> Vec<Value> {
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The last event is the only one of its kind, and says that the run was cut short.
#[track_caller]
fn ends_interrupted(events: &[Value], exit_code: u8) {
    assert_eq!(events[0]["event"], "run_started");
    let last: Vec<&Value> = events.iter().filter(|event| event["event"] == "run_finished").collect();
    assert_eq!(last, [events.last().unwrap()]);
    assert_eq!((&last[0]["interrupted"], &last[0]["exit_code"]), (&true.into(), &exit_code.into()));
}

#[test]
fn every_signal_ends_a_search_that_waits_for_an_answer_and_what_is_known_is_written() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let (asked, call) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        let service = Service::start(move |number, _| {
            if number >= 40 {
                let _ = asked.send(());
                let _ = released.lock().unwrap().recv();
            }
            Answer::status(200)
        });
        let arguments =
            ["fuzz", "--openapi", "api.json", "--url", service.url(), "--time", "1h", "--timeout", "1h"];
        let invocation =
            Invocation::new(arguments.iter().chain(&["--format", "json"])).file("api.json", DOCUMENT);
        let (mut child, folder) = invocation.start();
        call.recv().unwrap();
        signal(name, child.id());
        let code = end(&mut child);
        drop(release);
        ends_interrupted(&events(&mut child), u8::try_from(code.unwrap()).unwrap());
        assert!(folder.path().join("steady-out/suite.json").exists(), "{name}");
        assert!(folder.path().join("steady-out/events.jsonl").exists(), "{name}");
    }
}

#[test]
fn a_signal_before_there_is_anything_to_report_ends_the_command_too() {
    let (asked, call) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let service = Service::start(move |_, _| {
        let _ = asked.send(());
        let _ = released.lock().unwrap().recv();
        Answer::status(200)
    });
    let document = format!("{}/openapi.json", service.url());
    let (mut child, folder) =
        Invocation::new(["fuzz", "--openapi", &document, "--timeout", "1h", "--format", "json"]).start();
    call.recv().unwrap();
    signal("-TERM", child.id());
    assert_eq!(end(&mut child), Some(2));
    drop(release);
    ends_interrupted(&events(&mut child), 2);
    assert!(!folder.path().join("steady-out").exists());
}

#[test]
fn ctrl_c_ends_the_run_after_the_test_under_way_and_tells_what_was_done() {
    let (asked, first_call) = mpsc::channel();
    let service = Service::start(move |_, _| {
        let _ = asked.send(());
        Answer::status(200)
    });
    let invocation = Invocation::new(["run", "suite.json", "--repeat", "4000000000", "--junit", "out.xml"])
        .file("suite.json", suite(service.url(), &[get_health(200)]));
    let (mut child, folder) = invocation.start();
    first_call.recv().unwrap();
    interrupt(&child);
    let status = child.wait().unwrap();
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(stdout.trim_end().ends_with("; interrupted"), "{stdout}");
    assert!(folder.path().join("out.xml").exists());
}

#[test]
fn a_second_ctrl_c_ends_the_process_at_once() {
    let (asked, first_call) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let service = Service::start(move |_, _| {
        let _ = asked.send(());
        // Answers only after the test is over.
        let _ = released.lock().unwrap().recv();
        Answer::status(200)
    });
    let invocation = Invocation::new(["run", "suite.json", "--timeout", "1h"])
        .file("suite.json", suite(service.url(), &[get_health(200)]));
    let (mut child, _folder) = invocation.start();
    first_call.recv().unwrap();
    // Signals that arrive together count as one, so a few may be needed.
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        interrupt(&child);
    };
    drop(release);
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!((status.code(), stdout.as_str()), (Some(130), ""));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let service = Service::start(|_, _| Answer::status(500));
    for format in ["human", "json"] {
        let invocation = Invocation::new(["run", "suite.json", "--format", format])
            .file("suite.json", suite(service.url(), &[get_health(200)]));
        let (mut child, _folder) = invocation.start();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(1), ""), "{format}");
    }
}

//! Ctrl-C and closed pipes.

use std::io::Read;
use std::process::{Child, Command};
use std::sync::{Mutex, mpsc};

use crate::run_suite::{get_health, suite};
use crate::support::{Answer, Invocation, Service};

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
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
    assert_eq!((status.code(), stdout.as_str()), (Some(2), ""));
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

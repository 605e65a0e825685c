//! Several at once.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use steady_store::{HistoryQuery, Retention, Store};

use crate::backend::Backend;
use crate::sample::{remember, session, time};

const WRITERS: u32 = 4;

fn writer(backend: &Backend, runs: u32, tests: u32) -> Child {
    Command::new(env!("CARGO_BIN_EXE_store-writer"))
        .args([&backend.url, "shop", &runs.to_string(), &tests.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn total(store: &mut Store) -> u64 {
    let summary = store.summary("shop", None).unwrap();
    summary.passed + summary.failed
}

pub fn processes_may_write_at_the_same_time(backend: &Backend) {
    let (runs, tests) = (20, 50);
    let writers: Vec<Child> = (0..WRITERS).map(|_| writer(backend, runs, tests)).collect();
    for writer in writers {
        assert!(writer.wait_with_output().unwrap().status.success());
    }
    let mut store = backend.open();
    assert_eq!(total(&mut store), u64::from(WRITERS * runs * tests));
    let sessions = store.sessions("shop", 10).unwrap();
    assert_eq!(sessions.iter().map(|session| session.runs).collect::<Vec<_>>(), [runs; WRITERS as usize]);
    assert_eq!(store.summary("shop", None).unwrap().flaky, u64::from(tests));
}

pub fn many_may_open_a_new_store_at_once(backend: &Backend) {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                remember(&mut backend.open(), &session("shop"), "2026-11-15T10:00:00Z", &["a .", "b F"]);
            });
        }
    });
    assert_eq!(total(&mut backend.open()), 16);
}

pub fn what_a_killed_process_had_stored_is_there(backend: &Backend) {
    let tests = 20;
    let mut endless = writer(backend, u32::MAX, tests);
    let lines = BufReader::new(endless.stdout.take().unwrap()).lines();
    let stored = lines.take(5).filter(|line| line.as_ref().is_ok_and(|line| line == "stored")).count();
    endless.kill().unwrap();
    endless.wait().unwrap();
    assert_eq!(stored, 5);
    let mut store = backend.open();
    let past = &store.sessions("shop", 1).unwrap()[0];
    let runs = store.runs(past.id).unwrap();
    assert!(runs.len() >= 5);
    assert!(runs.iter().all(|run| run.results.len() == tests as usize), "a run is there whole or not at all");
    assert_eq!(total(&mut store), runs.len() as u64 * u64::from(tests));
    remember(&mut store, &session("shop"), "2026-11-15T10:00:00Z", &["a ."]);
}

pub fn pruning_and_writing_go_on_together(backend: &Backend) {
    let (runs, tests) = (30, 20);
    backend.open();
    let mut busy = writer(backend, runs, tests);
    let mut store = backend.open();
    let retention = Retention { max_age: Some(Duration::ZERO), max_age_of_counts: None, max_bytes: None };
    while busy.try_wait().unwrap().is_none() {
        remember(&mut store, &session("shop"), "2026-01-01T10:00:00Z", &["extra F"]);
        store.prune(&retention, time("2026-11-16T12:00:00Z")).unwrap();
    }
    assert!(busy.wait().unwrap().success());
    let query = HistoryQuery { since: Some(time("2026-11-15T12:00:00Z")), ..HistoryQuery::new("shop") };
    let tests_left = store.history(&query).unwrap();
    assert_eq!(tests_left.len(), tests as usize);
    for test in tests_left {
        assert_eq!(test.counts.executed(), runs);
        assert!(test.last_failure.unwrap().message.unwrap().starts_with("failed in run"));
    }
}

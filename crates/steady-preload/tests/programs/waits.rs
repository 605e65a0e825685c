//! A wait takes as long as it should, whatever the wall clock shows.

use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use jiff::SignedDuration;

use crate::victim::{Shim, java, node, python, rust};

/// Deadlines in whole milliseconds end up to one too early.
const ROUNDING: i64 = 2_000_000;

/// A day and three hours: another date, and another hour.
const SHIFT: SignedDuration = SignedDuration::from_hours(27);

/// Names of the waits done; each took its time.
fn waited(lines: &[Vec<String>]) -> Vec<&str> {
    for line in lines {
        assert_eq!(line[0], "waited", "{line:?}");
        let (elapsed, asked): (i64, i64) = (line[2].parse().unwrap(), line[3].parse().unwrap());
        assert!(elapsed >= asked - ROUNDING, "ended early: {line:?}");
    }
    lines.iter().map(|line| line[1].as_str()).collect()
}

/// Waits under a clock that is shifted forwards, and under one shifted backwards.
fn waits(mut command: impl FnMut() -> Command, names: &[&str]) {
    for shift in [SHIFT, -SHIFT] {
        let shim = Shim::new();
        shim.control.shift_clock(shift).unwrap();
        let mut victim = shim.start(&mut command());
        assert_eq!(waited(&victim.answer()), names, "{shift:#}");
        victim.finish();
    }
}

/// Waits while the clock jumps to and fro.
fn waits_while_the_clock_jumps(command: &mut Command, names: &[&str]) {
    let shim = Shim::new();
    let mut victim = shim.start(command);
    thread::scope(|scope| {
        let (running, ended) = channel::<()>();
        let control = &shim.control;
        scope.spawn(move || {
            for shift in [SHIFT, -SHIFT, SignedDuration::ZERO].into_iter().cycle() {
                control.shift_clock(shift).unwrap();
                if ended.recv_timeout(Duration::from_millis(1)) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        assert_eq!(waited(&victim.answer()), names);
        drop(running);
    });
    victim.finish();
}

const PYTHON: [&str; 11] = [
    "sleep",
    "event",
    "lock",
    "condition",
    "thread_join",
    "thread_queue",
    "timer",
    "selected",
    "child",
    "event_loop",
    "event_loop_timeout",
];
const NODE: [&str; 6] = ["setTimeout", "setInterval", "promised", "atomics", "abort", "child"];
const JVM: [&str; 10] =
    ["sleep", "wait", "parkNanos", "join", "latch", "queue", "future", "scheduled", "accept", "waitFor"];
const RUST: [&str; 4] = ["sleep", "condvar", "channel", "park"];

#[test]
fn every_function_of_the_c_library_with_a_deadline_waits_as_long_as_asked() {
    let names = [
        "pthread_cond_timedwait",
        "pthread_cond_timedwait-monotonic",
        "pthread_cond_clockwait",
        "pthread_cond_clockwait-monotonic",
        "pthread_mutex_timedlock",
        "pthread_mutex_clocklock",
        "pthread_rwlock_timedrdlock",
        "pthread_rwlock_clockrdlock",
        "pthread_rwlock_timedwrlock",
        "pthread_rwlock_clockwrlock",
        "pthread_timedjoin_np",
        "pthread_clockjoin_np",
        "sem_timedwait",
        "sem_clockwait",
        "sem_clockwait-monotonic",
        "mtx_timedlock",
        "cnd_timedwait",
        "mq_timedreceive",
        "mq_timedsend",
        "clock_nanosleep",
        "clock_nanosleep-monotonic",
        "clock_nanosleep-relative",
        "timerfd_settime",
        "timerfd_settime-monotonic",
        "timer_settime",
        "timer_settime-monotonic",
    ];
    waits(|| python("libc_waits.py"), &names);
}

#[test]
fn python_waits_as_long_as_asked() {
    let names = [&PYTHON[..], &["process_semaphore", "process_condition", "process_queue"]].concat();
    waits(|| python("waits.py"), &names);
}

#[test]
fn python_waits_as_long_as_asked_while_the_clock_jumps() {
    waits_while_the_clock_jumps(python("waits.py").arg("durations"), &PYTHON);
}

#[test]
fn node_waits_as_long_as_asked() {
    waits(|| node("waits.mjs"), &NODE);
}

#[test]
fn node_waits_as_long_as_asked_while_the_clock_jumps() {
    waits_while_the_clock_jumps(&mut node("waits.mjs"), &NODE);
}

#[test]
fn the_jvm_waits_as_long_as_asked() {
    let names = [&JVM[..], &["parkUntil", "awaitUntil", "timer"]].concat();
    waits(|| java("Waits.java"), &names);
}

#[test]
fn the_jvm_waits_as_long_as_asked_while_the_clock_jumps() {
    waits_while_the_clock_jumps(java("Waits.java").arg("durations"), &JVM);
}

#[test]
fn rust_waits_as_long_as_asked() {
    waits(|| rust("waits.rs"), &RUST);
}

#[test]
fn rust_waits_as_long_as_asked_while_the_clock_jumps() {
    waits_while_the_clock_jumps(&mut rust("waits.rs"), &RUST);
}

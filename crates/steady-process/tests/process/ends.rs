//! The ways in which a command ends.

use std::thread;
use std::time::Duration;

use steady_process::{Cancel, Exit, Spec, spawn};

use crate::support::{LONG, becomes, pids, printed, run, state, stdout, until};

/// Imitates a server that shuts down in order.
const POLITE: &str = "trap 'echo goodbye; kill $!; exit 0' TERM; sleep 1000 & echo ready; wait";
/// Imitates a program that thinks itself too important to be ended.
const STUBBORN: &str = "trap '' TERM; echo $$ ready; while :; do sleep 1000; done";

#[test]
fn exit_codes_and_signals_are_told_apart() {
    assert_eq!(run(&Spec::shell("exit 7")).exit, Exit::Code(7));
    assert_eq!(run(&Spec::shell("kill -SEGV $$")).exit, Exit::Signal(11));
    assert!(run(&Spec::program("true")).exit.is_success());
}

#[test]
fn a_command_that_takes_too_long_is_ended() {
    let finished = run(&Spec::shell("echo $$; exec sleep 1000").timeout(Duration::from_millis(200)));
    assert_eq!(finished.exit, Exit::TimedOut);
    assert!(finished.duration >= Duration::from_millis(200));
    assert!(pids(&finished.output).into_iter().all(|pid| state(pid, "sleep").is_none()));
}

#[test]
fn a_command_may_end_in_order_and_is_still_heard() {
    let running = spawn(&Spec::shell(POLITE)).unwrap();
    printed(&running, "ready");
    let finished = running.stop(LONG);
    assert_eq!(finished.exit, Exit::Stopped);
    assert_eq!(stdout(&finished.output), "ready\ngoodbye\n");
}

#[test]
fn who_ignores_sigterm_is_killed() {
    let running = spawn(&Spec::shell(STUBBORN)).unwrap();
    let pid = running.pid();
    printed(&running, "ready");
    let finished = running.stop(Duration::from_millis(50));
    assert_eq!((finished.exit, finished.survivors), (Exit::Stopped, 0));
    assert_eq!(state(pid, "sh"), None);
}

#[test]
fn a_stopped_process_is_ended_too() {
    let running = spawn(&Spec::shell("echo ready; kill -STOP $$; sleep 1000")).unwrap();
    let pid = running.pid();
    until("stopped process", || (state(pid, "sh") == Some('T')).then_some(()));
    running.stop(LONG);
    assert_eq!(state(pid, "sh"), None);
}

#[test]
fn dropping_ends_the_command() {
    let running = spawn(&Spec::shell("sleep 1000 & echo $! ready; wait")).unwrap();
    let sleeper = pids(&printed(&running, "ready"))[0];
    becomes(sleeper, "sleep");
    drop(running);
    assert_eq!(state(sleeper, "sleep"), None);
}

#[test]
fn a_stop_wakes_every_wait() {
    let cancel = Cancel::new().unwrap();
    let exits = thread::scope(|scope| {
        let waits: Vec<_> = (0..3)
            .map(|_| scope.spawn(|| spawn(&Spec::program("sleep").arg("1000")).unwrap().wait(&cancel).exit))
            .collect();
        cancel.request();
        waits.into_iter().map(|wait| wait.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(exits, [Exit::Stopped; 3]);
}

#[test]
fn a_command_that_ended_before_the_stop_keeps_its_code() {
    let cancel = Cancel::new().unwrap();
    let running = spawn(&Spec::shell("exit 3")).unwrap();
    assert!(running.exits_before(std::time::Instant::now() + LONG));
    cancel.request();
    assert_eq!(running.wait(&cancel).exit, Exit::Code(3));
}

#[test]
fn a_command_outlives_the_thread_that_started_it() {
    let running = thread::spawn(|| spawn(&Spec::shell("echo ready; read line; sleep 0.2; exit 5")).unwrap())
        .join()
        .unwrap();
    assert_eq!(running.wait(&Cancel::new().unwrap()).exit, Exit::Code(5));
}

#[test]
fn memory_is_told() {
    let small = run(&Spec::program("true")).max_memory;
    let large = run(&Spec::program("python3").args(["-c", "x = b'x' * 200_000_000"])).max_memory;
    assert!(small > 0 && large > 200_000_000, "{small} {large}");
}

//! The wall clock follows the shift, at once; monotonic clocks do not.

use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use jiff::SignedDuration;

use crate::victim::{Shim, java, node, python, rust};

/// Some clocks return whole seconds only, and those tick a little late.
const COARSE: i128 = 1_100_000_000;

fn now() -> i128 {
    UNIX_EPOCH.elapsed().unwrap().as_nanos() as i128
}

/// Asks a program for its clocks under several shifts, without restarting it.
fn follows(command: &mut Command, sources: &[&str]) {
    let shim = Shim::new();
    let mut victim = shim.start(command);
    let mut monotonic: Option<(Instant, i128)> = None;
    for (hours, nanoseconds) in [(0, 0), (27, 0), (24 * 400, 250_000_001), (-27, 0), (0, 0)] {
        let shift = SignedDuration::from_hours(hours) + SignedDuration::from_nanos(nanoseconds);
        shim.control.shift_clock(shift).unwrap();
        let (before, asked) = (now(), Instant::now());
        let answer = victim.ask();
        let after = now();

        let (walls, others): (Vec<_>, Vec<_>) = answer.iter().partition(|line| line[0] == "wall");
        assert_eq!(walls.iter().map(|line| &line[1]).collect::<Vec<_>>(), sources);
        for line in walls {
            let unshifted: i128 = line[2].parse::<i128>().unwrap() - shift.as_nanos();
            assert!(
                (before - COARSE..=after).contains(&unshifted),
                "{line:?} under {shift:#}, {before}..{after}"
            );
        }

        assert_eq!(others.len(), 1);
        let shown: i128 = others[0][2].parse().unwrap();
        if let Some((start, earlier)) = monotonic {
            let elapsed = start.elapsed().as_nanos() as i128;
            assert!(
                (0..=elapsed).contains(&(shown - earlier)),
                "{others:?} after {earlier}, {elapsed} later"
            );
        }
        monotonic = Some((asked, shown));
    }
    victim.finish();
}

#[test]
fn python_follows_and_so_do_its_forks_and_children() {
    follows(&mut python("clock.py"), &["time.time", "time.time_ns", "datetime.now", "fork", "child"]);
}

#[test]
fn every_function_of_the_c_library_that_tells_the_time_follows() {
    let sources = [
        "clock_gettime",
        "coarse",
        "tai",
        "gettimeofday",
        "gettimeofday-zone",
        "time",
        "time-stored",
        "timespec_get",
        "ftime",
    ];
    follows(&mut python("libc_clock.py"), &sources);
}

#[test]
fn node_follows_and_so_do_its_workers_and_children() {
    follows(&mut node("clock.mjs"), &["Date.now", "new-Date", "worker", "child"]);
}

#[test]
fn the_jvm_follows() {
    follows(&mut java("Clock.java"), &["currentTimeMillis", "Instant", "ZonedDateTime", "Date"]);
}

#[test]
fn rust_follows_and_so_do_its_children() {
    follows(&mut rust("clock.rs"), &["SystemTime", "child"]);
}

#[test]
fn every_program_that_follows_is_counted() {
    let shim = Shim::new();
    assert_eq!(shim.control.programs(), 0);
    let mut victim = shim.start(&mut rust("clock.rs"));
    victim.ask();
    // Itself and `date`.
    assert_eq!(shim.control.programs(), 2);
    victim.ask();
    assert_eq!(shim.control.programs(), 3);
    victim.finish();
}

#[test]
fn two_clocks_do_not_disturb_each_other() {
    let (early, late) = (Shim::new(), Shim::new());
    late.control.shift_clock(SignedDuration::from_hours(1000)).unwrap();
    let (mut first, mut second) = (early.start(&mut python("clock.py")), late.start(&mut python("clock.py")));
    let time = |answer: Vec<Vec<String>>| answer[0][2].parse::<i128>().unwrap();
    let ahead = time(second.ask()) - time(first.ask());
    assert!(ahead > SignedDuration::from_hours(999).as_nanos(), "{ahead}");
    first.finish();
    second.finish();
}

#[test]
fn this_process_is_not_touched() {
    let shim = Shim::new();
    let before = SystemTime::now();
    shim.control.shift_clock(SignedDuration::from_hours(1000)).unwrap();
    assert!(before.elapsed().unwrap().as_secs() < 3600);
}

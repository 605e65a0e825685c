//! What commands print, in what amounts.

use std::fs;

use steady_process::{Exit, Part, Spec, Stream, spawn};

use crate::support::{LONG, printed, run, stdout};

#[test]
fn both_streams_are_kept_apart() {
    let finished = run(&Spec::shell("echo out; echo err >&2"));
    assert_eq!(stdout(&finished.output), "out\n");
    assert_eq!(finished.output.bytes(Stream::Stderr), b"err\n");
}

#[test]
fn bytes_that_are_not_text_survive() {
    let finished = run(&Spec::shell(r"printf 'a\377\000b'"));
    let expected = [Part::Printed { stream: Stream::Stdout, bytes: b"a\xff\x00b".to_vec() }];
    assert_eq!(finished.output.parts(), expected);
    assert_eq!(finished.output.text(), "a\u{fffd}\0b");
}

#[test]
fn a_hundred_megabytes_are_counted_and_not_kept() {
    let finished =
        run(&Spec::shell("echo BEGIN; head -c 100000000 /dev/zero; echo END").output_limit(100_000));
    assert_eq!(finished.exit, Exit::Code(0));
    let kept = finished.output.bytes(Stream::Stdout);
    assert!(kept.starts_with(b"BEGIN\n\0") && kept.ends_with(b"\0END\n"));
    assert_eq!(finished.output.dropped(Stream::Stdout) + kept.len() as u64, 100_000_010);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 90_000, "{peak} kB");
}

#[test]
fn a_flood_does_not_keep_a_command_from_being_ended() {
    let running = spawn(&Spec::shell("yes; yes")).unwrap();
    printed(&running, "y\ny\n");
    assert_eq!(running.stop(LONG).exit, Exit::Stopped);
}

#[test]
fn a_pipe_that_a_stranger_holds_open_does_not_hang_the_wait() {
    let running = spawn(&Spec::shell("echo ready; exec sleep 1000")).unwrap();
    printed(&running, "ready");
    let held = fs::OpenOptions::new().write(true).open(format!("/proc/{}/fd/1", running.pid())).unwrap();
    let finished = running.stop(LONG);
    assert_eq!(stdout(&finished.output), "ready\n");
    drop(held);
}

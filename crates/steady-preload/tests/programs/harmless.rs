//! Where there is nothing to follow, the shim does nothing; where it cannot work, `check` says so.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::UNIX_EPOCH;

use jiff::SignedDuration;
use steady_preload::{CONTROL_VARIABLE, Obstacle, PRELOAD_VARIABLE, Support, check};

use crate::victim::{Shim, Victim, compile, python};

const HOUR: i128 = 3_600_000_000_000;

/// Starts Python under the shim with this control file and checks that it shows the machine's time.
fn shows_the_machines_time(shim: &Shim, control: &Path) {
    let mut command = python("clock.py");
    command.env(PRELOAD_VARIABLE, shim.preload.library()).env(CONTROL_VARIABLE, control);
    let mut victim = Victim::start(&mut command);
    let shown: i128 = victim.ask()[0][2].parse().unwrap();
    let now = UNIX_EPOCH.elapsed().unwrap().as_nanos() as i128;
    assert!((now - shown).abs() < HOUR, "{}: {shown} at {now}", control.display());
    victim.finish();
}

#[test]
fn a_missing_control_file_is_harmless() {
    let shim = Shim::new();
    shows_the_machines_time(&shim, Path::new("/no/such/file"));
    shows_the_machines_time(&shim, Path::new(""));
    shows_the_machines_time(&shim, shim.folder.path());
}

#[test]
fn a_control_file_that_is_none_is_harmless() {
    let shim = Shim::new();
    shim.control.shift_clock(SignedDuration::from_hours(27)).unwrap();
    let page = fs::read(shim.control.file()).unwrap();
    let file = shim.folder.path().join("changed");
    let mut from_the_future = page.clone();
    from_the_future[8] = 200;
    let mut other = page.clone();
    other[0] = b'x';
    for bytes in [&page[..100], &[page.clone(), page.clone()].concat(), &from_the_future, &other, &[]] {
        fs::write(&file, bytes).unwrap();
        shows_the_machines_time(&shim, &file);
    }
}

#[test]
fn without_a_control_variable_the_shim_is_harmless() {
    let shim = Shim::new();
    let mut command = python("clock.py");
    let mut victim =
        Victim::start(command.env(PRELOAD_VARIABLE, shim.preload.library()).env_remove(CONTROL_VARIABLE));
    assert!(!victim.ask().is_empty());
    victim.finish();
}

#[test]
fn a_program_keeps_the_last_shift_when_the_clock_is_gone() {
    let shim = Shim::new();
    shim.control.shift_clock(SignedDuration::from_hours(27)).unwrap();
    let mut victim = shim.start(&mut python("libc_clock.py"));
    victim.ask();
    drop(shim);
    let shown: i128 = victim.ask()[0][2].parse().unwrap();
    let ahead = shown - UNIX_EPOCH.elapsed().unwrap().as_nanos() as i128;
    assert!((26 * HOUR..=27 * HOUR).contains(&ahead), "{ahead}");
    victim.finish();
}

#[test]
fn a_static_program_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile("clock.rs", folder.path(), &["-C", "target-feature=+crt-static"]);
    assert_eq!(check(&program), Support::Fails { program: program.clone(), obstacle: Obstacle::Static });
    let shim = Shim::new();
    shim.start(&mut Command::new(&program)).finish();
    assert_eq!(shim.control.programs(), 0);
    let dynamic = compile("waits.rs", folder.path(), &[]);
    assert_eq!(check(&dynamic), Support::Works);
}

#[test]
fn the_runtimes_of_these_tests_are_supported() {
    for program in ["python3", "node", "java"] {
        assert_eq!(check(Path::new(program)), Support::Works, "{program}");
    }
}

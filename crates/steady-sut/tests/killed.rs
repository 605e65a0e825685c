//! A steady that was killed, and the one that comes after it. This process starts no API by itself: it would adopt what the killed one
//! leaves.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use steady_sut::{Sut, SutSpec};

/// Leaves its session and the process that started it, as daemons do, and says where it keeps temporary files. A second daemon also
/// clears its environment.
const START: &str = r#"
    (setsid sh -c 'echo $$ >daemon.new; mv daemon.new daemon; exec sleep 1000' &)
    (setsid env -i /bin/sh -c 'echo $$ >bare.new; /bin/mv bare.new bare; exec /bin/sleep 1000' &)
    echo "$TMPDIR" >temporary
    until [ -s daemon ] && [ -s bare ]; do sleep 0.01; done
    exec python3 -m http.server {port} --bind 127.0.0.1
"#;

#[test]
fn what_a_killed_steady_left_is_ended_before_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".steady");
    let mut steady = Command::new(env!("CARGO_BIN_EXE_steady-sut-owner"))
        .args([state.as_os_str(), START.as_ref()])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(steady.stdout.take().unwrap()).read_line(&mut url).unwrap();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    let said = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap().trim().to_owned();
    let (daemon, bare, temporary) = (said("daemon"), said("bare"), said("temporary"));
    steady.kill().unwrap();
    steady.wait().unwrap();
    assert!(is_running(&daemon) && is_running(&bare) && Path::new(&temporary).is_dir());

    let _next = Sut::new(SutSpec::new("serve {port}"), &state).unwrap();
    assert!(!is_running(&daemon) && !is_running(&bare) && !Path::new(&temporary).exists());
}

fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, fields)| !fields.starts_with('Z'))
}

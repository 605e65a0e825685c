//! One run and nothing beside it: a test program of its own, because other tests would be beside it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod support;

use steady_process::Spec;
use support::{pids, run, state};

/// Imitates nginx, which writes its title over the environment it was given.
#[test]
fn a_daemon_without_mark_and_session_goes_with_the_last_run() {
    let folder = tempfile::tempdir().unwrap();
    let script = "(env -i PATH=$PATH setsid sh -c 'echo $$; echo $$ >daemon; exec sleep 1000' &)
                  until [ -s daemon ]; do sleep 0.01; done";
    let finished = run(&Spec::shell(script).folder(folder.path()));
    assert_eq!(finished.left_running.len(), 1);
    assert_eq!(state(pids(&finished.output)[0], "sleep"), None);
}

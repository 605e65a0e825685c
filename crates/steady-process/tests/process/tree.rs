//! Processes that outlive the command that started them.

use steady_process::{Exit, Spec, spawn};

use crate::support::{DAEMON, LONG, becomes, is_running, pids, printed, run, state};

#[test]
fn a_background_process_is_ended_and_reported_after_a_normal_exit() {
    let finished = run(&Spec::shell("sleep 1000 & echo $!"));
    assert_eq!(finished.exit, Exit::Code(0));
    assert_eq!(finished.left_running.len(), 1);
    assert_eq!(state(pids(&finished.output)[0], "sleep"), None);
}

#[test]
fn a_clean_exit_leaves_nothing_to_report() {
    let finished = run(&Spec::shell("sleep 0.01 & wait"));
    assert!(finished.left_running.is_empty(), "{:?}", finished.left_running);
}

#[test]
fn a_daemon_is_found_outside_of_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let finished = run(&Spec::shell(format!("{DAEMON} exit 4")).folder(folder.path()));
    assert_eq!((finished.exit, finished.left_running.len()), (Exit::Code(4), 1));
    assert_eq!(state(pids(&finished.output)[0], "sleep"), None);
}

#[test]
fn a_daemon_is_ended_with_a_command_that_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let running =
        spawn(&Spec::shell(format!("{DAEMON} echo ready; sleep 1000")).folder(folder.path())).unwrap();
    let daemon = pids(&printed(&running, "ready"))[0];
    becomes(daemon, "sleep");
    running.stop(LONG);
    assert_eq!(state(daemon, "sleep"), None);
}

#[test]
fn a_daemon_of_another_run_is_left_alone() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let other = Spec::shell(format!("{DAEMON} echo ready; sleep 1000")).folder(folders[0].path());
    let other = spawn(&other).unwrap();
    let daemon = pids(&printed(&other, "ready"))[0];
    becomes(daemon, "sleep");
    let finished = run(&Spec::shell(DAEMON).folder(folders[1].path()));
    assert_eq!(finished.left_running.len(), 1);
    assert!(is_running(daemon, "sleep"));
    other.stop(LONG);
    assert_eq!(state(daemon, "sleep"), None);
}

#[test]
fn fifty_sleepers_go_together() {
    let script = "i=0; while [ $i -lt 50 ]; do (trap '' TERM; exec sleep 1000) & echo $!; i=$((i+1)); done; echo ready; ";
    let spec = Spec::shell(script).grace(std::time::Duration::from_millis(100));
    let finished = run(&spec);
    let sleepers = pids(&finished.output);
    assert_eq!((sleepers.len(), finished.left_running.len()), (50, 50));
    assert!(sleepers.into_iter().all(|pid| state(pid, "sleep").is_none()));
}

#[test]
fn who_forks_while_being_ended_is_ended_too() {
    // Imitates a supervisor that restarts its worker whenever it dies.
    let script = "trap '' TERM; echo ready; while :; do sleep 1000; done";
    let running = spawn(&Spec::shell(format!("({script}) & ({script}) & wait"))).unwrap();
    printed(&running, "ready\nready");
    let finished = running.stop(std::time::Duration::from_millis(100));
    assert_eq!((finished.exit, finished.survivors), (Exit::Stopped, 0));
}

#[test]
fn children_of_other_code_are_left_alone() {
    let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    run(&Spec::shell("sleep 1000 &"));
    assert!(is_running(child.id(), "sleep"));
    child.kill().unwrap();
    assert!(child.wait().is_ok());
}

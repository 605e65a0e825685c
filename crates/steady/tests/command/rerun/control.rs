//! Runs at the same time, copies of the folder, and every way to end.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Command;

use super::{report, rerun_script, steady_in, verdicts};
use crate::support::{is_alive, processes, signal, start, wait};

/// One run that ends, and one that never does, with a child that does not listen.
const HANGS: &str = r#"if [ -e once ]; then (trap '' INT TERM; sleep 1000) & echo $! >pids; echo $$ >>pids; wait; fi
touch once; echo "1..1"; echo "ok 1 - a""#;

#[test]
fn jobs_have_their_own_numbers_and_ports() {
    let script = r#"echo "$0 $1" >>"seen-$0"; while [ "$(ls | grep -c ^seen-)" -lt 3 ]; do :; done; echo "1..1"; echo "ok 1 - a""#;
    let invocation = super::steady(&[
        "rerun",
        "--runs",
        "9",
        "--jobs",
        "3",
        "--perturb",
        "off",
        "--",
        "sh",
        "-c",
        script,
        "{job}",
        "{port}",
    ]);
    // The first run is alone: the others are there already for it.
    let outcome = invocation.file("seen-1", "").file("seen-2", "").run().exits_with(0);
    assert_eq!(report(&outcome)["runs"], 9);
    let seen: Vec<String> = (0..3).map(|job| outcome.read(&format!("seen-{job}"))).collect();
    let lines: Vec<&str> = seen.iter().flat_map(|text| text.lines()).collect();
    assert_eq!(lines.len(), 9);
    let ports: BTreeSet<u16> =
        lines.iter().map(|line| line.split_once(' ').unwrap().1.parse().unwrap()).collect();
    assert!(ports.len() > 1 && !ports.contains(&0), "{ports:?}");
}

#[test]
fn isolated_jobs_leave_the_folder_alone() {
    let script = r#"echo x >>mine; cat given; echo "1..1"; echo "ok 1 - a""#;
    let outcome = rerun_script(&["--runs", "4", "--jobs", "2", "--isolate", "--no-store"], script)
        .file("given", "")
        .run()
        .exits_with(0);
    assert!(!outcome.is_file("mine"));
    assert_eq!(report(&outcome)["runs"], 4);
}

#[test]
fn ctrl_c_writes_what_there_is_and_leaves_no_process() {
    let (mut child, folder) = start(rerun_script(&["--runs", "50", "--perturb", "off"], HANGS));
    let processes = processes(&mut child, folder.path());
    signal("-INT", child.0.id());
    let (code, stdout) = wait(&mut child);
    assert_eq!(code, Some(2), "{stdout}");
    assert!(stdout.ends_with("interrupted: the verdicts are based on the runs so far\n"), "{stdout}");
    assert!(!processes.into_iter().any(is_alive));
    let text = std::fs::read_to_string(folder.path().join("steady-out/rerun.json")).unwrap();
    let verdicts = verdicts(&serde_json::from_str(&text).unwrap());
    assert_eq!(verdicts, [("a".to_owned(), "undecided".to_owned(), 0)]);
}

#[test]
fn what_a_killed_steady_left_is_ended_by_the_next() {
    let (mut child, folder) = start(rerun_script(&["--runs", "50", "--perturb", "off"], HANGS));
    let processes = processes(&mut child, folder.path());
    signal("-KILL", child.0.id());
    child.0.wait().unwrap();
    let outcome = steady_in(folder, &["rerun", "--runs", "1", "--", "true"]).run().exits_with(0);
    assert!(!processes.into_iter().any(is_alive));
    let history = steady_in(outcome.into_folder(), &["history", "--all"]).run().exits_with(0);
    assert!(history.stdout.contains(" true\n"), "the store is intact: {}", history.stdout);
}

#[test]
fn events_arrive_while_the_runs_go_on() {
    let options = ["--runs", "50", "--perturb", "off", "--format", "json"];
    let (mut child, folder) = start(rerun_script(&options, HANGS));
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let first: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    assert!(first[1].contains(r#""event":"command_finished""#), "{first:?}");
    processes(&mut child, folder.path());
    signal("-INT", child.0.id());
    assert!(lines.last().unwrap().unwrap().contains(r#""interrupted":true"#));
    child.0.wait().unwrap();
}

#[test]
fn a_container_whose_session_began_outside_is_a_place_to_run() {
    let contained = |program: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", program]);
        command
    };
    if !contained("true").status().is_ok_and(|status| status.success()) {
        eprintln!("not run: this system lets nobody make a process namespace");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = contained(env!("CARGO_BIN_EXE_steady"))
        .args(["rerun", "--runs", "3", "--no-store", "--", "sh", "-c", "sleep 1000 & exit 0"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_time_did_not_allow_is_listed_and_nothing_is_called_stable() {
    // The first run takes longer than all of them may.
    let script = r#"sleep 0.3; echo "1..1"; echo "ok 1 - a""#;
    let options = [
        "--runs",
        "1",
        "--time",
        "100ms",
        "--flake-rate",
        "0.5",
        "--confidence",
        "0.51",
        "--perturb",
        "tz,tmp",
    ];
    let outcome = rerun_script(&options, script).run().exits_with(0);
    assert!(outcome.stdout.contains("1 test in 1 run"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("stable"), "{}", outcome.stdout);
    assert!(outcome.stdout.ends_with("not tried: tz, tmp (out of time)\n"), "{}", outcome.stdout);
    let report = report(&outcome);
    let left: Vec<&str> = report["not_tried"]
        .as_array()
        .unwrap()
        .iter()
        .map(|left| left["perturbation"].as_str().unwrap())
        .collect();
    assert_eq!(left, ["tz", "tmp"]);
    assert_eq!(report["not_tried"][0]["reason"], "time");
}

#[test]
fn explaining_takes_no_more_runs_than_were_asked_for() {
    let outcome = rerun_script(&["--runs", "4"], super::EVERY).run().exits_with(1);
    assert_eq!(report(&outcome)["runs"], 8);
    assert!(
        outcome
            .stderr
            .starts_with("note: some tests are flaky; up to 4 more runs look for the cause, about 1 s (")
    );
    assert!(outcome.stdout.contains("\nnot tried: "), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("(more runs with `--explain N` or `--explain full`)\n"),
        "{}",
        outcome.stdout
    );
    let outcome = rerun_script(&["--runs", "4", "--explain", "0"], super::EVERY).run().exits_with(1).says("");
    assert_eq!(report(&outcome)["runs"], 4);
}

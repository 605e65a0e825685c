//! What, where and what to do; exit code 2; and earlier results stay.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::{rerun_rates, rerun_script, steady, steady_in};

const EARLIER: [&str; 2] = ["steady-out/events.jsonl", "steady-out/rerun.json"];
/// Says that steady wrote them.
const MANIFEST: &str = r#"{"version": 1, "results": {}, "files": {
    "events.jsonl": {"of": "events", "digests": []}, "rerun.json": {"of": "rerun", "digests": []}}}"#;

/// Says this, ends with 2, and leaves what an earlier run found.
#[track_caller]
fn refuses(options: &[&str], script: &str, stderr: &str) {
    let mut invocation = rerun_script(options, script).file("steady-out/.steady-files.json", MANIFEST);
    for name in EARLIER {
        invocation = invocation.file(name, "earlier");
    }
    let outcome = invocation.run().exits_with(2).prints("").says(stderr);
    for name in EARLIER {
        assert_eq!(outcome.read(name), "earlier");
    }
}

#[test]
fn a_command_that_is_not_there_is_named() {
    steady(&["rerun", "--", "steady-no-such-command"]).run().exits_with(2).prints("").says(
        "error: cannot find `steady-no-such-command`; check the spelling, or whether it is installed and in PATH\n",
    );
}

#[test]
fn results_that_are_nowhere_are_missed() {
    let missing = "no file matches `build/*.xml`; does the command write its report there?";
    refuses(
        &["--results", "build/*.xml"],
        "true",
        &format!(
            "warning: {missing}\nerror: no run reported a test: {missing}\n\
             hint: let the command write its report there, or correct `--results GLOB`\n"
        ),
    );
}

#[test]
fn malformed_results_are_shown_where_they_break() {
    let broken = "bad.xml: broken JUnit XML report at byte 11: syntax error: tag not closed: `>` not found before end \
                  of input; was the runner ended while it wrote?";
    refuses(
        &["--results", "bad.xml"],
        "echo '<testsuite><testcase' >bad.xml",
        &format!(
            "warning: {broken}\nerror: no run reported a test: {broken}\n\
             hint: let the command write its report there, or correct `--results GLOB`\n"
        ),
    );
}

#[test]
fn a_runner_without_tests_is_told_of() {
    let outcome = rerun_rates(&[], "empty.py").file("empty.py", "").run().exits_with(2).prints("");
    assert!(
        outcome.stderr.starts_with("error: pytest ran no test: exit code 5, and the last it printed is `")
    );
    assert!(
        outcome.stderr.ends_with("\nhint: run the command by itself, and check which tests it selects\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_command_that_never_ends_is_ended_and_given_up() {
    refuses(
        &["--timeout", "100ms"],
        "sleep 1000",
        "error: the command did not end within 100ms in any of 3 runs\n\
         hint: find out what it waits for, or give it more time with `--timeout TIME`\n",
    );
}

#[test]
fn names_that_change_in_every_run_are_told() {
    refuses(
        &[],
        r#"echo x >>n; echo "1..1"; echo "ok 1 - at $(wc -l <n)""#,
        "error: no test has the same name in two runs: one reported `at 1`, another `at 2`\n\
         hint: take what differs between runs (a time, a port, a folder) out of the names of the tests\n",
    );
}

#[test]
fn some_names_that_change_are_a_warning() {
    let script = r#"echo x >>n; echo "1..2"; echo "ok 1 - same"; echo "ok 2 - at $(wc -l <n)""#;
    let outcome = rerun_script(&["--runs", "4"], script).run().exits_with(0);
    assert_eq!(
        outcome.stderr,
        "warning: 4 names of tests come up in one run only, such as `at 1` and `at 4`: take what differs between runs \
         (a time, a port, a folder) out of the names\n"
    );
}

#[test]
fn what_cannot_be_had_is_answered_with_what_can() {
    for (options, expected) in [
        (["--perturb", "moon"], "unknown perturbation `moon`; known are order, hash, random, clock, tz"),
        (["--shard", "3/2"], "shard 3/2 does not exist; shards are counted from 1, so write 1/2 to 2/2"),
        (["--confidence", "2"], "`2` is not a probability"),
        (["--env", "=x"], "`=x` is not a variable; write NAME=VALUE"),
        (["--results", "["], "results pattern `[` is malformed at character 0"),
        (["--shard", "1/2"], "hint: say where results are with `--results GLOB`, or remove `--shard`"),
    ] {
        let outcome = rerun_script(&options, "true").run().exits_with(2).prints("");
        assert!(outcome.stderr.contains(expected), "{options:?}\n{}", outcome.stderr);
        assert!(!outcome.is_file("steady-out/rerun.json"));
    }
}

#[test]
fn jobs_that_would_write_over_each_other_are_refused() {
    let script = r#"echo '<testsuite><testcase name="a"/></testsuite>' >"report-$1.xml""#;
    let shared = ["--runs", "4", "--perturb", "off", "--jobs", "2", "--results", "report-*.xml"];
    rerun_script(&shared, script).run().exits_with(2).prints("").says(
        "error: runs at the same time would all write their results to `report-*.xml`\n\
         hint: give every job its own folder with `--isolate`, or its own file: `--results 'report-{job}.xml'`\n",
    );
    let apart = ["--runs", "4", "--perturb", "off", "--jobs", "2", "--results", "report-{job}.xml"];
    rerun_script(&apart, &script.replace("$1", "{job}")).run().exits_with(0);
}

#[test]
fn a_store_of_a_newer_steady_is_left_alone() {
    let folder = rerun_script(&["--runs", "1"], "true").run().exits_with(0).into_folder();
    let database = folder.path().join(".steady/steady.db");
    rusqlite::Connection::open(&database).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let before = fs::read(&database).unwrap();
    // A store never changes a run's result.
    let rerun = steady_in(folder, &["rerun", "--runs", "1", "--", "true"]).run().exits_with(0);
    assert!(rerun.stderr.starts_with("warning: the runs are not stored: "), "{}", rerun.stderr);
    assert!(rerun.stderr.contains("999"), "{}", rerun.stderr);
    let history = steady_in(rerun.into_folder(), &["history"]).run().exits_with(2).prints("");
    assert!(history.stderr.starts_with("error: ") && history.stderr.contains("999"), "{}", history.stderr);
    assert_eq!(fs::read(&database).unwrap(), before);
}

#[test]
fn folders_that_cannot_be_written_are_named() {
    // Root may write anywhere but where a file stands in the way.
    rerun_script(&["--runs", "1"], "true").file("steady-out", "a file").run().exits_with(2).prints("");
    let outcome = rerun_script(&["--runs", "1"], "true").file(".steady", "a file").run().exits_with(2);
    assert!(outcome.stderr.contains("hint: make the folder writable, or start steady in another one\n"));
    if Command::new("id").arg("-u").output().unwrap().stdout != b"0\n" {
        let invocation = rerun_script(&["--runs", "1"], "true");
        fs::set_permissions(invocation.folder(), fs::Permissions::from_mode(0o555)).unwrap();
        invocation.run().exits_with(2).prints("").writes(&[]);
    }
}

#[test]
fn a_command_without_its_dashes_is_told_of_them() {
    let outcome = steady(&["rerun", "pytest"]).run().exits_with(2).prints("");
    assert!(outcome.stderr.contains("tip: put `--` before the command: `-- pytest …`"), "{}", outcome.stderr);
}

#[test]
fn a_number_that_must_not_be_zero_is_asked_for_in_plain_words() {
    let outcome = rerun_script(&["--runs", "0"], "true").run().exits_with(2).prints("");
    assert!(outcome.stderr.contains("`0` is not a whole number of at least 1"), "{}", outcome.stderr);
}

#[test]
fn a_command_that_could_not_be_rerun_leaves_no_history() {
    let outcome = rerun_rates(&["--runs", "5"], "empty.py").file("empty.py", "").run().exits_with(2);
    let history = steady_in(outcome.into_folder(), &["history", "--all"]).run();
    assert!(!history.stdout.contains("pytest"), "{}", history.stdout);
}

#[test]
fn a_runner_that_stumbles_over_what_is_added_says_why() {
    // A package of the same name, whose runner does not know what steady relies on.
    let modules = "node_modules/mocha";
    let outcome = steady(&["rerun", "--runs", "5", "--", "node", "node_modules/mocha/bin/mocha.js"])
        .file(&format!("{modules}/package.json"), r#"{ "name": "mocha", "version": "99.0.0" }"#)
        .file(
            &format!("{modules}/bin/mocha.js"),
            "require(process.argv.find(word => word.startsWith('--require=')).slice(10));",
        )
        .run()
        .exits_with(2)
        .prints("");
    assert!(
        outcome.stderr.starts_with(
            "error: mocha could not load what steady adds to report its tests: Error: steady: cannot find the running Mocha\n"
        ),
        "{}",
        outcome.stderr
    );
}

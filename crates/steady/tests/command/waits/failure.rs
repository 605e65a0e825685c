//! `steady waits tune FILE -- CMD`: the line comes from a failure of the command.

use serde_json::Value;

use super::waits;
use crate::support::{Invocation, Outcome};

const HELPER: &str = "let now = 0;
exports.wait = async (ms) => { now += ms; };
exports.check = () => { if (now < 30) throw new Error('too early'); };
";
const TEST: &str = "const { check, wait } = require('./helper.js');
(async () => {
  await wait(10);
  check();
})();
";

/// `steady waits tune FILE` with a command that leaves a file, and a test that fails in a helper.
fn tune(file: &str) -> Invocation {
    let command = ["--", "sh", "-c", "echo x >>left; exec node a.test.js"];
    let mut all = vec!["tune", file, "--from", "50ms", "--runs", "3", "--format", "json"];
    all.extend(command);
    waits(&all).file("helper.js", HELPER).file("a.test.js", TEST)
}

fn target(outcome: &Outcome) -> Value {
    outcome.result("waits_tuned")["target"].clone()
}

#[test]
fn a_line_of_the_file_wins_over_a_helper_nearer_to_the_failure() {
    let outcome = tune("a.test.js").run().exits_with(0);
    let target = target(&outcome);
    assert_eq!((&target["path"], &target["line"]), (&"a.test.js".into(), &3.into()));
    assert_eq!(
        target["why"],
        "a.test.js:4 is the line of that file nearest to the failure; line 3 sleeps right before it and is what may be too short"
    );
    let told = outcome.events().iter().any(|event| event["message"] == target["why"]);
    assert!(told, "{}", outcome.stdout);
    assert_eq!((outcome.read("a.test.js"), outcome.is_file("left")), (TEST.to_owned(), false));
}

#[test]
fn a_failure_elsewhere_is_told_as_one() {
    let other = "const { wait } = require('./helper.js');\nwait(10);\n";
    let outcome = tune("other.test.js").file("other.test.js", other).run();
    let why =
        "the failure names no line of `other.test.js`: helper.js:3 is the line of the project nearest to it";
    assert!(outcome.events().iter().any(|event| event["message"] == why), "{}", outcome.stdout);
}

#[test]
fn a_command_that_never_fails_says_no_line() {
    let outcome = waits(&["tune", "a.test.js", "--", "sh", "-c", "echo x >>left"])
        .file("a.test.js", TEST)
        .run()
        .exits_with(2);
    assert!(outcome.stderr.starts_with("error: the command passed 20 times"), "{}", outcome.stderr);
    assert!(!outcome.is_file("left"));
}

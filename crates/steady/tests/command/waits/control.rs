//! Ctrl-C while values are tried.

use std::io::{BufRead, BufReader};

use serde_json::Value;

use super::waits;
use crate::support::{is_alive, processes, signal, start};

/// Passes with a wait of 100 ms or more; in the pass with the number `HANGS` it never ends, and has a child that does not listen.
const COMMAND: &str = r#"value=$(sed -n 's/.*wait(\([0-9]*\)).*/\1/p' a.test.js)
[ "$value" -ge 100 ] || exit 1
echo x >>passed
[ "$(wc -l <passed)" -eq "$HANGS" ] || exit 0
(trap '' INT TERM; sleep 1000) & echo $! >"$PIDS"; echo $$ >>"$PIDS"; wait"#;

fn test_waiting(ms: u64) -> String {
    format!("import {{ wait }} from './time';\n\ntest('a', async () => {{\n  await wait({ms});\n}});\n")
}

/// Interrupts tuning in a run that never ends; gives the last two lines that were printed.
fn interrupted(arguments: &[&str], ms: u64, hangs: u32) -> [Value; 2] {
    let mut all = vec!["tune"];
    all.extend(arguments);
    all.extend(["--write", "--format", "json", "--", "sh", "-c", COMMAND]);
    let text = test_waiting(ms);
    let invocation = waits(&all).file("a.test.js", &text).env("HANGS", &hangs.to_string());
    let pids = invocation.folder().join("pids");
    let (mut child, folder) = start(invocation.env("PIDS", pids.to_str().unwrap()));
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.by_ref().any(|line| line.contains(r#""event":"attempt_run""#)));
    let processes = processes(&mut child, folder.path());
    signal("-INT", child.0.id());
    let rest: Vec<Value> = lines.map(|line| serde_json::from_str(&line).unwrap()).collect();
    assert_eq!(child.0.wait().unwrap().code(), Some(2), "{rest:#?}");
    assert!(!processes.into_iter().any(is_alive));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.test.js")).unwrap(), text);
    assert!(!folder.path().join("passed").exists(), "the command runs in a copy");
    let [.., result, finished] = &rest[..] else { panic!("{rest:#?}") };
    [finished.clone(), result.clone()]
}

#[test]
fn ctrl_c_tells_the_best_value_so_far_and_leaves_no_process() {
    let [finished, result] = interrupted(&["a.test.js:4", "--from", "300ms", "--runs", "5"], 50, 3);
    assert_eq!((&finished["event"], &finished["interrupted"]), (&"run_finished".into(), &true.into()));
    let tuned = &result["tuned"];
    assert_eq!((&tuned["interrupted"], &result["written"]), (&true.into(), &false.into()), "{result:#}");
    assert_eq!(tuned["verdict"]["best"], 300, "{result:#}");
}

#[test]
fn ctrl_c_while_shrinking_keeps_the_waits_as_they_are() {
    // Five runs of the suite as it is, then the first shorter value.
    let [finished, result] = interrupted(&["--shrink", "--runs", "5"], 400, 8);
    assert_eq!(finished["interrupted"], true);
    assert_eq!((&result["interrupted"], &result["written"]), (&true.into(), &false.into()), "{result:#}");
    let wait = &result["waits"][0];
    assert_eq!((&wait["before"], &wait["after"]), (&400.into(), &400.into()), "{result:#}");
    assert_eq!((&wait["verdict"]["best"], &wait["runs"]), (&200.into(), &2.into()), "{result:#}");
}

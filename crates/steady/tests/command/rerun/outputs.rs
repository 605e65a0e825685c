//! What a rerun writes, for machines and for people.

use serde_json::{Value, json};

use super::{EVERY, report, rerun_script, steady_in, verdicts};

const SEVEN: [&str; 4] = ["--runs", "7", "--perturb", "off"];

#[test]
fn people_are_told_the_rates_and_the_first_failures() {
    let outcome = rerun_script(&["--runs", "30", "--perturb", "off"], EVERY).run().exits_with(1).says("");
    let text = outcome.stdout;
    assert!(text.contains("FLAKY every third: 10 of 30 failed, 33.3 % (17.3–52.8 %), Unk\n"), "{text}");
    assert!(text.contains("BROKEN broken: 30 of 30 failed, 100 % (88.4–100 %)\n"), "{text}");
    assert!(
        text.contains("3 tests in 30 runs (") && text.contains("): 1 stable, 1 flaky, 1 broken\n"),
        "{text}"
    );
}

#[test]
fn events_tell_of_every_run_and_every_verdict() {
    let options = [&SEVEN[..], &["--format", "json"]].concat();
    let outcome = rerun_script(&options, EVERY).run().exits_with(1).says("");
    let events = outcome.events();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let mut expected = vec!["run_started"];
    expected.extend(["command_finished"; 7]);
    expected.extend(["test_judged"; 3]);
    expected.extend(["file_written", "run_finished"]);
    assert_eq!(kinds, expected);
    for (number, event) in (1..).zip(&events[1..=7]) {
        assert_eq!(event["run"]["number"], number);
        assert_eq!(event["run"]["results"].as_array().unwrap().len(), 3);
    }
    assert_eq!(events.last().unwrap()["exit_code"], 1);
    assert!(events.iter().all(|event| event["version"] == 1));
    let report = report(&outcome);
    let judged: Vec<&Value> = events[8..11].iter().map(|event| &event["report"]).collect();
    assert_eq!(Value::from_iter(judged.into_iter().cloned()), report["tests"]);
    assert_eq!((report["version"].as_u64(), report["runs"].as_u64()), (Some(1), Some(7)));
    assert_eq!((report["executions"].as_u64(), report["confidence"].as_f64()), (Some(21), Some(0.99)));
    let kept = outcome.read("steady-out/events.jsonl");
    assert_eq!(kept.lines().count(), events.len());
}

#[test]
fn junit_has_a_case_per_test() {
    let options = [&SEVEN[..], &["--junit", "out.xml"]].concat();
    let text = rerun_script(&options, EVERY).run().exits_with(1).read("out.xml");
    assert!(text.contains(r#"tests="3""#) && text.contains(r#"failures="2""#), "{text}");
    for name in ["stable", "broken", "every third"] {
        assert!(text.contains(&format!(r#"name="{name}""#)), "{text}");
    }
}

#[test]
fn sarif_has_what_the_standard_asks_for() {
    let options = [&SEVEN[..], &["--sarif", "out.sarif"]].concat();
    let outcome = rerun_script(&options, EVERY).run().exits_with(1);
    let log: Value = serde_json::from_str(&outcome.read("out.sarif")).unwrap();
    check(&sarif_schema(), &log, "log");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result:#}");
    }
}

/// The properties that SARIF 2.1.0 requires of what is written (sections 3.13, 3.14, 3.18, 3.19, 3.27, 3.11, 3.49).
fn sarif_schema() -> Value {
    json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "string", "rules": [{"id": "string"}]}},
            "results": [{"ruleId": "string", "level": ["none", "note", "warning", "error"], "message": {"text": "string"}}]
        }]
    })
}

/// Holds a value to a pattern: objects by their required properties, a list of one for all items, a list of several
/// for a choice, `string` for any text.
#[track_caller]
fn check(pattern: &Value, value: &Value, place: &str) {
    match pattern {
        Value::Object(properties) => {
            for (name, pattern) in properties {
                check(pattern, &value[name], &format!("{place}.{name}"));
            }
        }
        Value::Array(patterns) if patterns.len() == 1 => {
            let items = value.as_array().unwrap_or_else(|| panic!("{place} is no list: {value}"));
            items.iter().for_each(|item| check(&patterns[0], item, place));
        }
        Value::Array(choices) => assert!(choices.contains(value), "{place}: {value}"),
        Value::String(kind) if kind == "string" => assert!(value.is_string(), "{place}: {value}"),
        exact => assert_eq!(value, exact, "{place}"),
    }
}

#[test]
fn github_gets_annotations() {
    let outcome = rerun_script(&SEVEN, EVERY).env("GITHUB_ACTIONS", "1").run().exits_with(1);
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("::error title=flaky test::every third: flaky: 2 of 7 failed")),
        "{lines:?}"
    );
}

#[test]
fn history_remembers_over_calls() {
    let first = rerun_script(&SEVEN, EVERY).run().exits_with(1);
    let options = [&["rerun"], &SEVEN[..], &["--", "sh", "-c", EVERY]].concat();
    let second = steady_in(first.into_folder(), &options).run().exits_with(1);
    assert_eq!(verdicts(&report(&second))[1].2, 2);
    let history = steady_in(second.into_folder(), &["history"]).run().exits_with(0).says("");
    assert!(history.stdout.contains(" 28.6 % ▃  every third\n        4 of 14 failed"), "{}", history.stdout);
    assert!(history.stdout.contains("100.0 % █  broken\n        14 of 14 failed"), "{}", history.stdout);
    assert!(!history.stdout.contains("stable"), "{}", history.stdout);
    let json =
        steady_in(history.into_folder(), &["history", "every", "--format", "json"]).run().exits_with(0);
    let answer = &json.events()[1];
    assert_eq!((&answer["version"], &answer["event"]), (&1.into(), &"history_listed".into()));
    let tests = answer["tests"].as_array().unwrap();
    assert_eq!((tests.len(), tests[0]["id"].as_str()), (1, Some("every third")));
    assert_eq!(tests[0]["counts"], json!({"passed": 10, "failed": 4, "skipped": 0}));
}

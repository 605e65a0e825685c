//! Shards and what `merge` makes of them.

use serde_json::Value;

use super::{rerun_rates, steady};

fn ids(report: &Value) -> Vec<String> {
    let tests = report["tests"].as_array().unwrap().iter();
    tests.map(|test| test["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn two_shards_merged_are_the_whole() {
    let run = |options: &[&str]| {
        let options = [&["--runs", "2", "--perturb", "off", "--no-store"], options].concat();
        let outcome = rerun_rates(&options, "test_rates.py").run().exits_with(1);
        serde_json::from_str::<Value>(&outcome.read("steady-out/rerun.json"))
            .map(|report| (report, outcome.read("steady-out/events.jsonl")))
            .unwrap()
    };
    let (whole, _) = run(&[]);
    let shards = [run(&["--shard", "1/2"]), run(&["--shard", "2/2"])];
    let mut parts: Vec<String> = shards.iter().flat_map(|(report, _)| ids(report)).collect();
    parts.sort();
    assert_eq!(parts, ids(&whole), "every test is in one shard");
    let mut merge = steady(&["merge", "one", "two"]);
    for (name, (report, events)) in ["one", "two"].into_iter().zip(&shards) {
        merge = merge.file(&format!("{name}/rerun.json"), report.to_string());
        merge = merge.file(&format!("{name}/events.jsonl"), events);
    }
    let outcome = merge.run().exits_with(1).says("");
    let merged: Value = serde_json::from_str(&outcome.read("steady-out/rerun.json")).unwrap();
    assert_eq!(ids(&merged), ids(&whole));
    // Each shard's first run is of all tests, to see which there are; it does not count.
    assert_eq!(merged["tests"][0]["plain"]["failed"], 2);
}

#[test]
fn a_shard_without_tests_runs_nothing_more() {
    let options = ["--runs", "3", "--no-store", "--shard"];
    let script = r#"echo x >>runs; echo "1..1"; echo "ok 1 - only {tests}""#;
    let runs = ["1/2", "2/2"].map(|shard| {
        let outcome = super::rerun_script(&[&options[..], &[shard]].concat(), script).run().exits_with(0);
        outcome.read("runs").lines().count()
    });
    assert!(runs == [1, 4] || runs == [4, 1], "{runs:?}");
}

#[test]
fn a_missing_shard_is_missed() {
    let options = ["--runs", "1", "--perturb", "off", "--no-store", "--shard", "2/2"];
    let outcome = rerun_rates(&options, "test_order.py").run().exits_with(0);
    super::steady_in(outcome.into_folder(), &["merge", "steady-out", "--out", "all"])
        .run()
        .exits_with(0)
        .says("warning: shard 1 of 2 is missing\n");
}

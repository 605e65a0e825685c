//! The recipe for Slurm, as it is in the documentation, on a real Slurm of one node.

use std::path::Path;

use serde_json::Value;
use steady_testkit::Slurm;

use super::steady;

#[test]
fn the_job_array_of_the_documentation_shares_the_tests_out() {
    let slurm = Slurm::start().unwrap();
    // With five tests, one of the four shares is empty.
    let tests: String =
        ["a", "b", "c", "d", "e"].map(|name| format!("def test_{name}():\n    pass\n\n\n")).concat();
    let setting =
        steady(&["merge", "results-0", "results-1", "results-2", "results-3"]).file("test_shop.py", tests);
    let python = steady_testkit::python().unwrap();
    let programs =
        [Path::new(env!("CARGO_BIN_EXE_steady")), &python].map(|program| program.parent().unwrap());
    let path =
        programs.map(|folder| folder.to_str().unwrap()).join(":") + ":" + &std::env::var("PATH").unwrap();
    let recipe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/shards/slurm.sh");
    let finished = slurm.submit(setting.folder(), &recipe, &path).unwrap();
    assert!(finished.success, "{}", finished.output);
    let merged = setting.run().exits_with(0).says("");
    let report: Value = serde_json::from_str(&merged.read("steady-out/rerun.json")).unwrap();
    let tests = report["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 5);
    assert!(tests.iter().all(|test| test["verdict"] == "stable"), "{report:#}");
    let shares = (0..4).map(|task| {
        let share: Value = serde_json::from_str(&merged.read(&format!("results-{task}/rerun.json"))).unwrap();
        assert_eq!(
            (share["part"]["index"].as_u64(), share["part"]["count"].as_u64()),
            (Some(task + 1), Some(4))
        );
        share["tests"].as_array().unwrap().len()
    });
    assert_eq!(shares.sum::<usize>(), 5, "every test is in one share");
}

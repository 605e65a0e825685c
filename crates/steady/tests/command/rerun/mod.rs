//! `steady rerun`, `history` and `merge` on real commands.
//!
//! `projects/rates` holds tests whose outcome is a function of the attempt's number or of one thing around them, so
//! that every verdict is known beforehand.

mod bad_input;
mod control;
mod matrix;
mod outputs;
mod runners;
mod shards;
mod slurm;
mod store;
mod verdicts;

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Invocation, Outcome};

/// A test in TAP that passes but for every `number`th run; attempts are counted in a file.
pub const EVERY: &str = r#"n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n >n
echo "1..3"; echo "ok 1 - stable"; echo "not ok 2 - broken"
if [ $((n % 3)) -eq 0 ]; then echo "not ok 3 - every third"; else echo "ok 3 - every third"; fi"#;

/// `steady` with the programs of this machine within reach.
pub fn steady(arguments: &[&str]) -> Invocation {
    Invocation::new(arguments).env("PATH", &std::env::var("PATH").unwrap())
}

/// The same in a folder that an earlier call was made in.
pub fn steady_in(folder: TempDir, arguments: &[&str]) -> Invocation {
    Invocation::within(folder, arguments).env("PATH", &std::env::var("PATH").unwrap())
}

/// `steady rerun OPTIONS -- sh -c SCRIPT`.
pub fn rerun_script(options: &[&str], script: &str) -> Invocation {
    let mut arguments = vec!["rerun"];
    arguments.extend(options);
    arguments.extend(["--", "sh", "-c", script]);
    steady(&arguments)
}

/// `steady rerun OPTIONS -- python -m pytest FILE` on the project of known rates.
pub fn rerun_rates(options: &[&str], file: &str) -> Invocation {
    let python = steady_testkit::python().unwrap();
    let mut arguments = vec!["rerun"];
    arguments.extend(options);
    arguments.extend(["--", python.to_str().unwrap(), "-m", "pytest", "-p", "no:cacheprovider", file]);
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/projects/rates");
    steady(&arguments).files_of(&project).env("PYTHONDONTWRITEBYTECODE", "1")
}

/// `rerun.json` in the output folder.
pub fn report(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.read("steady-out/rerun.json")).unwrap()
}

/// The tests of a report: the last part of the name, the verdict, and how often it failed as is.
pub fn verdicts(report: &Value) -> Vec<(String, String, u64)> {
    let tests = report["tests"].as_array().unwrap().iter();
    tests
        .map(|test| {
            let id = test["id"].as_str().unwrap();
            let name = id.rsplit("::").next().unwrap().to_owned();
            let verdict = test["verdict"].as_str().unwrap().to_owned();
            (name, verdict, test["plain"]["failed"].as_u64().unwrap())
        })
        .collect()
}

/// One test of a report, by the end of its name.
pub fn test_named<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut tests = report["tests"].as_array().unwrap().iter();
    tests.find(|test| test["id"].as_str().unwrap().ends_with(name)).unwrap()
}

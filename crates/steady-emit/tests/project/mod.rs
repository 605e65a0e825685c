//! Suites as projects on disk, and what their tests are called in reports.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steady_emit::{Emitter, emit};
use steady_model::Suite;
use steady_testkit::RunReport;

/// A suite of these tests.
pub fn suite(tests: &Value) -> Suite {
    let api = json!({"title": "Fixture", "url": "http://127.0.0.1:9"});
    serde_json::from_value(json!({"version": 1, "api": api, "seed": 1, "tests": tests})).unwrap()
}

/// Writes a suite's files.
pub fn write(suite: &Suite, emitter: Emitter, folder: &Path) {
    for file in emit(suite, emitter).unwrap() {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file.text).unwrap();
    }
}

/// What tests of these names are called in a report, sorted.
pub fn keys(names: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = names.iter().map(|name| RunReport::key(name)).collect();
    keys.sort_unstable();
    keys
}

//! Writes runs into a store, as a steady of its own would: `store-writer URL PROJECT RUNS TESTS`.
//!
//! Says `stored` after every run, so that a test knows how far it came before killing it.

#![expect(clippy::print_stdout, reason = "the test reads it")]

use std::error::Error;
use std::path::Path;

use jiff::Timestamp;
use steady_model::rerun::{Condition, Ending, Outcome, Run, TestResult};
use steady_store::{Environment, Session, Store, StoreLocation};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, project, runs, tests] = arguments.as_slice() else {
        return Err("usage: store-writer URL PROJECT RUNS TESTS".into());
    };
    let (runs, tests): (u32, u32) = (runs.parse()?, tests.parse()?);
    let at: Timestamp = "2026-11-15T12:00:00Z".parse()?;
    let mut store = Store::open(&StoreLocation::parse(url, Path::new(""))?)?;
    let session = store.begin(&Session {
        project: project.clone(),
        command: vec!["writer".to_owned()],
        version: "0.1.0".to_owned(),
        started: at,
        revision: None,
        environment: Environment::here(),
        shard: None,
    })?;
    for number in 1..=runs {
        let failed = |test: u32| (test + number).is_multiple_of(5);
        let result = |test| TestResult {
            id: format!("test_{test}").as_str().into(),
            outcome: if failed(test) { Outcome::Failed } else { Outcome::Passed },
            milliseconds: Some(1.0),
            message: failed(test).then(|| format!("failed in run {number}")),
        };
        let run = Run {
            number,
            condition: Condition::default(),
            ending: Ending::Exited(1),
            milliseconds: 1.0,
            // Writers meet each other's tests in opposite orders.
            results: if std::process::id().is_multiple_of(2) {
                (0..tests).map(result).collect()
            } else {
                (0..tests).rev().map(result).collect()
            },
            excerpt: String::new(),
        };
        store.record(session, at, &[run])?;
        println!("stored");
    }
    store.finish(session, at)?;
    Ok(())
}

//! The catalogue's APIs do what their labels say.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod client;
mod facts;
mod labels;
mod mutants;
mod probe;
mod running;

use std::collections::BTreeSet;

use steady_testkit::catalogue::{self, Api};

use running::{Environment, Running};

/// The API of this name.
fn api(name: &str) -> Api {
    catalogue::all().into_iter().chain(catalogue::parts()).find(|api| api.name() == name).unwrap()
}

#[test]
fn names_and_mutants_are_unique() {
    for apis in [catalogue::all(), catalogue::parts()] {
        let names: BTreeSet<&str> = apis.iter().map(Api::name).collect();
        assert_eq!(names.len(), apis.len());
        let mutants: Vec<&str> = apis.iter().flat_map(Api::mutants).copied().collect();
        assert_eq!(mutants.iter().collect::<BTreeSet<_>>().len(), mutants.len(), "{mutants:?}");
    }
}

#[test]
fn a_part_serves_its_own_operations_only() {
    let part = api("rust-time");
    let running = Running::start(&part, &Environment::new());
    let document = running.document();
    assert!(document.operations.iter().all(|operation| operation.id.to_string().contains(" /time/")));
    assert!(!document.operations.is_empty());
}

#[test]
fn every_label_is_in_a_document_that_loads() {
    for api in catalogue::all().into_iter().chain(catalogue::parts()) {
        let document = Running::start(&api, &Environment::new()).document();
        assert!(document.problems.is_empty(), "{}: {:?}", api.name(), document.problems);
        let flaky = api.flaky().iter().map(|label| (&label.operation, label.status));
        let stable = api.stable().iter().map(|constant| (&constant.operation, constant.status));
        for (name, status) in flaky.chain(stable) {
            let operation = document.operations.iter().find(|operation| operation.id.to_string() == *name);
            let response = operation.and_then(|operation| operation.response(status));
            let schema = response.and_then(|response| response.content.first()?.schema.as_ref());
            assert!(schema.is_some(), "{}: no schema for {status} of {name}", api.name());
        }
        for operation in &document.operations {
            let name = operation.id.to_string();
            let known = api.flaky().iter().any(|label| label.operation == name)
                || api.stable().iter().any(|constant| constant.operation == name);
            assert!(known, "{}: nothing is said about {name}", api.name());
        }
    }
}

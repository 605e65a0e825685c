//! Every mutant shows: something that is true of the API's answers is not true of its.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use steady_openapi::Api as Document;
use steady_testkit::catalogue::Api;

use crate::api;
use crate::client::Response;
use crate::facts::facts;
use crate::probe::{Probe, probes};
use crate::running::{Environment, Running};

#[test]
fn every_mutant_of_the_rust_api_shows() {
    check(&api("rust"), 25);
}

#[test]
fn every_mutant_of_the_python_api_shows() {
    check(&api("python"), 5);
}

#[test]
fn every_mutant_of_the_node_api_shows() {
    check(&api("node"), 5);
}

#[test]
fn every_mutant_of_the_java_api_shows() {
    check(&api("java"), 5);
}

fn check(api: &Api, at_least: usize) {
    assert!(api.mutants().len() >= at_least, "{}: {} mutants", api.name(), api.mutants().len());
    // Another weekday, month and year: what they have in common does not depend on the clock.
    let usual = Environment::new();
    let another_time = usual.clone().clock(SignedDuration::from_hours(401 * 24 + 3));
    let others = [observe(api, &another_time), observe(api, &usual)];
    let mut known = observe(api, &usual);
    known.retain(|fact| others.iter().all(|facts| facts.contains(fact)));
    let lost = |mutant: &str| -> Vec<String> {
        let facts = observe(api, &usual.clone().mutant(mutant));
        known.difference(&facts).cloned().collect()
    };
    assert_eq!(lost("no-such-mutant"), Vec::<String>::new(), "{}", api.name());
    for mutant in api.mutants() {
        assert!(!lost(mutant).is_empty(), "{}: {mutant} does not show", api.name());
    }
}

/// What is true of each answer of a new process to the same requests in the same order.
fn observe(api: &Api, environment: &Environment) -> BTreeSet<String> {
    let running = Running::start(api, environment);
    let document = running.document();
    let probes = probes(&running.ask("GET", api.openapi(), None).body);
    let mut known = BTreeSet::new();
    for (number, probe) in probes.iter().chain(&probes).enumerate() {
        let response = probe.send(&running);
        let mut facts = facts(api, &probe.operation, &response);
        facts.insert(format!("as described: {}", is_described(&document, probe, &response)));
        known.extend(facts.into_iter().map(|fact| format!("{number} {}: {fact}", probe.operation)));
    }
    known
}

/// Whether the document allows this answer.
fn is_described(document: &Document, probe: &Probe, response: &Response) -> bool {
    let operation = document.operations.iter().find(|operation| operation.id.to_string() == probe.operation);
    let Some(described) = operation.and_then(|operation| operation.response(response.status)) else {
        return false;
    };
    match described.content.first().and_then(|content| content.schema.as_ref()) {
        None => true,
        Some(schema) => document.validator(schema).unwrap().errors(&response.body).is_empty(),
    }
}

//! Every labelled place moves under what its label says; every other place stays.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use serde_json::Value;
use steady_model::Place;
use steady_testkit::catalogue::{Api, Mover};

use crate::api;
use crate::client::Response;
use crate::probe::{Probe, probes};
use crate::running::{Environment, Running};

/// Headers that belong to the transport.
const TRANSPORT: [&str; 5] = ["date", "content-length", "connection", "keep-alive", "transfer-encoding"];
const CALLS: usize = 4;

#[test]
fn the_labels_of_the_rust_api_hold() {
    check(&api("rust"));
}

#[test]
fn the_labels_of_the_python_api_hold() {
    check(&api("python"));
}

#[test]
fn the_labels_of_the_node_api_hold() {
    check(&api("node"));
}

#[test]
fn the_labels_of_the_java_api_hold() {
    check(&api("java"));
}

/// Where a value was seen: operation, status, place.
type Spot = (String, u16, Place);
/// The values seen at each spot.
type Seen = BTreeMap<Spot, BTreeSet<String>>;

fn check(api: &Api) {
    let usual = Environment::new();
    let first = survey(api, &usual);
    let mut everything = first.clone();
    let others: BTreeSet<usize> = api.flaky().iter().filter_map(|label| variant(label.mover)).collect();
    let mut by_variant = BTreeMap::new();
    for number in others {
        let seen = survey(api, &environment(usual.clone(), number));
        for (spot, values) in &seen {
            everything.entry(spot.clone()).or_default().extend(values.iter().cloned());
        }
        by_variant.insert(number, seen);
    }
    for label in api.flaky() {
        let spot = (label.operation.clone(), label.status, label.place.clone());
        let nothing = BTreeSet::new();
        let values = first.get(&spot).unwrap_or(&nothing);
        assert!(!values.is_empty(), "{}: {label:?} was never seen", api.name());
        let moved = match (label.mover, variant(label.mover)) {
            (Mover::Machine, _) => true,
            (_, Some(number)) => by_variant[&number].get(&spot).is_some_and(|others| others != values),
            // A status is not distinguished by the status it is seen with.
            (_, None) if label.place == Place::Status => {
                first
                    .keys()
                    .filter(|(operation, ..)| *operation == label.operation)
                    .map(|(_, status, _)| status)
                    .collect::<BTreeSet<_>>()
                    .len()
                    > 1
            }
            (_, None) => values.len() > 1,
        };
        assert!(moved, "{}: {label:?} stayed {values:?}", api.name());
    }
    for constant in api.stable() {
        let spot = (constant.operation.clone(), constant.status, constant.place.clone());
        let values = everything.get(&spot).map_or(0, BTreeSet::len);
        assert_eq!(values, 1, "{}: {constant:?}", api.name());
    }
    for ((operation, status, place), values) in &everything {
        let labelled = api.flaky().iter().any(|label| {
            label.operation == *operation && label.status == *status && covers(&label.place, place)
        });
        // An object or a list moves with what is in it.
        let single = values.iter().all(|value| !value.starts_with(['{', '[']));
        assert!(
            labelled || !single || values.len() == 1,
            "{}: {operation} {status} {place} moved: {values:?}",
            api.name()
        );
    }
}

/// The conditions under which a mover shows; none for what shows between calls of one process.
fn variant(mover: Mover) -> Option<usize> {
    match mover {
        Mover::Call | Mover::State | Mover::Machine => None,
        Mover::Restart | Mover::Port => Some(0),
        Mover::Clock => Some(1),
        Mover::Zone => Some(2),
        Mover::Locale => Some(3),
        Mover::Temp => Some(4),
        Mover::HashSeed => Some(5),
        Mover::Folder => Some(6),
    }
}

fn environment(usual: Environment, variant: usize) -> Environment {
    match variant {
        1 => usual.clock(SignedDuration::from_hours(27)),
        2 => usual.zone(),
        3 => usual.language(),
        4 => usual.temporary(),
        5 => usual.hash_seed(),
        6 => usual.working(),
        _ => usual,
    }
}

/// Whether a label covers a place: its own, or one inside it.
fn covers(label: &Place, place: &Place) -> bool {
    match (label, place) {
        (Place::Body(label), Place::Body(place)) => {
            place.strip_prefix(label.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        _ => label == place,
    }
}

/// Everything that a process answers: reads first, then all, several times.
fn survey(api: &Api, environment: &Environment) -> Seen {
    let running = Running::start(api, environment);
    let probes = probes(&running.ask("GET", api.openapi(), None).body);
    let mut seen = Seen::new();
    for probe in probes.iter().filter(|probe| probe.operation.starts_with("GET ")) {
        record(&mut seen, probe, &probe.send(&running));
    }
    for _ in 0..CALLS {
        for probe in &probes {
            record(&mut seen, probe, &probe.send(&running));
        }
    }
    seen
}

fn record(seen: &mut Seen, probe: &Probe, response: &Response) {
    let mut note = |place: Place, value: &Value| {
        let spot = (probe.operation.clone(), response.status, place);
        seen.entry(spot).or_default().insert(value.to_string());
    };
    note(Place::Status, &Value::from(response.status));
    for (name, value) in &response.headers {
        if !TRANSPORT.contains(&name.as_str()) {
            note(Place::Header(name.clone()), &Value::from(value.as_str()));
        }
    }
    walk(&response.body, &mut String::new(), &mut note);
}

/// Every value of a body, with its pointer.
pub fn walk(value: &Value, pointer: &mut String, note: &mut dyn FnMut(Place, &Value)) {
    note(Place::Body(pointer.clone()), value);
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&name);
        walk(child, pointer, note);
        pointer.truncate(length);
    }
}

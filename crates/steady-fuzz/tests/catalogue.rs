//! Every labelled value of the catalogue is found with its category, and no look-alike is touched.

use std::num::NonZeroUsize;
use std::path::Path;

use steady_flaky::relax::Policy;
use steady_fuzz::{FuzzOptions, Outcome, fuzz};
use steady_http::{ClientOptions, get};
use steady_model::rerun::Condition;
use steady_replay::KnownSecrets;
use steady_shard::Shard;
use steady_stabilize::{Footing, Ladder};
use steady_sut::{Sut, SutSpec};
use steady_testkit::catalogue::{self, Api};

async fn run(api: &Api, state: &Path) -> Outcome {
    let spec = SutSpec {
        ready: Some(api.ready().parse().unwrap()),
        reset: Some(api.reset().parse().unwrap()),
        folder: state.to_owned(),
        ..SutSpec::new(api.start_command().unwrap())
    };
    let mut sut = Sut::new(spec, state).unwrap();
    sut.start(&Condition::default()).await.unwrap();
    let document = get(&format!("{}{}", sut.url(), api.openapi()), &ClientOptions::default()).await.unwrap();
    let document = steady_openapi::parse(&document, api.name()).unwrap();
    let options = FuzzOptions {
        url: sut.url().parse().unwrap(),
        base_path: String::new(),
        client: ClientOptions::default(),
        time: None,
        requests: Some(3_000),
        rate: None,
        workers: NonZeroUsize::MIN,
        seed: 11,
        shard: Shard::WHOLE,
        identities: Vec::new(),
        secrets: KnownSecrets::default(),
        principals: Vec::new(),
        flaky: Policy::Relax,
        ladder: Ladder::default(),
        keep: Box::new(|_| true),
        stop: tokio::sync::watch::channel(false).1,
    };
    let mut told = |event| {
        if let steady_model::Event::Warning { message } = event {
            eprintln!("{message}");
        }
    };
    fuzz(document, options, &mut Footing::Ours(&mut sut), &mut told).await.unwrap()
}

/// What the findings say against the labels.
fn complaints(api: &Api, outcome: &Outcome) -> Vec<String> {
    let mut complaints = Vec::new();
    let found = |operation: &str, status: u16, place: &steady_model::Place| {
        outcome.findings.flaky.iter().find(|flaky| {
            flaky.operation.to_string() == operation && flaky.status == status && flaky.place == *place
        })
    };
    for label in api.flaky() {
        let name = format!("{} {} {}", label.operation, label.status, label.place);
        match found(&label.operation, label.status, &label.place) {
            None => complaints.push(format!("not found: {name} ({}, {:?})", label.category, label.mover)),
            Some(flaky)
                if flaky.category != label.category.name()
                    && Some(flaky.category.as_str()) != label.or.map(|other| other.name()) =>
            {
                complaints.push(format!(
                    "{name} is {}, not {}: {:?} {:?} {:?}",
                    label.category, flaky.category, flaky.evidence, flaky.observed, flaky.matcher
                ))
            }
            Some(_) => {}
        }
    }
    for constant in api.stable() {
        if let Some(flaky) = found(&constant.operation, constant.status, &constant.place) {
            complaints.push(format!(
                "touched: {} {} {}: {:?} {:?}",
                constant.operation, constant.status, constant.place, flaky.evidence, flaky.observed
            ));
        }
    }
    complaints
}

#[tokio::test]
async fn every_label_is_found_and_no_look_alike_touched() {
    let wanted = std::env::var("CATALOGUE").unwrap_or_default();
    for api in catalogue::all().into_iter().chain(catalogue::parts()) {
        if !wanted.is_empty() && api.name() != wanted {
            continue;
        }
        let state = tempfile::tempdir().unwrap();
        let outcome = run(&api, state.path()).await;
        eprintln!("{} {:?}", api.name(), outcome.summary);
        let complaints = complaints(&api, &outcome);
        assert!(complaints.is_empty(), "{}:\n{}", api.name(), complaints.join("\n"));
    }
}

//! Every labelled value of the catalogue is found with its category, no look-alike is touched, and the suite passes afterwards.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::num::NonZeroUsize;
use std::path::Path;

use steady_flaky::drive::{DetectionPlan, SutAccess};
use steady_flaky::relax::Policy;
use steady_fuzz::{FuzzOptions, Outcome, fuzz};
use steady_http::{Client, ClientOptions, Redirects, get};
use steady_model::rerun::{Category, Condition};
use steady_model::shard::Shard;
use steady_model::{Assertion, Call, Findings, Flaky, Handling, Matcher, Place, Secrets, Segment, Text};
use steady_process::Cancel;
use steady_suite::{Sessions, run_test};
use steady_sut::{Sut, SutSpec};
use steady_testkit::catalogue::{self, Api, Label, Mover};

async fn start(api: &Api, state: &Path) -> Sut {
    let spec = SutSpec {
        ready: Some(api.ready().parse().unwrap()),
        reset: Some(api.reset().parse().unwrap()),
        folder: state.to_owned(),
        ..SutSpec::new(api.start_command().unwrap())
    };
    let mut sut = Sut::new(spec, state).unwrap();
    sut.start(&Condition::default()).await.unwrap();
    sut
}

async fn search(api: &Api, sut: &mut Sut) -> Outcome {
    let url = format!("{}{}", sut.url(), api.openapi());
    let document = get(&url, Redirects::Anywhere, &ClientOptions::default()).await.unwrap();
    let document = steady_openapi::parse(&document.text, api.name()).unwrap();
    let options = FuzzOptions {
        url: sut.url().parse().unwrap(),
        base_path: String::new(),
        client: ClientOptions::default(),
        time: None,
        detect_time: None,
        requests: Some(3_000),
        rate: None,
        workers: NonZeroUsize::MIN,
        seed: 11,
        shard: Shard::WHOLE,
        identities: Vec::new(),
        secrets: Secrets::default(),
        principals: Vec::new(),
        flaky: Policy::Relax,
        plan: DetectionPlan::default(),
        keep: Box::new(|_| true),
        cancel: Cancel::new().unwrap(),
    };
    fuzz(document, options, &mut SutAccess::Managed(sut), &mut |_| {}).await.unwrap()
}

/// What the findings say against the labels.
fn complaints(api: &Api, outcome: &Outcome) -> Vec<String> {
    let mut complaints = Vec::new();
    for label in api.flaky() {
        let name = format!("{} {} {}", label.operation, label.status, label.place);
        match found(&outcome.findings, &label.operation, label.status, &label.place) {
            // The API's own address is not a finding: tests compare it with the address in use.
            None if label.mover == Mover::Port && follows_the_address(outcome, label) => {}
            None => complaints.push(format!("not found: {name} ({}, {:?})", label.category, label.mover)),
            Some(flaky) if flaky.category != label.category && !admits(label, flaky.category) => {
                complaints.push(format!("{name} is {}, not {}", label.category, flaky.category));
            }
            Some(flaky) if can_be_moved(label) && !was_seen_to_vary(label, flaky) => {
                complaints.push(format!("{name} was not seen to vary: {flaky:?}"));
            }
            Some(flaky) if flaky.handling == Handling::Kept && !is_exact(flaky, outcome) => {
                complaints.push(format!("{name} is said to be kept, and no test asserts it: {flaky:?}"));
            }
            Some(_) => {}
        }
    }
    for constant in api.stable() {
        if found(&outcome.findings, &constant.operation, constant.status, &constant.place).is_some() {
            complaints
                .push(format!("touched: {} {} {}", constant.operation, constant.status, constant.place));
        }
    }
    complaints
}

/// What was found about a place.
fn found<'a>(findings: &'a Findings, operation: &str, status: u16, place: &Place) -> Option<&'a Flaky> {
    let is_it = |flaky: &&Flaky| {
        flaky.operation.to_string() == operation && flaky.status == status && flaky.place == *place
    };
    findings.flaky.iter().find(is_it)
}

fn admits(label: &Label, category: Category) -> bool {
    label.or == Some(category)
}

/// Whether tests assert the place, and each by the address in use.
fn follows_the_address(outcome: &Outcome, label: &Label) -> bool {
    let calls = outcome.suite.tests.iter().flat_map(|test| &test.calls);
    let calls = calls.filter(|call| call.operation.to_string() == label.operation);
    let mut about =
        calls.flat_map(|call| &call.expect).filter(|assertion| assertion.place == label.place).peekable();
    let has_address = |assertion: &Assertion| {
        let segments = assertion.templates().flat_map(Text::segments).collect::<Vec<_>>();
        segments.iter().any(|segment| matches!(segment, Segment::Base { .. }))
    };
    about.peek().is_some() && about.all(has_address)
}

/// The folder stays over restarts, and the machine is the only one there is: such values are recognised by their looks.
fn can_be_moved(label: &Label) -> bool {
    !matches!(label.mover, Mover::Folder | Mover::Machine)
}

/// Whether something moved it and the values are reported; of credentials only how they begin.
fn was_seen_to_vary(label: &Label, flaky: &Flaky) -> bool {
    let moved = !flaky.is_inferred();
    moved && (flaky.observed.len() > 1 || label.category == Category::Crypt)
}

/// Whether each test that a finding names asserts the place exactly, with the status the finding names.
fn is_exact(flaky: &Flaky, outcome: &Outcome) -> bool {
    let asserts = |call: &Call, place: &Place, value: Option<u16>| {
        call.expect.iter().any(|assertion| match &assertion.matcher {
            Matcher::Equals(expected) => {
                assertion.place == *place && value.is_none_or(|value| *expected == value)
            }
            _ => false,
        })
    };
    let is_about =
        |call: &&Call| call.operation == flaky.operation && asserts(call, &Place::Status, Some(flaky.status));
    flaky.tests.iter().all(|name| {
        let test = outcome.suite.tests.iter().find(|test| test.name == *name);
        let mut calls = test.into_iter().flat_map(|test| &test.calls).filter(is_about).peekable();
        calls.peek().is_some() && calls.all(|call| asserts(call, &flaky.place, None))
    })
}

/// Names of tests that fail when the suite is run once.
async fn failing(outcome: &Outcome, sut: &Sut) -> Vec<String> {
    let client = Client::new(sut.url().parse().unwrap(), ClientOptions::default()).unwrap();
    let mut sessions = Sessions::new(Vec::new(), ClientOptions::default());
    let mut channel = client.channel();
    let mut failing = Vec::new();
    for (index, test) in outcome.suite.tests.iter().enumerate() {
        let seed = index as u64;
        let run = run_test(&mut channel, test, &mut sessions, &Secrets::default(), seed).await;
        failing.extend(run.failures(test).iter().map(|failure| format!("{}: {failure}", test.name)));
    }
    failing
}

async fn check(api: &Api) {
    let state = tempfile::tempdir().unwrap();
    let mut sut = start(api, state.path()).await;
    let outcome = search(api, &mut sut).await;
    assert_eq!(complaints(api, &outcome), Vec::<String>::new());
    let kept = &outcome.summary.assertions;
    assert!(kept.disabled * 50 <= kept.exact + kept.relaxed, "{kept:?}");
    let conditions = sut.perturbations();
    for condition in std::iter::once(&Condition::default()).chain(&conditions) {
        sut.restart(condition).await.unwrap();
        assert_eq!(failing(&outcome, &sut).await, Vec::<String>::new(), "{condition}");
    }
}

async fn check_named(name: &str) {
    let apis = catalogue::all();
    check(apis.iter().find(|api| api.name() == name).unwrap()).await;
}

#[tokio::test]
async fn rust() {
    check_named("rust").await;
}

#[tokio::test]
async fn python() {
    check_named("python").await;
}

#[tokio::test]
async fn node() {
    check_named("node").await;
}

#[tokio::test]
async fn java() {
    check_named("java").await;
}

//! A whole run against the sample shop, over a real socket.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use steady_demo::Shop;
use steady_flaky::drive::{DetectionPlan, SutAccess};
use steady_flaky::relax::Policy;
use steady_fuzz::{Ending, FuzzOptions, Outcome, fuzz};
use steady_http::{Client, ClientOptions, Redirects, get};
use steady_model::shard::Shard;
use steady_model::{
    Body, Call, Event, FaultCode, Group, Identity, Login, LoginUse, Method, Place, RequestTemplate, Secret,
    Secrets, Segment, Text,
};
use steady_openapi::Operation;
use steady_process::Cancel;
use steady_suite::{RunOptions, run_suite};

const PASSWORD: &str = "SHOP_PASSWORD";

fn account() -> Identity {
    let text = Text::new([
        Segment::Literal(format!("{{\"username\":\"{}\",\"password\":\"", Shop::USER)),
        Segment::environment(PASSWORD),
        Segment::Literal("\"}".to_owned()),
    ]);
    let request = RequestTemplate {
        method: Method::Post,
        target: "/login".into(),
        headers: Vec::new(),
        body: Some(Body::Text { content_type: "application/json".to_owned(), text }),
    };
    let usage = LoginUse::Header {
        token: Place::Body("/token".to_owned()),
        name: "authorization".to_owned(),
        template: "Bearer {token}".to_owned(),
    };
    Identity {
        name: Shop::USER.to_owned(),
        headers: Vec::new(),
        sign_up: None,
        login: Some(Login { request, usage }),
    }
}

fn secrets() -> Secrets {
    Secrets::new(BTreeMap::from([(PASSWORD.to_owned(), Secret::new(Shop::PASSWORD))]))
}

struct Case {
    requests: u64,
    identified: bool,
    keep: fn(&Operation) -> bool,
}

async fn run(shop: &Shop, case: Case, cancel: Cancel) -> (Outcome, Vec<Event>) {
    let document =
        get(&shop.openapi_url(), Redirects::Anywhere, &ClientOptions::default()).await.unwrap().text;
    let api = steady_openapi::parse(&document, "shop").unwrap();
    let options = FuzzOptions {
        url: shop.url().parse().unwrap(),
        base_path: String::new(),
        client: ClientOptions::default(),
        time: None,
        detect_time: None,
        requests: Some(case.requests),
        rate: None,
        workers: NonZeroUsize::MIN,
        seed: 11,
        shard: Shard::WHOLE,
        identities: if case.identified { vec![account()] } else { Vec::new() },
        secrets: secrets(),
        principals: vec![Shop::USER.to_owned()],
        flaky: Policy::Relax,
        plan: DetectionPlan::default(),
        keep: Box::new(case.keep),
        cancel,
    };
    let mut events = Vec::new();
    let outcome =
        fuzz(api, options, &mut SutAccess::External, &mut |event| events.push(event)).await.unwrap();
    (outcome, events)
}

#[tokio::test]
async fn reaches_every_operation_finds_the_bugs_and_writes_a_suite_that_passes_in_any_order() {
    let shop = Shop::seeded(7).unwrap();
    let cancel = Cancel::new().unwrap();
    let (outcome, events) =
        run(&shop, Case { requests: 30_000, identified: true, keep: |_| true }, cancel).await;

    assert_eq!(
        outcome.summary.operations.successful, outcome.summary.operations.total,
        "{:?}",
        outcome.unsuccessful
    );
    let found: BTreeSet<FaultCode> = outcome.findings.faults.iter().map(|fault| fault.code).collect();
    for code in [
        FaultCode::ServerError,
        FaultCode::SchemaMismatch,
        FaultCode::InvalidInputAccepted,
        FaultCode::StackTraceLeaked,
        FaultCode::DeleteDoesNotDelete,
        FaultCode::MissingAllow,
        FaultCode::MissingWwwAuthenticate,
    ] {
        assert!(found.contains(&code), "{code} is among {found:?}");
    }
    for group in [Group::Successes, Group::Faults, Group::Others] {
        assert!(outcome.suite.tests.iter().any(|test| test.group == group), "{group:?}");
    }

    let client = Client::new(shop.url().parse().unwrap(), ClientOptions::default()).unwrap();
    let options =
        RunOptions { repeat: 3, shuffle: true, workers: 1, seed: 5, client: ClientOptions::default() };
    let mut failures = Vec::new();
    run_suite(&client, &outcome.suite, &secrets(), &options, |finished| {
        failures.extend(
            finished
                .outcome
                .failures(finished.test)
                .iter()
                .map(|failure| format!("{}: {failure}", finished.test.name)),
        );
        ControlFlow::Continue(())
    })
    .await;
    assert_eq!(failures, Vec::<String>::new());
    assert!(events.iter().any(|event| matches!(event, Event::StatusReached { status: 201, .. })));
}

#[tokio::test]
async fn values_of_earlier_responses_are_variables_and_created_things_are_put_away() {
    let shop = Shop::seeded(7).unwrap();
    let cancel = Cancel::new().unwrap();
    let keep = |operation: &Operation| {
        operation.id.path.starts_with("/customers") && !operation.id.path.contains("orders")
    };
    let (outcome, _) = run(&shop, Case { requests: 6_000, identified: false, keep }, cancel).await;
    let uses_what_it_created = |calls: &[Call], later: &[Call]| {
        let captured: Vec<&str> =
            calls.iter().flat_map(|call| &call.captures).map(|capture| capture.name.as_str()).collect();
        later.iter().any(|call| call.request.target.variables().any(|name| captured.contains(&name)))
    };
    let tests = &outcome.suite.tests;
    assert!(tests.iter().any(|test| uses_what_it_created(&test.calls, &test.calls)), "{tests:#?}");
    assert!(tests.iter().any(|test| uses_what_it_created(&test.calls, &test.cleanup)), "{tests:#?}");
    let literal_ids = tests.iter().filter(|test| test.group == Group::Successes).flat_map(|test| &test.calls);
    let borrowed: Vec<_> = literal_ids
        .filter(|call| call.operation.path.contains('{') && call.request.target.variables().next().is_none())
        .map(|call| call.request.target.clone())
        .collect();
    assert_eq!(borrowed, [], "a success rests on something the test did not create");
}

#[tokio::test]
async fn faults_come_once_with_a_command_that_shows_them_and_no_secret() {
    let shop = Shop::seeded(7).unwrap();
    let cancel = Cancel::new().unwrap();
    let keep = |operation: &Operation| operation.id.path == "/products" || operation.id.path == "/me";
    let (outcome, _) = run(&shop, Case { requests: 3_000, identified: true, keep }, cancel).await;
    let keys: Vec<_> =
        outcome.findings.faults.iter().map(|fault| (fault.code, &fault.operation, &fault.summary)).collect();
    let distinct: BTreeSet<_> = keys.iter().collect();
    assert_eq!(keys.len(), distinct.len());
    let written = serde_json::to_string(&(&outcome.suite, &outcome.findings)).unwrap();
    assert!(!written.contains(Shop::PASSWORD));
    assert!(outcome.findings.faults.iter().all(|fault| fault.curl.starts_with("curl -sS ")));
    assert!(outcome.findings.faults.iter().any(|fault| fault.seen > 1), "seen again, reported once");
}

#[tokio::test]
async fn the_same_seeds_give_the_same_run() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let shop = Shop::seeded(7).unwrap();
        let cancel = Cancel::new().unwrap();
        let (outcome, _) =
            run(&shop, Case { requests: 4_000, identified: true, keep: |_| true }, cancel).await;
        let tests: Vec<String> = outcome.suite.tests.into_iter().map(|test| test.name).collect();
        let faults: Vec<_> = outcome
            .findings
            .faults
            .into_iter()
            .map(|fault| (fault.code, fault.operation, fault.summary, fault.seen))
            .collect();
        runs.push((outcome.summary.requests, tests, faults));
    }
    assert_eq!(runs[0], runs[1]);
}

#[tokio::test]
async fn an_interrupted_run_keeps_what_it_has() {
    let shop = Shop::seeded(7).unwrap();
    let cancel = Cancel::new().unwrap();
    cancel.request();
    let (outcome, _) =
        run(&shop, Case { requests: 1_000_000, identified: false, keep: |_| true }, cancel).await;
    assert_eq!(outcome.ending, Ending::Interrupted);
    assert_eq!(outcome.suite.tests.len(), outcome.summary.tests);
}

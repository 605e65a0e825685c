//! Feature by feature: the same mappings and requests to a real WireMock and to steady, the same answers.
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use steady_http::{Client, ClientOptions};
use steady_mock::{MockOptions, Mocks};
use steady_model::{Payload, Request, Response};
use steady_testkit::wiremock::{Feature, Probe, WireMock, features, page_with_features};

/// Headers that say something about a stub.
const COMPARED: [&str; 3] = ["content-type", "set-cookie", "matched-stub-name"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_feature_behaves_as_in_wiremock() {
    let wiremock = WireMock::start().unwrap();
    let mocks = Mocks::new(MockOptions::default()).unwrap();
    let steady = format!("http://{}", mocks.listen("127.0.0.1:0".parse().unwrap()).await.unwrap());
    let mut wrong = Vec::new();
    for feature in features() {
        let expected = outcomes(&wiremock.url(), &feature).await;
        let actual = outcomes(&steady, &feature).await;
        if (expected == actual) == feature.differs.is_some() {
            let pairs = expected.iter().zip(&actual).zip(&feature.requests);
            let shown = pairs.filter(|((expected, actual), _)| expected != actual).map(
                |((expected, actual), probe)| {
                    format!(
                        "  {} {}\n    WireMock {expected}\n    steady   {actual}\n",
                        probe.method, probe.target
                    )
                },
            );
            wrong.push(format!("{}: {}\n{}", feature.group, feature.name, shown.collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{} features differ from what is listed:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_documentation_is_current() {
    let page = include_str!("../../../docs/mocks.md");
    assert_eq!(page_with_features(page).as_deref(), Some(page), "run `cargo xtask docs`");
}

/// What a server answers to the requests of a feature, from a fresh start.
async fn outcomes(server: &str, feature: &Feature) -> Vec<Value> {
    let fresh = Probe {
        method: "POST".into(),
        target: "/__admin/reset".into(),
        headers: Vec::new(),
        body: None,
        select: None,
        at_least: 0,
    };
    assert_eq!(send(server, &fresh).await.unwrap().status, 200);
    for mapping in &feature.mappings {
        let add =
            Probe { target: "/__admin/mappings".into(), body: Some(mapping.to_string()), ..fresh.clone() };
        let added = send(server, &add).await.unwrap();
        assert_eq!(added.status, 201, "{}: {mapping}: {:?}", feature.name, added.body);
    }
    let mut outcomes = Vec::new();
    for probe in &feature.requests {
        let started = Instant::now();
        let answer = send(server, probe).await;
        let slow = started.elapsed() >= Duration::from_millis(probe.at_least);
        outcomes.push(match answer {
            Ok(response) => described(&response, probe, slow),
            Err(_) => json!("an error"),
        });
    }
    outcomes
}

async fn send(server: &str, probe: &Probe) -> Result<Response, steady_http::TransportError> {
    let client = Client::new(server.parse().unwrap(), ClientOptions::default()).unwrap();
    let request = Request {
        method: probe.method.parse().unwrap(),
        target: probe.target.clone(),
        headers: probe.headers.clone(),
        body: probe.body.clone().map(|text| Payload::Text(text.into())),
    };
    client.channel().send(&request).await.map(|(response, _)| response)
}

fn described(response: &Response, probe: &Probe, slow: bool) -> Value {
    let body = match &probe.select {
        Some(pointers) => {
            let whole: Value = serde_json::from_slice(response.body.as_bytes()).unwrap_or_default();
            pointers.iter().map(|pointer| whole.pointer(pointer).cloned().unwrap_or_default()).collect()
        }
        // What is said when nothing matches is each server's own.
        None if response.status == 404 => Value::Null,
        None => json!(String::from_utf8_lossy(response.body.as_bytes())),
    };
    let headers = response
        .headers
        .iter()
        .filter(|(name, _)| COMPARED.contains(&name.as_str()) || name.starts_with("x-"));
    let headers: Vec<_> = headers.filter(|_| probe.select.is_none() && response.status != 404).collect();
    json!({"status": response.status, "body": body, "headers": headers, "slow": slow})
}

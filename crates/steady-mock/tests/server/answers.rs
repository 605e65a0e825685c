//! What stubs answer.

use std::time::{Duration, Instant};

use serde_json::json;
use steady_model::Method;

use crate::client::{Server, header, json as parsed, text};

#[tokio::test]
async fn status_headers_and_body_are_the_stubs() {
    let server = Server::with(&[json!({
        "name": "pets",
        "request": {"method": "GET", "urlPath": "/pets"},
        "response": {
            "status": 201,
            "headers": {"Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"]},
            "jsonBody": {"name": "Tom"},
        },
    })])
    .await;
    let response = server.get("/pets?limit=3").await;
    assert_eq!((response.status, parsed(&response)), (201, json!({"name": "Tom"})));
    assert_eq!(header(&response, "set-cookie"), ["a=1", "b=2"]);
    assert_eq!(header(&response, "matched-stub-name"), ["pets"]);
    let id = server.mocks.state().stubs.all()[0].id.to_string();
    assert_eq!(header(&response, "matched-stub-id"), [id]);
}

#[tokio::test]
async fn bodies_come_as_text_json_and_base64() {
    let bodies = [
        ("/text", json!({"body": "plain"}), "plain"),
        ("/json", json!({"jsonBody": [1, null]}), "[1,null]"),
        ("/null", json!({"jsonBody": null}), "null"),
        ("/bytes", json!({"base64Body": "AAEC"}), "\0\u{1}\u{2}"),
        ("/none", json!({}), ""),
    ];
    let mappings =
        bodies.clone().map(|(url, response, _)| json!({"request": {"url": url}, "response": response}));
    let server = Server::with(&mappings).await;
    for (url, _, expected) in bodies {
        let response = server.get(url).await;
        assert_eq!((response.status, text(&response).as_str()), (200, expected), "{url}");
    }
}

#[tokio::test]
async fn no_stub_is_a_404_that_shows_the_nearest_stub_field_by_field() {
    let server = Server::with(&[json!({
        "name": "the order",
        "request": {
            "method": "POST",
            "url": "/orders/7",
            "headers": {"X-Tenant": {"contains": "json"}},
            "bodyPatterns": [{"equalToJson": {"id": 7}}],
        },
    })])
    .await;
    let response = server.send(Method::Post, "/orders/8", Some(&json!({"id": 8}))).await;
    assert_eq!(response.status, 404);
    let expected = "\
Request was not matched
=======================

Closest stub: the order

                | stub                  | request
  method        | POST                  | POST
  url           | /orders/7             | /orders/8   <<<<< does not match
  header X-Tenant | {\"contains\":\"json\"}   | (missing)   <<<<< does not match
  body          | {\"id\":7}              | {\"id\":8}   <<<<< does not match
";
    let shown = text(&response);
    let without_padding = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(without_padding(&shown), without_padding(expected), "{shown}");
    let empty = Server::with(&[]).await;
    assert!(text(&empty.get("/a").await).contains("GET /a\n\nNo stub is close to it."));
}

#[tokio::test]
async fn scenarios_answer_in_order() {
    let steps = steady_mock::mapping::Mapping::sequence(
        "retries",
        &steady_mock::mapping::RequestPattern::to("GET", "/flaky"),
        [503, 429, 200].map(steady_mock::mapping::ResponseDefinition::with_status),
    );
    let server = Server::with(&[]).await;
    for step in steps {
        server.mocks.state().stubs.add(step).unwrap();
    }
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(server.get("/flaky").await.status);
    }
    assert_eq!(seen, [503, 429, 200, 200]);
    server.mocks.state().scenarios.reset();
    assert_eq!(server.get("/flaky").await.status, 503);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_requests_at_the_same_time_only_one_gets_the_first_answer() {
    let steps = steady_mock::mapping::Mapping::sequence(
        "once",
        &steady_mock::mapping::RequestPattern::to("GET", "/once"),
        [201, 409].map(steady_mock::mapping::ResponseDefinition::with_status),
    );
    let server = Server::with(&[]).await;
    for step in steps {
        server.mocks.state().stubs.add(step).unwrap();
    }
    let requests = (0..20).map(|_| {
        let mut channel = server.channel();
        tokio::spawn(
            async move { crate::client::send(&mut channel, Method::Get, "/once", None).await.status },
        )
    });
    let mut statuses = Vec::new();
    for request in requests.collect::<Vec<_>>() {
        statuses.push(request.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
}

#[tokio::test]
async fn templates_are_filled_in_with_the_request() {
    let server = Server::with(&[json!({
        "request": {"urlPathTemplate": "/pets/{id}"},
        "response": {
            "headers": {"X-Id": "{{request.path.id}}"},
            "body": "{{request.method}} {{jsonPath request.body '$.name'}} {{request.query.q}}",
            "transformers": ["response-template"],
        },
    })])
    .await;
    let response = server.send(Method::Put, "/pets/7?q=x", Some(&json!({"name": "Tom"}))).await;
    assert_eq!((text(&response).as_str(), header(&response, "x-id")), ("PUT Tom x", vec!["7"]));
}

#[tokio::test]
async fn answers_wait_as_long_as_they_should() {
    let wait = Duration::from_millis(60);
    let server = Server::with(&[
        json!({"request": {"url": "/fixed"}, "response": {"fixedDelayMilliseconds": 60, "body": "x"}}),
        json!({"request": {"url": "/drawn"}, "response": {
            "delayDistribution": {"type": "uniform", "lower": 60, "upper": 61}, "body": "x"}}),
        json!({"request": {"url": "/dribble"}, "response": {
            "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 60}, "body": "x"}}),
        json!({"request": {"url": "/dribbled"}, "response": {
            "chunkedDribbleDelay": {"numberOfChunks": 4, "totalDuration": 60}, "body": "abcdefghij"}}),
    ])
    .await;
    for (url, body) in [("/fixed", "x"), ("/drawn", "x"), ("/dribble", "x"), ("/dribbled", "abcdefghij")] {
        let started = Instant::now();
        assert_eq!(text(&server.get(url).await), body);
        assert!(started.elapsed() >= wait, "{url} took {:?}", started.elapsed());
    }
}

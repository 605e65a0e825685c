//! HTTP/1.1, HTTP/2 and TLS on one port.

use serde_json::json;
use steady_http::HttpVersion;
use steady_model::Method;

use crate::client::{Server, channel, send, text};

#[tokio::test]
async fn every_protocol_is_served_on_one_port() {
    let server = Server::with(&[json!({
        "request": {"urlPath": "/scheme"},
        "response": {"body": "{{request.scheme}}", "transformers": ["response-template"]},
    })])
    .await;
    let tls = server.url().replace("http:", "https:");
    let table = [
        (server.url(), HttpVersion::Http1, "http"),
        (server.url(), HttpVersion::Http2, "http"),
        (tls.clone(), HttpVersion::Http1, "https"),
        (tls, HttpVersion::Http2, "https"),
    ];
    for (url, version, scheme) in table {
        let mut channel = channel(&url, version);
        for _ in 0..3 {
            let response = send(&mut channel, Method::Get, "/scheme", None).await;
            assert_eq!((response.status, text(&response).as_str()), (200, scheme), "{url} {version:?}");
        }
    }
}

#[tokio::test]
async fn a_stub_can_ask_for_a_host_a_port_and_a_scheme() {
    let server = Server::with(&[
        json!({"request": {"url": "/", "host": {"equalTo": "one.test"}}, "response": {"body": "one"}}),
        json!({"request": {"url": "/", "host": {"equalTo": "two.test"}, "scheme": "https"}, "response": {"body": "two"}}),
        json!({"request": {"url": "/", "port": 7777}, "response": {"body": "port"}}),
    ])
    .await;
    let one = server.mocks.service("one.test", 0).await.unwrap();
    let two = server.mocks.service("TWO.test", 0).await.unwrap();
    let port = server.mocks.service("three.test", 7777).await.unwrap();
    let table = [
        (format!("http://{one}"), 200, "one"),
        (format!("https://{two}"), 200, "two"),
        (format!("http://{two}"), 404, ""),
        (format!("http://{port}"), 200, "port"),
    ];
    for (url, status, body) in table {
        let response = send(&mut channel(&url, HttpVersion::Auto), Method::Get, "/", None).await;
        assert_eq!(response.status, status, "{url}");
        assert!(status == 404 || text(&response) == body, "{url}: {}", text(&response));
    }
}

#[tokio::test]
async fn the_host_header_names_the_service_of_a_shared_listener() {
    let server = Server::with(&[json!({
        "request": {"url": "/", "host": {"equalTo": "one.test"}, "port": 8080},
        "response": {"body": "one"},
    })])
    .await;
    let request = steady_model::Request {
        method: Method::Get,
        target: "/".into(),
        headers: vec![("host".into(), "one.test:8080".into())],
        body: None,
    };
    assert_eq!(server.channel().send(&request).await.unwrap().0.status, 200);
    assert_eq!(server.get("/").await.status, 404);
}

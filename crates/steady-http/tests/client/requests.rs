//! What requests look like on the wire.

use std::sync::{Arc, Mutex};

use steady_http::{ClientOptions, RequestPart, TransportError};
use steady_model::{Method, Payload, Request};

use crate::service::{Service, response};
use crate::{channel, channel_with, request};

/// What a service received: heads in lower case, and bodies.
type Seen = Arc<Mutex<Vec<(String, Vec<u8>)>>>;

fn recording() -> (Service, Seen) {
    let seen = Seen::default();
    let record = Arc::clone(&seen);
    let service = Service::start(move |_, mut connection| {
        while let Some(request) = connection.read_request() {
            record.lock().unwrap().push(request);
            connection.write(&response("200 OK", &[], ""));
        }
    });
    (service, seen)
}

#[tokio::test]
async fn a_target_stands_behind_the_prefix_of_the_base_url() {
    let (service, seen) = recording();
    let mut channel = channel(&format!("{}/api/v1/", service.url()));
    channel.send(&request(Method::Get, "/orders/1%2F2?q=a%20b&q=")).await.unwrap();
    assert!(seen.lock().unwrap()[0].0.starts_with("get /api/v1/orders/1%2f2?q=a%20b&q= http/1.1\r\n"));
}

#[tokio::test]
async fn a_request_says_whom_it_is_for_and_what_it_takes() {
    let (service, seen) = recording();
    let options = ClientOptions { user_agent: "probe/1".into(), ..ClientOptions::default() };
    channel_with(&service.url(), options).send(&request(Method::Get, "/")).await.unwrap();
    let host = format!("host: {}\r\n", service.address());
    for line in [
        host.as_str(),
        "user-agent: probe/1\r\n",
        "accept: */*\r\n",
        "accept-encoding: gzip, br, deflate\r\n",
        "accept-language: en\r\n",
    ] {
        assert!(seen.lock().unwrap()[0].0.contains(line), "{line}");
    }
    assert!(!seen.lock().unwrap()[0].0.contains("content-length"));
}

#[tokio::test]
async fn headers_of_the_request_take_the_place_of_the_usual_ones() {
    let (service, seen) = recording();
    let names = ["host", "user-agent", "accept", "Accept-Encoding"];
    let headers = names.map(|name| (name.to_owned(), "mine".to_owned())).to_vec();
    channel(&service.url()).send(&Request { headers, ..request(Method::Get, "/") }).await.unwrap();
    let head = &seen.lock().unwrap()[0].0;
    for name in names {
        assert!(head.contains(&format!("{}: mine\r\n", name.to_lowercase())), "{name}");
        assert_eq!(head.matches(&format!("\r\n{}:", name.to_lowercase())).count(), 1, "{name}");
    }
}

#[tokio::test]
async fn repeated_headers_are_all_sent() {
    let (service, seen) = recording();
    let headers = vec![("x-tag".to_owned(), "one".to_owned()), ("x-tag".to_owned(), "two".to_owned())];
    channel(&service.url()).send(&Request { headers, ..request(Method::Get, "/") }).await.unwrap();
    assert!(seen.lock().unwrap()[0].0.contains("x-tag: one\r\nx-tag: two\r\n"));
}

#[tokio::test]
async fn a_body_is_sent_with_its_length_and_nothing_else_decides_it() {
    let (service, seen) = recording();
    let lies = [("content-length", "3"), ("transfer-encoding", "chunked")];
    let body = Some(Payload::Text("twelve bytes".into()));
    let headers = lies.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    channel(&service.url()).send(&Request { headers, body, ..request(Method::Post, "/") }).await.unwrap();
    let (head, body) = &seen.lock().unwrap()[0];
    assert!(head.contains("content-length: 12\r\n") && !head.contains("transfer-encoding"), "{head}");
    assert_eq!(body, b"twelve bytes");
}

#[tokio::test]
async fn a_method_that_expects_a_body_says_when_there_is_none() {
    let (service, seen) = recording();
    let mut channel = channel(&service.url());
    for method in [Method::Post, Method::Put, Method::Patch] {
        channel.send(&request(method, "/")).await.unwrap();
    }
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3);
    assert!(seen.iter().all(|(head, _)| head.contains("content-length: 0\r\n")));
}

#[tokio::test]
async fn every_method_goes_onto_the_wire() {
    let (service, seen) = recording();
    let mut channel = channel(&service.url());
    for method in Method::ALL {
        channel.send(&request(method, "/")).await.unwrap();
        let line = format!("{method} / http/1.1\r\n").to_lowercase();
        assert!(seen.lock().unwrap().last().unwrap().0.starts_with(&line), "{method}");
    }
}

#[tokio::test]
async fn what_cannot_go_onto_the_wire_is_refused_and_the_connection_stays() {
    let (service, seen) = recording();
    let mut channel = channel(&service.url());
    channel.send(&request(Method::Get, "/")).await.unwrap();
    let with_header = |name: &str, value: &str| Request {
        headers: vec![(name.to_owned(), value.to_owned())],
        ..request(Method::Get, "/")
    };
    let table = [
        (request(Method::Get, "orders"), RequestPart::Target),
        (request(Method::Get, "/a b"), RequestPart::Target),
        (request(Method::Get, "/a\r\nX-Evil: 1"), RequestPart::Target),
        (request(Method::Get, "/a#b"), RequestPart::Target),
        (with_header("", "x"), RequestPart::HeaderName),
        (with_header("two words", "x"), RequestPart::HeaderName),
        (with_header("x-evil", "a\r\nb: c"), RequestPart::HeaderValue),
        (with_header("x-zero", "a\0b"), RequestPart::HeaderValue),
    ];
    for (request, expected) in table {
        let outcome = channel.send(&request).await;
        assert!(
            matches!(&outcome, Err(TransportError::InvalidRequest { part, .. }) if *part == expected),
            "{request:?}: {outcome:?}"
        );
    }
    channel.send(&request(Method::Get, "/")).await.unwrap();
    assert_eq!((seen.lock().unwrap().len(), service.connections()), (2, 1));
}

#[tokio::test]
async fn header_values_beyond_ascii_are_sent_as_they_are() {
    let (service, seen) = recording();
    let headers = vec![("x-name".to_owned(), "café".to_owned())];
    channel(&service.url()).send(&Request { headers, ..request(Method::Get, "/") }).await.unwrap();
    assert!(seen.lock().unwrap()[0].0.contains("x-name: café\r\n"));
}

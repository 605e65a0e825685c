//! Connections that break on purpose.

use std::io::ErrorKind;

use serde_json::json;
use steady_http::HttpVersion;
use steady_model::{Method, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::client::{Server, channel};

async fn server() -> Server {
    let faults =
        ["EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE", "CONNECTION_RESET_BY_PEER"];
    let mappings =
        faults.map(|fault| json!({"request": {"url": format!("/{fault}")}, "response": {"fault": fault}}));
    let server = Server::with(&mappings).await;
    server
        .mocks
        .state()
        .stubs
        .add(serde_json::from_value(json!({"request": {"url": "/good"}})).unwrap())
        .unwrap();
    server
}

/// What the client reads until the end, and how the end came.
async fn raw(server: &Server, target: &str) -> (Vec<u8>, Option<ErrorKind>) {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(format!("GET {target} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes()).await.unwrap();
    let mut read = Vec::new();
    let end = stream.read_to_end(&mut read).await;
    (read, end.err().map(|error| error.kind()))
}

#[tokio::test]
async fn every_fault_breaks_the_connection_in_its_own_way() {
    let server = server().await;
    assert_eq!(raw(&server, "/EMPTY_RESPONSE").await, (Vec::new(), None));
    assert_eq!(
        raw(&server, "/CONNECTION_RESET_BY_PEER").await,
        (Vec::new(), Some(ErrorKind::ConnectionReset))
    );
    let (garbage, end) = raw(&server, "/RANDOM_DATA_THEN_CLOSE").await;
    assert!(end.is_none() && !garbage.is_empty() && !garbage.starts_with(b"HTTP/"), "{garbage:?}");
    let (malformed, end) = raw(&server, "/MALFORMED_RESPONSE_CHUNK").await;
    assert!(end.is_none() && malformed.starts_with(b"HTTP/1.1 200 OK\r\n"), "{malformed:?}");
}

#[tokio::test]
async fn a_client_sees_every_fault_as_an_error_over_tls_and_http_2_too() {
    let server = server().await;
    let tls = server.url().replace("http:", "https:");
    let ways =
        [(server.url(), HttpVersion::Http1), (tls.clone(), HttpVersion::Http1), (tls, HttpVersion::Http2)];
    for (url, version) in ways {
        for fault in [
            "EMPTY_RESPONSE",
            "MALFORMED_RESPONSE_CHUNK",
            "RANDOM_DATA_THEN_CLOSE",
            "CONNECTION_RESET_BY_PEER",
        ] {
            let target = format!("/{fault}");
            let request = Request { method: Method::Get, target, headers: Vec::new(), body: None };
            let outcome = channel(&url, version).send(&request).await;
            assert!(outcome.is_err(), "{fault} over {url} {version:?}: {outcome:?}");
        }
    }
    assert_eq!(server.get("/good").await.status, 200);
}

#[tokio::test]
async fn a_fault_of_one_stream_leaves_the_others_of_a_connection_alone() {
    let server = server().await;
    let mut channel = channel(&server.url(), HttpVersion::Http2);
    let request = |target: &str| Request {
        method: Method::Get,
        target: target.into(),
        headers: Vec::new(),
        body: None,
    };
    assert!(channel.send(&request("/EMPTY_RESPONSE")).await.is_err());
    assert_eq!(channel.send(&request("/good")).await.unwrap().0.status, 200);
}

#[tokio::test]
async fn what_speaks_neither_http_nor_tls_is_closed_and_noted() {
    let server = server().await;
    let service = server.mocks.service("db.test", 0).await.unwrap();
    let mut stream = TcpStream::connect(service).await.unwrap();
    stream.write_all(b"\0\0\0\x08\x04\xd2\x16\x2f").await.unwrap();
    let mut read = Vec::new();
    // Unread bytes make the close a reset on some systems.
    let _ = stream.read_to_end(&mut read).await;
    assert_eq!(read, b"");
    assert_eq!(server.mocks.state().foreign(), [("db.test".to_owned(), 0)]);
}

#[tokio::test]
async fn a_body_that_breaks_off_and_garbage_do_not_stop_the_server() {
    let server = server().await;
    for sent in ["POST /good HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc", "GET\r\n\r\n", "PR", "G"]
    {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    }
    assert_eq!(server.get("/good").await.status, 200);
}

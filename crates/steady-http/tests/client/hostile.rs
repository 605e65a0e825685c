//! Services that do what no service should.

use std::time::{Duration, Instant};

use steady_http::{ClientOptions, TransportError};
use steady_model::{Method, Payload, Request};

use crate::service::{Service, response};
use crate::{channel, channel_with, request};

fn impatient() -> ClientOptions {
    ClientOptions { timeout: Duration::from_millis(200), ..ClientOptions::default() }
}

#[tokio::test]
async fn an_endless_body_is_cut_and_its_connection_dropped() {
    let service = Service::start(|_, mut connection| {
        connection.read_request();
        connection.write(b"HTTP/1.1 200 OK\r\n\r\n");
        while connection.write(&[b'x'; 64 << 10]) {}
    });
    let mut channel =
        channel_with(&service.url(), ClientOptions { max_body: 100_000, ..ClientOptions::default() });
    for _ in 0..2 {
        let (response, _) = channel.send(&request(Method::Get, "/")).await.unwrap();
        assert_eq!((response.truncated, response.body.as_bytes().len()), (true, 100_000));
    }
    assert_eq!(service.connections(), 2);
}

#[tokio::test]
async fn a_body_that_trickles_ends_with_the_time_limit() {
    let service = Service::start(|_, mut connection| {
        connection.read_request();
        connection.write(b"HTTP/1.1 200 OK\r\n\r\n");
        while connection.write(b"x") {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    let error = channel_with(&service.url(), impatient()).send(&request(Method::Get, "/")).await.unwrap_err();
    assert!(matches!(error, TransportError::TimedOut { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("{} took longer than 200ms to answer completely", service.url()));
}

#[tokio::test]
async fn after_a_time_out_the_next_request_has_a_new_connection() {
    let service = Service::start(|number, mut connection| {
        while connection.read_request().is_some() {
            if number == 0 {
                connection.wait_for_close();
            }
            connection.write(&response("200 OK", &[], "awake"));
        }
    });
    // Long enough for the second exchange, however busy the machine is.
    let options = ClientOptions { timeout: Duration::from_secs(2), ..ClientOptions::default() };
    let mut channel = channel_with(&service.url(), options);
    let outcome = channel.send(&request(Method::Get, "/")).await;
    assert!(matches!(outcome, Err(TransportError::TimedOut { .. })), "{outcome:?}");
    assert_eq!(channel.send(&request(Method::Get, "/")).await.unwrap().0.body.as_bytes(), b"awake");
    assert_eq!(service.connections(), 2);
}

#[tokio::test]
async fn garbage_is_malformed() {
    for garbage in
        ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "\0\0\0\0", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"]
    {
        let service = Service::answering_once(garbage);
        let outcome = channel(&service.url()).send(&request(Method::Get, "/")).await;
        assert!(matches!(outcome, Err(TransportError::Malformed { .. })), "{garbage:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_broken_chunk_is_malformed() {
    let service =
        Service::answering_once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n");
    let outcome = channel(&service.url()).send(&request(Method::Get, "/")).await;
    assert!(matches!(outcome, Err(TransportError::Malformed { .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_head_without_end_is_malformed() {
    let service = Service::start(|_, mut connection| {
        connection.read_request();
        connection.write(b"HTTP/1.1 200 OK\r\nX-Long: ");
        while connection.write(&[b'x'; 16 << 10]) {}
    });
    let error = channel(&service.url()).send(&request(Method::Get, "/")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{} sent a malformed answer: its head is too large", service.url())
    );
}

#[tokio::test]
async fn headers_without_number_are_malformed() {
    let headers = "X-Header: 1\r\n".repeat(5_000);
    let service = Service::answering_once(format!("HTTP/1.1 200 OK\r\n{headers}\r\n"));
    let outcome = channel(&service.url()).send(&request(Method::Get, "/")).await;
    assert!(matches!(outcome, Err(TransportError::Malformed { .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_body_shorter_than_promised_is_incomplete() {
    let table = [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
    ];
    for answer in table {
        let service = Service::answering_once(answer);
        let outcome = channel(&service.url()).send(&request(Method::Get, "/")).await;
        assert!(matches!(outcome, Err(TransportError::Incomplete { .. })), "{outcome:?}");
    }
}

#[tokio::test]
async fn interim_answers_are_skipped() {
    let service = Service::answering(
        [
            &b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"[..],
            &response("201 Created", &[], ""),
        ]
        .concat(),
    );
    let mut channel = channel(&service.url());
    for _ in 0..2 {
        assert_eq!(channel.send(&request(Method::Post, "/")).await.unwrap().0.status, 201);
    }
    assert_eq!(service.connections(), 1);
}

#[tokio::test]
async fn interim_answers_without_end_are_cut_off_at_the_time_limit() {
    let service = Service::start(|_, mut connection| {
        connection.read_request();
        let interim = b"HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000);
        while connection.write(&interim) {}
    });
    let start = Instant::now();
    let outcome = channel_with(&service.url(), impatient()).send(&request(Method::Get, "/")).await;
    assert!(matches!(outcome, Err(TransportError::TimedOut { .. })), "{outcome:?}");
    assert!(start.elapsed() < impatient().timeout * 10, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_head_that_trickles_ends_with_the_time_limit() {
    let service = Service::start(|_, mut connection| {
        connection.read_request();
        connection.write(b"HTTP/1.1 200 OK\r\nX-Long: ");
        while connection.write(b"x") {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    let outcome = channel_with(&service.url(), impatient()).send(&request(Method::Get, "/")).await;
    assert!(matches!(outcome, Err(TransportError::TimedOut { .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_request_nobody_takes_in_ends_with_the_time_limit() {
    // More than the buffers of both sides hold, to a service that reads none of it.
    let service = Service::start(|_, connection| {
        std::thread::sleep(Duration::from_secs(2));
        drop(connection);
    });
    let body = Some(Payload::Bytes(vec![b'x'; 64 << 20].into()));
    let upload = Request { body, ..request(Method::Post, "/") };
    let outcome = channel_with(&service.url(), impatient()).send(&upload).await;
    assert!(matches!(outcome, Err(TransportError::TimedOut { .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_protocol_switch_nobody_asked_for_does_not_hang() {
    let service = Service::answering_once(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: upgrade\r\n\r\n",
    );
    let mut channel = channel(&service.url());
    for _ in 0..2 {
        let outcome = channel.send(&request(Method::Get, "/")).await;
        let answered = outcome.as_ref().is_ok_and(|(response, _)| response.status == 101);
        assert!(answered || matches!(outcome, Err(TransportError::Malformed { .. })), "{outcome:?}");
    }
}

#[tokio::test]
async fn header_values_that_are_not_utf_8_are_kept_as_far_as_they_are() {
    let mut answer =
        b"HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\nX-NAME: two\r\nContent-Length: 0\r\n\r\n".to_vec();
    let service = Service::answering(std::mem::take(&mut answer));
    let (response, _) = channel(&service.url()).send(&request(Method::Get, "/")).await.unwrap();
    let named: Vec<&str> = response
        .headers
        .iter()
        .filter(|(name, _)| name == "x-name")
        .map(|(_, value)| value.as_str())
        .collect();
    assert_eq!(named, ["caf\u{fffd}", "two"]);
}

#[tokio::test]
async fn a_redirect_is_an_answer_like_any_other() {
    let service = Service::answering(response("302 Found", &["Location: /elsewhere"], ""));
    let (response, _) = channel(&service.url()).send(&request(Method::Get, "/")).await.unwrap();
    assert_eq!((response.status, response.header("location")), (302, Some("/elsewhere")));
    assert_eq!(service.connections(), 1);
}

#[tokio::test]
async fn a_service_that_never_finishes_the_tls_handshake_is_given_up() {
    let service = Service::start(|_, mut connection| connection.wait_for_close());
    let options = ClientOptions {
        connect_timeout: Duration::from_millis(100),
        insecure: true,
        ..ClientOptions::default()
    };
    let url = service.url().replace("http:", "https:");
    let error = channel_with(&url, options).send(&request(Method::Get, "/")).await.unwrap_err();
    assert_eq!(error.to_string(), format!("{url} took longer than 100ms to accept a connection"));
}

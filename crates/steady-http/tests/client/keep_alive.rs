//! When a connection is kept, and when another one is opened.

use steady_http::TransportError;
use steady_model::{Method, Payload};

use crate::service::{Service, response};
use crate::{channel, request};

#[tokio::test]
async fn requests_of_one_channel_share_a_connection() {
    let service = Service::answering(response("200 OK", &[], "hello"));
    let mut channel = channel(&service.url());
    for _ in 0..5 {
        let (response, _) = channel.send(&request(Method::Get, "/")).await.unwrap();
        assert_eq!(response.body, Payload::Text("hello".into()));
    }
    assert_eq!(service.connections(), 1);
}

#[tokio::test]
async fn a_connection_the_service_gives_up_is_opened_again() {
    let service = Service::answering_once(response("200 OK", &["Connection: close"], "hello"));
    let mut channel = channel(&service.url());
    for _ in 0..3 {
        assert_eq!(channel.send(&request(Method::Get, "/")).await.unwrap().0.status, 200);
    }
    assert_eq!(service.connections(), 3);
}

#[tokio::test]
async fn a_request_that_meets_a_closing_connection_is_sent_once_more() {
    // The first connection answers once, takes a second request and closes without a word, as a timed-out
    // keep-alive connection does.
    let service = Service::start(|number, mut connection| {
        while connection.read_request().is_some() {
            connection.write(&response("200 OK", &[], number.to_string()));
            if number == 0 {
                connection.read_request();
                return;
            }
        }
    });
    let mut channel = channel(&service.url());
    let (first, _) = channel.send(&request(Method::Post, "/")).await.unwrap();
    let (second, _) = channel.send(&request(Method::Post, "/")).await.unwrap();
    assert_eq!((first.body.as_bytes(), second.body.as_bytes()), (&b"0"[..], &b"1"[..]));
    assert_eq!(service.connections(), 2);
}

#[tokio::test]
async fn a_new_connection_that_is_closed_before_the_answer_is_an_error_and_not_retried() {
    let service = Service::answering_once("");
    let outcome = channel(&service.url()).send(&request(Method::Get, "/")).await;
    assert!(matches!(outcome, Err(TransportError::Closed { .. })), "{outcome:?}");
    assert_eq!(service.connections(), 1);
}

#[tokio::test]
async fn channels_of_one_client_have_connections_of_their_own() {
    let service = Service::answering(response("200 OK", &[], ""));
    let client = steady_http::Client::new(service.url().parse().unwrap(), Default::default()).unwrap();
    let (mut first, mut second) = (client.channel(), client.channel());
    let request = request(Method::Get, "/");
    let (first, second) = tokio::join!(first.send(&request), second.send(&request));
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(service.connections(), 2);
}

#[tokio::test]
async fn a_refused_connection_says_where() {
    // Bound and not listening: the port is nobody else's, and refuses.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    let error = channel(&url).send(&request(Method::Get, "/")).await.unwrap_err();
    assert!(matches!(error, TransportError::Refused { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("{url} refused the connection; is the service running there?"));
}

#[tokio::test]
async fn a_host_without_address_is_named() {
    // A label of more than 63 letters has no address on any network.
    let host = format!("{}.test", "a".repeat(64));
    let error = channel(&format!("http://{host}")).send(&request(Method::Get, "/")).await.unwrap_err();
    assert!(matches!(&error, TransportError::Unresolved { host: named, .. } if *named == host), "{error:?}");
}

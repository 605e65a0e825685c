//! When a connection is kept, and when another one is opened.

use std::sync::{Mutex, mpsc};

use steady_http::{Client, ClientOptions, TransportError};
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

/// A client, and the bodies of its answers to GET requests for these targets; `before` is called before each.
async fn bodies(service: &Service, targets: &[&str], before: impl Fn(usize)) -> (Client, Vec<String>) {
    let client = Client::new(service.url().parse().unwrap(), ClientOptions::default()).unwrap();
    let mut channel = client.channel();
    let mut bodies = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        before(number);
        let (response, _) = channel.send(&request(Method::Get, target)).await.unwrap();
        bodies.push(String::from_utf8_lossy(response.body.as_bytes()).into_owned());
    }
    (client, bodies)
}

/// Answers with the number of the connection. After its answer to `target`, the first one sends `more` as well, when the
/// client has read that answer.
struct Talkative {
    service: Service,
    answer_read: mpsc::Sender<()>,
    more_sent: mpsc::Receiver<()>,
}

impl Talkative {
    fn start(target: &'static str, answer: Option<Vec<u8>>, more: Vec<u8>) -> Self {
        let (answer_read, read) = mpsc::channel();
        let (sent, more_sent) = mpsc::channel();
        let turn = Mutex::new((read, sent));
        let service = Service::start(move |number, mut connection| {
            while let Some((head, _)) = connection.read_request() {
                let usual = response("200 OK", &[], number.to_string());
                if number > 0 || !head.contains(target) {
                    connection.write(&usual);
                    continue;
                }
                connection.write(answer.as_ref().unwrap_or(&usual));
                let turn = turn.lock().unwrap();
                turn.0.recv().unwrap();
                connection.write(&more);
                turn.1.send(()).unwrap();
            }
        });
        Self { service, answer_read, more_sent }
    }

    /// Lets it send more, and waits until it has.
    fn go_on(&self) {
        self.answer_read.send(()).unwrap();
        self.more_sent.recv().unwrap();
    }
}

#[tokio::test]
async fn a_response_nobody_asked_for_is_not_the_answer_to_the_next_request() {
    let talkative = Talkative::start("/first", None, response("500 Oops", &[], "late"));
    let before = |number| {
        if number == 1 {
            talkative.go_on();
        }
    };
    let targets = ["/first?q=1", "/second", "/third"];
    let (client, bodies) = bodies(&talkative.service, &targets, before).await;
    assert_eq!(bodies, ["0", "1", "2"], "and no connection is used twice any more");
    assert_eq!(client.unrequested(), Some("GET /first"));
}

#[tokio::test]
async fn a_response_that_was_taken_for_an_answer_is_found_out_by_the_next_request() {
    let (late, answer) = (response("500 Oops", &[], "late"), response("200 OK", &[], "0"));
    let talkative = Talkative::start("/second", Some(late), answer);
    let before = |number| {
        if number == 2 {
            talkative.go_on();
        }
    };
    let targets = ["/first", "/second", "/third", "/fourth"];
    let (client, bodies) = bodies(&talkative.service, &targets, before).await;
    assert_eq!(bodies, ["0", "late", "1", "2"]);
    assert_eq!(client.unrequested(), Some("GET /second"));
}

#[tokio::test]
async fn a_farewell_on_an_idle_connection_is_no_answer_and_no_reason_for_distrust() {
    let farewell = response("408 Request Timeout", &["Connection: close"], "");
    let talkative = Talkative::start("/first", None, farewell);
    let before = |number| {
        if number == 1 {
            talkative.go_on();
        }
    };
    let (client, bodies) = bodies(&talkative.service, &["/first", "/second", "/third"], before).await;
    assert_eq!(bodies, ["0", "1", "1"]);
    assert_eq!(client.unrequested(), None);
}

#[tokio::test]
async fn two_responses_in_one_packet_are_one_answer() {
    let twice = [response("200 OK", &[], "right"), response("500 Oops", &[], "wrong")].concat();
    let service = Service::answering(twice);
    let (_, bodies) = bodies(&service, &["/first", "/second", "/third"], |_| {}).await;
    assert_eq!(bodies, ["right", "right", "right"]);
}

#[tokio::test]
async fn channels_of_one_client_have_connections_of_their_own() {
    let service = Service::answering(response("200 OK", &[], ""));
    let client = Client::new(service.url().parse().unwrap(), Default::default()).unwrap();
    let (mut first, mut second) = (client.channel(), client.channel());
    let request = request(Method::Get, "/");
    let (first, second) = tokio::join!(first.send(&request), second.send(&request));
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(service.connections(), 2);
}

#[tokio::test]
async fn a_refused_connection_says_where() {
    // Bound but not listening: no other program gets the port, and connections are refused.
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

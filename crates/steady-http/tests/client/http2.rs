//! HTTP/2 in clear text, with prior knowledge.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use steady_http::{ClientOptions, HttpVersion, TransportError};
use steady_model::{Method, Payload, Request};
use tokio::net::TcpListener;

use crate::service::{Service, response};
use crate::{channel_with, request};

/// Answers with the version of HTTP, and with the authority and body where there are any.
pub async fn answer_with_version(
    request: http::Request<Incoming>,
) -> Result<http::Response<Full<Bytes>>, Infallible> {
    let version = format!("{:?}", request.version());
    let sent =
        request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    Ok(http::Response::new(Full::from([version.as_bytes(), &sent].concat())))
}

/// Serves HTTP/2 on the test's runtime and counts the connections.
async fn serve() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counter.fetch_add(1, Ordering::SeqCst);
            let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            tokio::spawn(builder.serve_connection(TokioIo::new(stream), service_fn(answer_with_version)));
        }
    });
    (url, connections)
}

fn http2() -> ClientOptions {
    ClientOptions { version: HttpVersion::Http2, ..ClientOptions::default() }
}

#[tokio::test]
async fn requests_of_one_channel_share_a_connection() {
    let (url, connections) = serve().await;
    let mut channel = channel_with(&url, http2());
    for _ in 0..3 {
        let body = Some(Payload::Text(" yes".into()));
        let (response, _) = channel.send(&Request { body, ..request(Method::Post, "/") }).await.unwrap();
        assert_eq!(response.body, Payload::Text("HTTP/2.0 yes".into()));
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn headers_that_only_http_1_knows_are_left_out() {
    let (url, _) = serve().await;
    let headers = [("connection", "close"), ("keep-alive", "3"), ("te", "gzip"), ("upgrade", "h2c")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let sent = channel_with(&url, http2()).send(&Request { headers, ..request(Method::Get, "/") }).await;
    assert_eq!(sent.unwrap().0.status, 200);
}

#[tokio::test]
async fn a_cut_body_does_not_disturb_the_next_exchange() {
    let (url, connections) = serve().await;
    let mut channel = channel_with(&url, ClientOptions { max_body: 4, ..http2() });
    for _ in 0..2 {
        let (response, _) = channel.send(&request(Method::Get, "/")).await.unwrap();
        assert_eq!((response.truncated, response.body), (true, Payload::Text("HTTP".into())));
    }
    assert_eq!(connections.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_service_that_only_speaks_http_1_is_an_error() {
    let service = Service::start(|_, mut connection| {
        connection.write(&response("400 Bad Request", &[], ""));
        connection.wait_for_close();
    });
    let outcome = channel_with(&service.url(), http2()).send(&request(Method::Get, "/")).await;
    assert!(
        matches!(outcome, Err(TransportError::Malformed { .. } | TransportError::Closed { .. })),
        "{outcome:?}"
    );
}

//! The recording proxy, in front of another server.

use serde_json::json;
use steady_http::{Client, ClientOptions, HttpVersion};
use steady_mock::Recorder;
use steady_mock::import::mappings_of;
use steady_model::Method;

use crate::client::{Server, channel, send, text};

#[tokio::test]
async fn what_passes_through_answers_the_same_from_stubs() {
    let service = Server::with(&[
        json!({"request": {"method": "POST", "url": "/pets"}, "response": {"status": 201, "headers": {"X-A": ["1", "2"]}, "body": "made"}}),
        json!({"request": {"url": "/bytes"}, "response": {"base64Body": "AP8="}}),
    ])
    .await;
    let client = Client::new(service.url().parse().unwrap(), ClientOptions::default()).unwrap();
    let recorder = Recorder::start("127.0.0.1:0".parse().unwrap(), client).await.unwrap();
    let mut through = channel(&format!("http://{}", recorder.address()), HttpVersion::Auto);
    let body = json!({"name": "Tom"});
    let made = send(&mut through, Method::Post, "/pets", Some(&body)).await;
    assert_eq!((made.status, text(&made).as_str()), (201, "made"));
    send(&mut through, Method::Get, "/bytes", None).await;

    let mut mappings = mappings_of(&recorder.exchanges());
    for mapping in &mut mappings {
        // Another server has another port.
        (mapping.request.host, mapping.request.port) = (None, None);
    }
    let replay = Server::with(&[]).await;
    for mapping in mappings {
        replay.mocks.state().stubs.add(mapping).unwrap();
    }
    let again = replay.send(Method::Post, "/pets", Some(&body)).await;
    assert_eq!((again.status, text(&again).as_str()), (201, "made"));
    assert_eq!(crate::client::header(&again, "x-a"), ["1", "2"]);
    assert_eq!(replay.get("/bytes").await.body.as_bytes(), [0, 0xff]);
    assert_eq!(replay.send(Method::Post, "/pets", Some(&json!({"name": "Ann"}))).await.status, 404);
}

#[tokio::test]
async fn a_service_that_is_not_there_is_a_502() {
    let client = Client::new("http://127.0.0.1:1".parse().unwrap(), ClientOptions::default()).unwrap();
    let recorder = Recorder::start("127.0.0.1:0".parse().unwrap(), client).await.unwrap();
    let mut through = channel(&format!("http://{}", recorder.address()), HttpVersion::Auto);
    let response = send(&mut through, Method::Get, "/", None).await;
    assert_eq!(response.status, 502);
    assert!(recorder.exchanges().is_empty());
}

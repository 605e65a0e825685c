//! Exchanges that wait for nothing but an acknowledgement.

use std::time::Duration;

use steady_model::Method;

use crate::service::Service;
use crate::{channel, request};

/// One answer, as services write it: in one piece, or in several.
const WHOLE: &[&str] = &["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"];
const IN_PIECES: [&[&str]; 3] = [
    &["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "hello"],
    &["HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n\r\n", "hello"],
    &["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n", "0\r\n\r\n"],
];

/// The middle one of the times that exchanges take when the answer is written in these pieces.
async fn usual_time(pieces: &'static [&'static str]) -> Duration {
    let service = Service::start(move |_, mut connection| {
        connection.hold_packets_back();
        while connection.read_request().is_some() {
            pieces.iter().for_each(|piece| assert!(connection.write(piece.as_bytes())));
        }
    });
    let mut channel = channel(&service.url());
    let mut times = Vec::new();
    for _ in 0..31 {
        let (response, elapsed) = channel.send(&request(Method::Get, "/")).await.unwrap();
        assert_eq!(response.body.as_bytes(), b"hello");
        times.push(elapsed);
    }
    times.sort();
    times[times.len() / 2]
}

#[tokio::test]
async fn an_answer_in_pieces_takes_about_as_long_as_in_one() {
    let whole = usual_time(WHOLE).await;
    for pieces in IN_PIECES {
        let parts = usual_time(pieces).await;
        // A stall takes 40 ms, some two hundred times as long as an exchange.
        assert!(parts < whole * 30, "{parts:?} in {} pieces, {whole:?} in one", pieces.len());
    }
}

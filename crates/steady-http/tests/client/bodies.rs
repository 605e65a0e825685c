//! The bodies of answers.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use steady_http::{ClientOptions, TransportError};
use steady_model::{Method, Payload, Response};

use crate::service::{Service, response};
use crate::{channel, channel_with, request};

const TEXT: &str = "the same sentence again and again, the same sentence again and again";

async fn answer(bytes: Vec<u8>, max_body: usize) -> Result<Response, TransportError> {
    let service = Service::answering(bytes);
    let options = ClientOptions { max_body, ..ClientOptions::default() };
    let sent = channel_with(&service.url(), options).send(&request(Method::Get, "/")).await;
    sent.map(|(response, _)| response)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::new();
    let mut encoder = brotli::CompressorWriter::new(&mut encoded, 4096, 5, 20);
    encoder.write_all(bytes).unwrap();
    drop(encoder);
    encoded
}

#[tokio::test]
async fn every_coding_is_undone() {
    let table = [
        ("gzip", gzip(TEXT.as_bytes())),
        ("X-GZip", gzip(TEXT.as_bytes())),
        ("br", brotli(TEXT.as_bytes())),
        ("deflate", zlib(TEXT.as_bytes())),
        ("deflate", deflate(TEXT.as_bytes())),
        ("identity", TEXT.as_bytes().to_vec()),
        ("gzip, br", brotli(&gzip(TEXT.as_bytes()))),
    ];
    for (coding, encoded) in table {
        let header = format!("Content-Encoding: {coding}");
        let response = answer(response("200 OK", &[&header], encoded), 1024).await.unwrap();
        assert_eq!(response.body, Payload::Text(TEXT.into()), "{coding}");
        assert!(!response.truncated, "{coding}");
    }
}

#[tokio::test]
async fn an_unknown_coding_leaves_the_bytes_alone() {
    let response = answer(response("200 OK", &["Content-Encoding: zstd"], [0xfd, 0x2f]), 1024).await.unwrap();
    assert_eq!(response.body, Payload::Bytes(vec![0xfd, 0x2f].into()));
}

#[tokio::test]
async fn a_body_that_is_not_in_its_coding_is_malformed() {
    for coding in ["gzip", "br", "deflate"] {
        let header = format!("Content-Encoding: {coding}");
        let outcome = answer(response("200 OK", &[&header], "plain words"), 1024).await;
        assert!(matches!(outcome, Err(TransportError::Malformed { .. })), "{coding}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_compression_bomb_is_cut_at_the_limit() {
    let zeros = vec![b'0'; 4 << 20];
    for (coding, bomb) in [("gzip", gzip(&zeros)), ("br", brotli(&zeros)), ("deflate", zlib(&zeros))] {
        assert!(bomb.len() < 10_000, "{coding} packs the bomb small enough to pass the limit on the wire");
        let header = format!("Content-Encoding: {coding}");
        let response = answer(response("200 OK", &[&header], bomb), 10_000).await.unwrap();
        assert!(response.truncated, "{coding}");
        assert_eq!(response.body.as_bytes().len(), 10_000, "{coding}");
    }
}

#[tokio::test]
async fn codings_piled_up_without_end_are_refused() {
    let header = format!("Content-Encoding: gzip{}", ", gzip".repeat(100));
    let outcome = answer(response("200 OK", &[&header], gzip(b"x")), 1024).await;
    assert!(matches!(outcome, Err(TransportError::Malformed { .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_compressed_body_cut_on_the_wire_keeps_what_could_be_decoded() {
    let noise: String = (0..20_000_u32).map(|n| char::from(b'a' + (n * n % 251 % 26) as u8)).collect();
    let encoded = gzip(noise.as_bytes());
    let limit = encoded.len() - 10;
    let response = answer(response("200 OK", &["Content-Encoding: gzip"], encoded), limit).await.unwrap();
    assert!(response.truncated);
    assert!(!response.body.is_empty() && noise.as_bytes().starts_with(response.body.as_bytes()));
}

#[tokio::test]
async fn a_body_as_long_as_the_limit_is_whole_and_one_byte_more_is_cut() {
    let whole = answer(response("200 OK", &[], [b'x'; 100]), 100).await.unwrap();
    assert!(!whole.truncated);
    let cut = answer(response("200 OK", &[], [b'x'; 101]), 100).await.unwrap();
    assert!(cut.truncated);
    assert_eq!(whole.body, cut.body);
}

#[tokio::test]
async fn a_chunked_body_is_put_together() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n";
    assert_eq!(answer(chunked.into(), 1024).await.unwrap().body, Payload::Text("abcdefg".into()));
}

#[tokio::test]
async fn a_body_without_length_ends_with_the_connection() {
    let service = Service::answering_once("HTTP/1.0 200 OK\r\n\r\nall of it");
    let (response, _) = channel(&service.url()).send(&request(Method::Get, "/")).await.unwrap();
    assert_eq!(response.body, Payload::Text("all of it".into()));
}

#[tokio::test]
async fn bytes_that_are_not_text_survive() {
    let response = answer(response("200 OK", &[], [0xff, 0x00, 0xfe]), 1024).await.unwrap();
    assert_eq!(response.body, Payload::Bytes(vec![0xff, 0x00, 0xfe].into()));
}

#[tokio::test]
async fn answers_that_have_no_body_leave_the_connection_usable() {
    let service = Service::start(|_, mut connection| {
        while let Some((head, _)) = connection.read_request() {
            let answer: &[u8] = match head.split(' ').nth(1) {
                Some("/head") => b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n",
                Some("/unmodified") => b"HTTP/1.1 304 Not Modified\r\nContent-Length: 12\r\n\r\n",
                _ => b"HTTP/1.1 204 No Content\r\n\r\n",
            };
            connection.write(answer);
        }
    });
    let mut channel = channel(&service.url());
    let table =
        [(Method::Head, "/head", 200), (Method::Get, "/unmodified", 304), (Method::Get, "/none", 204)];
    for (method, target, status) in table {
        let (response, _) = channel.send(&request(method, target)).await.unwrap();
        assert_eq!((response.status, response.body.is_empty()), (status, true), "{target}");
    }
    assert_eq!(service.connections(), 1);
}

#[tokio::test]
async fn a_forbidden_body_after_204_is_not_taken_for_the_next_answer() {
    let service = Service::answering(response("204 No Content", &[], "HTTP/1.1 200 OK\r\n\r\n"));
    let mut channel = channel(&service.url());
    for _ in 0..2 {
        assert_eq!(channel.send(&request(Method::Delete, "/")).await.unwrap().0.status, 204);
    }
}

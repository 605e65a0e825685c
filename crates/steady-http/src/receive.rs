//! Turns what comes off the wire into a response.

use bytes::Bytes;
use http::HeaderMap;
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};
use steady_model::{Payload, Response};

use crate::decode::{Decoded, decode};

/// An answer, read to its end or to the limit, not decoded yet.
pub(crate) struct Received {
    /// Status and headers.
    pub(crate) head: http::response::Parts,
    body: Vec<u8>,
    truncated: bool,
}

/// Reads the body, at most `limit` bytes of it.
pub(crate) async fn receive(answer: http::Response<Incoming>, limit: usize) -> hyper::Result<Received> {
    let (head, mut incoming) = answer.into_parts();
    let mut received = Received { head, body: Vec::new(), truncated: false };
    while !received.truncated && !incoming.is_end_stream() {
        let Some(frame) = incoming.frame().await else { break };
        // Trailers are not part of an exchange.
        if let Ok(data) = frame?.into_data() {
            received.take(data, limit);
        }
    }
    Ok(received)
}

impl Received {
    fn take(&mut self, mut data: Bytes, limit: usize) {
        let room = limit - self.body.len();
        if data.len() > room {
            data.truncate(room);
            self.truncated = true;
        }
        if self.body.is_empty() {
            self.body = Vec::from(data);
        } else {
            self.body.extend_from_slice(&data);
        }
    }

    /// Whether the connection can take another request: nothing of this answer is left on it.
    pub(crate) fn is_complete(&self) -> bool {
        let status = self.head.status;
        // A body that the status forbids is not read, and would be taken for the next answer.
        let forbidden = status == http::StatusCode::NO_CONTENT && announces_body(&self.head.headers);
        !self.truncated && !forbidden && status != http::StatusCode::SWITCHING_PROTOCOLS
    }

    /// The response, decoded; the error says what is wrong with the coding.
    pub(crate) fn into_response(self, limit: usize) -> Result<Response, String> {
        let Self { head, body, truncated } = self;
        let Decoded { body, truncated } = match head.headers.get(http::header::CONTENT_ENCODING) {
            Some(_) if !body.is_empty() => decode(&head.headers, body, truncated, limit)?,
            _ => Decoded { body, truncated },
        };
        Ok(Response {
            status: head.status.as_u16(),
            headers: readable(&head.headers),
            body: Payload::from_bytes(body),
            truncated,
        })
    }
}

fn announces_body(headers: &HeaderMap) -> bool {
    let length = headers.get(http::header::CONTENT_LENGTH);
    length.is_some_and(|length| length != "0") || headers.contains_key(http::header::TRANSFER_ENCODING)
}

fn readable(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        })
        .collect()
}

//! One request and its answer, as they stood on the wire.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Method;
use crate::json_text;

/// A body: text where the bytes are UTF-8, base64 where they are not, so nothing is lost in JSON. Clones share it: the same
/// response is held by the search, by the test written from it and by its observations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// The body as text.
    Text(Arc<str>),
    /// The body's bytes.
    #[serde(with = "base64_bytes")]
    Bytes(Arc<[u8]>),
}

impl Payload {
    /// Takes bytes, as text when they are UTF-8.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text.into()),
            Err(error) => Self::Bytes(error.into_bytes().into()),
        }
    }

    /// The bytes that go over the wire.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }
}

impl Default for Payload {
    fn default() -> Self {
        Self::Text(Arc::default())
    }
}

mod base64_bytes {
    use base64::Engine as _;

    use super::{Arc, STANDARD};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
        let bytes = STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)?;
        Ok(bytes.into())
    }
}

/// A request, ready to be sent: every variable is bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Path and query, percent-encoded, relative to the base URL; begins with `/`.
    pub target: String,
    /// Header names (lower case) and values, in order.
    pub headers: Vec<(String, String)>,
    /// The body, if one is sent.
    pub body: Option<Payload>,
}

impl Request {
    /// The first value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        find_header(&self.headers, name)
    }
}

/// A response, its body decoded from any content coding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Header names (lower case) and values, in the order received.
    pub headers: Vec<(String, String)>,
    /// The body, at most as long as the client's limit.
    pub body: Payload,
    /// Whether the body was longer than the limit and was cut there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl Response {
    /// The first value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        find_header(&self.headers, name)
    }

    /// The content type without its parameters, in lower case.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        (!essence.is_empty()).then_some(essence)
    }

    /// The body read the way assertions see it; emitted tests follow the same rule.
    pub fn document(&self) -> Document {
        match &self.body {
            body if body.is_empty() => Document::Empty,
            Payload::Bytes(bytes) => Document::Bytes(bytes.clone()),
            Payload::Text(text) => {
                let is_json = self.media_type().is_some_and(|media_type| is_json(&media_type));
                match is_json.then(|| serde_json::from_str(text)) {
                    Some(Ok(value)) => Document::Json(value),
                    Some(Err(_)) if json_text::is_json(text) => Document::OpaqueJson(text.clone()),
                    _ => Document::Text(text.clone()),
                }
            }
        }
    }
}

/// A response body, read by its content type.
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    /// No body.
    Empty,
    /// The content type says JSON and the body is JSON.
    Json(Value),
    /// The content type says JSON and the body is JSON that no value holds: nested more than 128 levels, or with a number
    /// beyond a double's range. Readers of other languages have other limits: nothing is asserted of what is in it.
    OpaqueJson(Arc<str>),
    /// Any other text, JSON that does not parse included.
    Text(Arc<str>),
    /// Not UTF-8.
    Bytes(Arc<[u8]>),
}

impl Document {
    /// The value an assertion on `body:<pointer>` looks at; text stands for itself at the root.
    pub fn at(&self, pointer: &str) -> Option<Value> {
        match self {
            Self::Json(value) => value.pointer(pointer).cloned(),
            Self::Text(text) | Self::OpaqueJson(text) if pointer.is_empty() => Some(Value::from(&**text)),
            Self::Bytes(bytes) if pointer.is_empty() => Some(Value::String(STANDARD.encode(bytes))),
            Self::Text(_) | Self::OpaqueJson(_) | Self::Bytes(_) | Self::Empty => None,
        }
    }
}

/// A request, its response and how long the answer took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What was sent.
    pub request: Request,
    /// What came back.
    pub response: Response,
    /// From the first byte sent to the last byte received.
    pub elapsed: Duration,
}

fn find_header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// `application/json` and every `+json` suffix (RFC 6839).
fn is_json(media_type: &str) -> bool {
    media_type == "application/json" || media_type.ends_with("+json") || media_type == "text/json"
}

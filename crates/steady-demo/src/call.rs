//! A request, as the resources see it.

use bytes::Bytes;
use hyper::http::request::Parts;
use hyper::{Method, header};
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::answer::Refusal;

/// One request to the shop.
pub(crate) struct ShopRequest {
    head: Parts,
    body: Bytes,
}

impl ShopRequest {
    pub(crate) fn new(head: Parts, body: Bytes) -> Self {
        Self { head, body }
    }

    /// The method; a HEAD is a GET whose body the server leaves out.
    pub(crate) fn method(&self) -> &Method {
        if self.head.method == Method::HEAD { &Method::GET } else { &self.head.method }
    }

    /// The path.
    pub(crate) fn path(&self) -> &str {
        self.head.uri.path()
    }

    /// A header that is text.
    pub(crate) fn header(&self, name: header::HeaderName) -> Option<&str> {
        self.head.headers.get(name)?.to_str().ok()
    }

    /// The first value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let query = self.head.uri.query()?;
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// The body, which has to be a JSON object.
    pub(crate) fn object(&self) -> Result<Map<String, Value>, Refusal> {
        let media_type = self.header(header::CONTENT_TYPE).unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            return Err(Refusal::unsupported_media_type());
        }
        match serde_json::from_slice(&self.body) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) => Err(Refusal::invalid_field("", "must be an object")),
            Err(_) => Err(Refusal::bad_request("the body is not JSON")),
        }
    }
}

/// A number in a path.
pub(crate) fn number(name: &str, segment: &str) -> Result<u64, Refusal> {
    match segment.parse() {
        Ok(number) if number >= 1 => Ok(number),
        _ => Err(Refusal::bad_request(format!("{name} must be a positive integer"))),
    }
}

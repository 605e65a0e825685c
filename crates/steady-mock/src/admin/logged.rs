//! A received request as WireMock's clients write and read it.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Refusal;
use crate::mapping::HeaderValues;
use crate::matching::{Received, Scheme};
use crate::state::Entry;

/// A request of the journal.
pub(super) fn of_entry(entry: &Entry) -> Option<Value> {
    let mut written = of_received(&entry.received()?);
    written["loggedDate"] = entry.at.as_millisecond().into();
    written["loggedDateString"] = entry.at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string().into();
    Some(written)
}

/// A request, without when it came.
pub(super) fn of_received(received: &Received) -> Value {
    let mut headers: IndexMap<String, Vec<&str>> = IndexMap::new();
    for (name, value) in &received.headers {
        headers.entry(titled(name.as_str())).or_default().push(value.to_str().unwrap_or_default());
    }
    let headers: Map<String, Value> = headers
        .into_iter()
        .map(|(name, values)| {
            (name, if let [one] = values.as_slice() { (*one).into() } else { values.into() })
        })
        .collect();
    let cookies: Map<String, Value> =
        received.cookies().iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let mut query: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for (name, value) in received.query() {
        query.entry(name).or_default().push(value);
    }
    let query: Map<String, Value> = query
        .into_iter()
        .map(|(name, values)| (name.to_owned(), json!({"key": name, "values": values})))
        .collect();
    json!({
        "url": received.url(),
        "absoluteUrl": received.absolute_url(),
        "method": received.method.as_str(),
        "clientIp": "127.0.0.1",
        "headers": headers,
        "cookies": cookies,
        "browserProxyRequest": false,
        "bodyAsBase64": STANDARD.encode(&received.body),
        "body": received.body_text(),
        "scheme": received.scheme.as_str(),
        "host": received.host,
        "port": received.port,
        "queryParams": query,
        "formParams": {},
    })
}

/// `content-type` as people write it.
fn titled(name: &str) -> String {
    let title = |word: &str| {
        let mut characters = word.chars();
        characters
            .next()
            .map(|first| first.to_ascii_uppercase().to_string() + characters.as_str())
            .unwrap_or_default()
    };
    name.split('-').map(title).collect::<Vec<_>>().join("-")
}

/// A request that a client describes, to be compared with stubs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoggedRequest {
    url: String,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    headers: IndexMap<String, HeaderValues>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    body_as_base64: Option<String>,
    #[serde(default)]
    host: Option<String>,
    #[serde(default)]
    port: Option<u16>,
    #[serde(default)]
    scheme: Option<String>,
}

impl LoggedRequest {
    pub(super) fn into_received(self) -> Result<Received, Refusal> {
        let invalid = |what: &str| Refusal::Invalid {
            title: format!("`{what}` cannot be part of a request"),
            detail: String::new(),
        };
        let method = self.method.as_deref().unwrap_or("GET");
        let method = Method::from_bytes(method.as_bytes()).map_err(|_| invalid(method))?;
        let target = self.url.parse().map_err(|_| invalid(&self.url))?;
        let mut headers = HeaderMap::new();
        for (name, values) in &self.headers {
            let key = HeaderName::try_from(name.as_str()).map_err(|_| invalid(name))?;
            for value in &values.0 {
                headers.append(key.clone(), HeaderValue::from_str(value).map_err(|_| invalid(value))?);
            }
        }
        let encoded = self.body_as_base64.and_then(|text| STANDARD.decode(text).ok());
        let body = encoded.or_else(|| self.body.map(String::into_bytes)).unwrap_or_default();
        let scheme = if self.scheme.as_deref() == Some("https") { Scheme::Https } else { Scheme::Http };
        let host: Arc<str> = self.host.as_deref().unwrap_or("localhost").into();
        let port = self.port.unwrap_or_else(|| scheme.default_port());
        Ok(Received::new(method, (scheme, host, port), target, headers, Bytes::from(body)))
    }
}

//! A request as the server received it.

use std::cell::OnceCell;
use std::sync::Arc;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, Method, header};
use serde_json::Value;

/// `http` or `https`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the schemes")]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    /// The scheme as addresses write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port that addresses leave out.
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// A request. What matching needs of query, cookies and body is parsed once, when it is first asked for.
#[derive(Debug, Clone)]
pub struct Received {
    /// The method.
    pub method: Method,
    /// Whether it came over TLS.
    pub scheme: Scheme,
    /// The host of the service it was meant for.
    pub host: Arc<str>,
    /// The port of the service.
    pub port: u16,
    /// Path and query.
    pub target: PathAndQuery,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    query: OnceCell<Vec<(String, String)>>,
    form: OnceCell<Vec<(String, String)>>,
    cookies: OnceCell<Vec<(String, String)>>,
    pub(super) json: OnceCell<Option<Value>>,
}

impl Received {
    /// A request whose parts are known.
    pub fn new(
        method: Method,
        (scheme, host, port): (Scheme, Arc<str>, u16),
        target: PathAndQuery,
        headers: HeaderMap,
        body: Bytes,
    ) -> Self {
        Self {
            method,
            scheme,
            host,
            port,
            target,
            headers,
            body,
            query: OnceCell::new(),
            form: OnceCell::new(),
            cookies: OnceCell::new(),
            json: OnceCell::new(),
        }
    }

    /// The path, as it was sent.
    pub fn path(&self) -> &str {
        self.target.path()
    }

    /// Path and query, as they were sent.
    pub fn url(&self) -> &str {
        self.target.as_str()
    }

    /// The parameters of the query, decoded.
    pub fn query(&self) -> &[(String, String)] {
        self.query.get_or_init(|| decoded_pairs(self.target.query().unwrap_or_default().as_bytes()))
    }

    /// The fields of the form in the body, decoded; none when the body is no form.
    pub fn form(&self) -> &[(String, String)] {
        self.form.get_or_init(|| {
            let kind = self.header(header::CONTENT_TYPE.as_str()).unwrap_or_default();
            let is_form = kind.starts_with("application/x-www-form-urlencoded");
            if is_form { decoded_pairs(&self.body) } else { Vec::new() }
        })
    }

    /// The cookies.
    pub fn cookies(&self) -> &[(String, String)] {
        self.cookies.get_or_init(|| {
            let lines =
                self.headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
            let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
            pairs.map(|(name, value)| (name.trim().to_owned(), unquoted(value.trim()).to_owned())).collect()
        })
    }

    /// The first value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body as text; bytes that are no text become the replacement character.
    pub fn body_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// The body as JSON, if it is.
    pub fn json(&self) -> Option<&Value> {
        self.json.get_or_init(|| serde_json::from_slice(&self.body).ok()).as_ref()
    }

    /// The whole address.
    pub fn absolute_url(&self) -> String {
        let port =
            if self.port == self.scheme.default_port() { String::new() } else { format!(":{}", self.port) };
        format!("{}://{}{port}{}", self.scheme.as_str(), self.host, self.url())
    }
}

fn decoded_pairs(text: &[u8]) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text).into_owned().collect()
}

fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}

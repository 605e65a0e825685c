//! What a route is asked and what it answers.

use std::collections::BTreeMap;

use serde_json::Value;

/// A request to a route.
#[derive(Debug, Default)]
pub(crate) struct RouteRequest {
    /// Parameters of path and query by name.
    pub parameters: BTreeMap<String, String>,
    /// The body; null when it is missing or cannot be read.
    pub body: Value,
}

impl RouteRequest {
    /// A parameter as an integer.
    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        self.parameters.get(name)?.parse().ok()
    }

    /// A text of the body that is not empty.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        self.body[field].as_str().filter(|text| !text.is_empty())
    }
}

/// What a route answers.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status.
    pub status: u16,
    /// Headers other than the content type.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Body,
}

/// A body.
#[derive(Debug)]
pub(crate) enum Body {
    /// None.
    None,
    /// JSON.
    Json(Value),
    /// Plain text.
    Text(String),
}

impl Answer {
    /// 200 with JSON.
    pub(crate) fn ok(body: Value) -> Self {
        Self::json(200, body)
    }

    /// JSON.
    pub(crate) fn json(status: u16, body: Value) -> Self {
        Self { status, headers: Vec::new(), body: Body::Json(body) }
    }

    /// 200 with plain text.
    pub(crate) fn text(text: String) -> Self {
        Self { status: 200, headers: Vec::new(), body: Body::Text(text) }
    }

    /// 204.
    pub(crate) fn empty() -> Self {
        Self { status: 204, headers: Vec::new(), body: Body::None }
    }

    /// With a header.
    pub(crate) fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

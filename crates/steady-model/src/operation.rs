//! Which operation of an API is meant: a method and a path template.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An HTTP method that OpenAPI documents can describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the names are the methods")]
pub enum Method {
    Get,
    Put,
    Post,
    Delete,
    Options,
    Head,
    Patch,
    Trace,
}

impl Method {
    /// Every method, in the order OpenAPI lists them.
    pub const ALL: [Self; 8] =
        [Self::Get, Self::Put, Self::Post, Self::Delete, Self::Options, Self::Head, Self::Patch, Self::Trace];

    /// The method as it stands on the request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
        }
    }

    /// Whether RFC 9110 section 9.2.1 promises that the method changes nothing.
    pub fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options | Self::Trace)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Method {
    type Err = ParseOperationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|method| method.as_str().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseOperationError(text.to_owned()))
    }
}

/// A method and a path template, written `GET /orders/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct OperationId {
    /// The method.
    pub method: Method,
    /// The path template as the document writes it, without the server's base path.
    pub path: String,
}

impl OperationId {
    /// Names the operation `method` on `path`.
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into() }
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// The text does not name an operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an operation; expected a method and a path, like `GET /orders/{{id}}`")]
pub struct ParseOperationError(String);

impl FromStr for OperationId {
    type Err = ParseOperationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (method, path) = text.split_once(' ').ok_or_else(|| ParseOperationError(text.to_owned()))?;
        Ok(Self::new(method.parse()?, path))
    }
}

impl TryFrom<String> for OperationId {
    type Error = ParseOperationError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<OperationId> for String {
    fn from(id: OperationId) -> Self {
        id.to_string()
    }
}

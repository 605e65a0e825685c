//! Faults of an API.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::OperationId;

/// A fault of the API, reported once however often it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault {
    /// What kind of fault.
    pub code: FaultCode,
    /// The operation at fault.
    pub operation: OperationId,
    /// Other operations that show the same: the cause is one, and it is not theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<OperationId>,
    /// The status it answered with.
    pub status: u16,
    /// What is wrong, in a line.
    pub summary: String,
    /// What tells it from other faults of the same kind and operation; the same in every run.
    pub key: String,
    /// One line that shows it again; secrets are environment lookups.
    pub curl: String,
    /// How often it was seen.
    pub seen: u64,
    /// The tests that show it; empty when it did not show again on re-check.
    pub tests: Vec<String>,
}

/// Fault codes: Web Fuzzing Commons' where it has one, its tool range (900 and up) otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FaultCode {
    /// The API answered 5xx.
    #[serde(rename = "F100")]
    ServerError,
    /// The response is not one the document describes.
    #[serde(rename = "F101")]
    SchemaMismatch,
    /// Input the document forbids was accepted.
    #[serde(rename = "F102")]
    InvalidInputAccepted,
    /// An operation that demands authentication answered 2xx without any, or with a made-up credential.
    #[serde(rename = "F207")]
    IgnoredAuthentication,
    /// A stack trace reached the client.
    #[serde(rename = "F209")]
    StackTraceLeaked,
    /// A method the document does not describe was answered with 2xx.
    #[serde(rename = "F210")]
    HiddenMethod,
    /// What was deleted is still there.
    #[serde(rename = "F900")]
    DeleteDoesNotDelete,
    /// The same PUT twice gave two results.
    #[serde(rename = "F905")]
    PutNotIdempotent,
    /// 405 without the `Allow` header that RFC 9110 section 15.5.6 demands.
    #[serde(rename = "F950")]
    MissingAllow,
    /// 401 without the `WWW-Authenticate` header that RFC 9110 section 15.5.2 demands.
    #[serde(rename = "F951")]
    MissingWwwAuthenticate,
    /// 204, 205 or 304 with content (RFC 9110 sections 15.3.5, 15.3.6, 15.4.5).
    #[serde(rename = "F952")]
    NoContentWithBody,
    /// The connection broke or the answer was not HTTP.
    #[serde(rename = "F953")]
    BrokenResponse,
    /// A method the document does not describe was refused with something else than 405 (RFC 9110 section 15.5.6).
    #[serde(rename = "F954")]
    MethodNotRefused,
    /// Input the document allows was refused, by what it states or leaves open.
    #[serde(rename = "F955")]
    ValidInputRejected,
    /// The `Allow` header leaves out a method the document describes (RFC 9110 section 10.2.1).
    #[serde(rename = "F956")]
    IncompleteAllow,
}

impl FaultCode {
    /// The code's short title.
    pub fn title(self) -> &'static str {
        match self {
            Self::ServerError => "server error",
            Self::SchemaMismatch => "response outside the schema",
            Self::InvalidInputAccepted => "invalid input accepted",
            Self::IgnoredAuthentication => "authentication not enforced",
            Self::StackTraceLeaked => "stack trace leaked",
            Self::HiddenMethod => "undocumented method accepted",
            Self::DeleteDoesNotDelete => "DELETE does not delete",
            Self::PutNotIdempotent => "PUT is not idempotent",
            Self::MissingAllow => "405 without Allow",
            Self::MissingWwwAuthenticate => "401 without WWW-Authenticate",
            Self::NoContentWithBody => "no-content status with a body",
            Self::BrokenResponse => "broken response",
            Self::MethodNotRefused => "undocumented method not refused with 405",
            Self::ValidInputRejected => "valid input rejected",
            Self::IncompleteAllow => "Allow leaves out a documented method",
        }
    }

    /// The code itself, as in `findings.json`.
    pub fn code(self) -> &'static str {
        match self {
            Self::ServerError => "F100",
            Self::SchemaMismatch => "F101",
            Self::InvalidInputAccepted => "F102",
            Self::IgnoredAuthentication => "F207",
            Self::StackTraceLeaked => "F209",
            Self::HiddenMethod => "F210",
            Self::DeleteDoesNotDelete => "F900",
            Self::PutNotIdempotent => "F905",
            Self::MissingAllow => "F950",
            Self::MissingWwwAuthenticate => "F951",
            Self::NoContentWithBody => "F952",
            Self::BrokenResponse => "F953",
            Self::MethodNotRefused => "F954",
            Self::ValidInputRejected => "F955",
            Self::IncompleteAllow => "F956",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

//! The vocabulary every part of steady shares.
//!
//! An [`Exchange`] is one request and its answer. A [`Suite`] is a list of tests, each a short sequence of
//! calls with assertions. [`Findings`] say what is wrong with an API, [`Event`]s what a run is doing, and [`rerun`] holds
//! what is said about tests that are run again and again. The types are data: engines produce them, outputs consume
//! them, and none of them knows how.
//!
//! ```
//! use steady_model::{Matcher, Place};
//!
//! let place: Place = "body:/items/0/id".parse()?;
//! assert_eq!(place.to_string(), "body:/items/0/id");
//! assert_eq!(serde_json::to_string(&Matcher::Size(3))?, r#"{"size":3}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod base;
mod emitter;
mod encoding;
mod event;
mod exchange;
mod findings;
mod headers;
mod json_text;
mod matcher;
mod object;
mod operation;
pub mod percent;
mod place;
pub mod rerun;
mod secret;
mod secrets;
pub mod shard;
mod substitute;
mod suite;
mod summary;
mod text;
mod wildcard;
mod words;

pub use base::{Base, BasePart};
pub use emitter::{Emitter, UnknownEmitter};
pub use encoding::Encoding;
pub use event::{Envelope, Event, Phase};
pub use exchange::{Document, Exchange, Payload, Request, Response};
pub use findings::{External, Fault, FaultCode, Findings, Flaky, Handling, ParseStepError, Step};
pub use headers::{SET_HEADERS, TRACING_HEADERS, TRANSPORT_HEADERS, is_asserted};
pub use matcher::{Assertion, JsonType, Jwt, Matcher, MatcherName, Pattern, Range, Relation, TimeFormat};
pub use operation::{Method, OperationId, ParseOperationError};
pub use place::{ParsePlaceError, Place};
pub use secret::Secret;
pub use secrets::{Found, MASK, Origin, Secrets, is_credential_header, mask_address, mask_by_place};
pub use substitute::{Boundary, Replacement, Substitution};
pub use suite::{
    ApiInfo, Body, Call, Capture, Fresh, Group, Identity, Login, LoginUse, Part, RequestTemplate, SignUp,
    Suite, Take, TestCase,
};
pub use summary::{AssertionCounts, Detection, OperationCounts, Summary};
pub use text::{Segment, Text};
pub use wildcard::fits_wildcards;
pub use words::words;

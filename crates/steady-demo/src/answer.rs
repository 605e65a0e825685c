//! Responses, and refusals in the form of RFC 9457 problems.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;

use crate::volatile::Volatile;

/// What the shop answers with.
pub(crate) type Answer = Response<Full<Bytes>>;

/// A JSON response.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Answer {
    typed(status, "application/json", serde_json::to_vec(value).unwrap_or_default())
}

/// A response of this content type.
pub(crate) fn typed(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}

/// A response without a body.
pub(crate) fn empty(status: StatusCode) -> Answer {
    let mut answer = Answer::default();
    *answer.status_mut() = status;
    answer
}

/// The same response with one more header; an invalid value is left out.
pub(crate) fn with_header(mut answer: Answer, name: HeaderName, value: &str) -> Answer {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
    answer
}

/// Why a request is not done.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    detail: String,
    errors: Vec<FieldError>,
    header: Option<(HeaderName, String)>,
}

/// What is wrong with one property of the body.
#[derive(Debug, Serialize)]
pub(crate) struct FieldError {
    field: String,
    message: String,
}

impl FieldError {
    pub(crate) fn new(field: &str, message: impl Into<String>) -> Self {
        Self { field: field.to_owned(), message: message.into() }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Problem<'a> {
    title: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [FieldError],
    request_id: String,
    timestamp: String,
}

impl Refusal {
    fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), errors: Vec::new(), header: None }
    }

    /// 400: path, query or body cannot be read.
    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 401, with the challenge RFC 9110 asks for.
    pub(crate) fn unauthorized(detail: impl Into<String>) -> Self {
        let header = Some((header::WWW_AUTHENTICATE, "Bearer realm=\"shop\"".to_owned()));
        Self { header, ..Self::new(StatusCode::UNAUTHORIZED, detail) }
    }

    /// 404.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("{what} does not exist"))
    }

    /// 405, with the methods that are allowed.
    pub(crate) fn method_not_allowed(allowed: &str) -> Self {
        let header = Some((header::ALLOW, allowed.to_owned()));
        Self { header, ..Self::new(StatusCode::METHOD_NOT_ALLOWED, format!("allowed here: {allowed}")) }
    }

    /// 409.
    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// 415.
    pub(crate) fn unsupported_media_type() -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json")
    }

    /// 422: the body can be read but does not say what it should.
    pub(crate) fn invalid(errors: Vec<FieldError>) -> Self {
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "the body is not valid") }
    }

    /// 422 because of one property.
    pub(crate) fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError::new(field, message)])
    }

    /// The refusal as a response.
    pub(crate) fn into_answer(self, volatile: &mut Volatile) -> Answer {
        let problem = Problem {
            title: self.status.canonical_reason().unwrap_or_default(),
            status: self.status.as_u16(),
            detail: &self.detail,
            errors: &self.errors,
            request_id: volatile.uuid(),
            timestamp: volatile.now(),
        };
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        let answer = typed(self.status, "application/problem+json", body);
        match self.header {
            Some((name, value)) => with_header(answer, name, &value),
            None => answer,
        }
    }
}

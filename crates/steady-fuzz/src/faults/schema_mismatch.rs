//! F101: the response is not one the document describes.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use steady_model::{Document, FaultCode, Method, Response};
use steady_openapi::ResponseSpec;

use super::normalize::normalize;
use super::{CallContext, DetectedFault};
use crate::request::{BodyKind, body_kind};

/// Differences reported per response.
const MAX_ISSUES: usize = 3;

/// Status, content type, headers and body, in that order; an undescribed status has nothing further to compare.
pub fn check(context: &CallContext<'_>) -> Vec<DetectedFault> {
    let operation = &context.endpoint().operation;
    let Some(response) = context.response() else { return Vec::new() };
    if operation.responses.is_empty() || response.truncated {
        return Vec::new();
    }
    let Some(spec) = operation.response(response.status) else {
        return status(response).into_iter().collect();
    };
    let mut detected_faults = headers(context, response, spec);
    let bodiless = operation.id.method == Method::Head || matches!(response.status, 204 | 304);
    if !bodiless && !spec.content.is_empty() {
        match media(response, spec) {
            Ok(Some(media)) => detected_faults.extend(body(context, response, spec, media)),
            Ok(None) => {}
            Err(detected_fault) => detected_faults.push(detected_fault),
        }
    }
    detected_faults
}

fn detected_fault(distinction: &str, summary: String) -> DetectedFault {
    DetectedFault::new(FaultCode::SchemaMismatch, distinction, summary)
}

/// Server errors are F100's business, and rate limits are no fault.
fn status(response: &Response) -> Option<DetectedFault> {
    let status = response.status;
    if status >= 500 || status == 429 {
        return None;
    }
    Some(detected_fault(&format!("status {status}"), format!("status {status} is not in the document")))
}

fn headers(context: &CallContext<'_>, response: &Response, spec: &ResponseSpec) -> Vec<DetectedFault> {
    let mut detected_faults = Vec::new();
    let Some(index) = described(context, spec) else { return detected_faults };
    for (header_index, header) in spec.headers.iter().enumerate() {
        let name = &header.name;
        let status = response.status;
        match response.header(name) {
            None if header.required => {
                detected_faults.push(detected_fault(
                    &format!("{status} no {name}"),
                    format!("the required header `{name}` is missing"),
                ));
            }
            Some(text) => {
                let Some(check) =
                    context.model.catalog.header_check(context.planned().endpoint, index, header_index)
                else {
                    continue;
                };
                let readings =
                    [serde_json::from_str(text).unwrap_or(Value::Null), Value::String(text.to_owned())];
                if !readings.iter().any(|reading| check.is_valid(reading)) {
                    let shown: String = text.chars().take(60).collect();
                    detected_faults.push(detected_fault(
                        &format!("{status} bad {name}"),
                        format!("header `{name}: {shown}` is outside its schema"),
                    ));
                }
            }
            None => {}
        }
    }
    detected_faults
}

/// The index of a response description.
fn described(context: &CallContext<'_>, spec: &ResponseSpec) -> Option<usize> {
    context.endpoint().operation.responses.iter().position(|known| known.status == spec.status)
}

/// Which described media type the body has; `None` for an empty body that may be empty.
fn media(response: &Response, spec: &ResponseSpec) -> Result<Option<usize>, DetectedFault> {
    let status = response.status;
    if response.body.is_empty() {
        // An empty body is not JSON, but a valid text or file.
        let only_json = spec.content.iter().all(|media| body_kind(&media.name) == BodyKind::Json);
        let missing =
            || detected_fault(&format!("{status} empty"), "an empty body where JSON is described".to_owned());
        return if only_json { Err(missing()) } else { Ok(None) };
    }
    let Some(actual) = response.media_type() else {
        return Err(detected_fault(
            &format!("{status} no content type"),
            "a body without a content type".to_owned(),
        ));
    };
    let fits = |declared: &str| {
        let declared = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let (kind, subtype) = declared.split_once('/').unwrap_or((&declared, "*"));
        let (actual_kind, actual_subtype) = actual.split_once('/').unwrap_or((&actual, ""));
        (kind == "*" || kind == actual_kind) && (subtype == "*" || subtype == actual_subtype)
    };
    match spec.content.iter().position(|media| fits(&media.name)) {
        Some(media) => Ok(Some(media)),
        None => Err(detected_fault(
            &format!("{status} {actual}"),
            format!("content type {actual} is not in the document"),
        )),
    }
}

fn body(
    context: &CallContext<'_>,
    response: &Response,
    spec: &ResponseSpec,
    media: usize,
) -> Vec<DetectedFault> {
    let status = response.status;
    let Some(index) = described(context, spec) else {
        return Vec::new();
    };
    if body_kind(&spec.content[media].name) != BodyKind::Json {
        return Vec::new();
    }
    let value = match context.document() {
        Document::Json(value) => value,
        Document::Text(_) | Document::Bytes(_)
            if response.media_type().is_some_and(|name| name.contains("json")) =>
        {
            return vec![detected_fault(
                &format!("{status} not JSON"),
                "the content type says JSON, the body is not JSON".to_owned(),
            )];
        }
        _ => return Vec::new(),
    };
    let Some(check) = context.model.catalog.response_check(context.planned().endpoint, index, media) else {
        return Vec::new();
    };
    if check.is_valid(value) {
        return Vec::new();
    }
    let issues = check.errors(value);
    issues
        .iter()
        .take(MAX_ISSUES)
        .map(|issue| {
            let place =
                if issue.pointer.is_empty() { "the body".to_owned() } else { format!("`{}`", issue.pointer) };
            let distinction =
                format!("{status} {} {}", items_alike(&issue.pointer), normalize(&issue.message));
            let message: String = issue.message.chars().take(160).collect();
            detected_fault(&distinction, format!("{place} is outside the schema: {message}"))
        })
        .collect()
}

/// A pointer with its array indices blotted out: the third item's fault is the first one's.
fn items_alike(pointer: &str) -> String {
    #[expect(clippy::expect_used, reason = "the expression is a constant")]
    static INDEX: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"/\d+").expect("a valid expression"));
    INDEX.replace_all(pointer, "/*").into_owned()
}

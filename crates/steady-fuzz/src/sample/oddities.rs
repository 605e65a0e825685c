//! Requests that careless code trips over: malformed bodies, unexpected values.

use serde_json::Value;
use steady_openapi::Location;

use super::Sampler;
use super::arguments::is_reserved;
use crate::endpoint_id::EndpointId;
use crate::plan::Intent;
use crate::request::{Arguments, BodyArgument, BodyKind, RawBody, body_kind};
use crate::values::{Alteration, Change, Flavour, alter, odd_bodies, odd_parameters, odd_queries};

/// A body that is none.
struct MalformedBody {
    what: &'static str,
    content_type: &'static str,
    /// What is sent; `None` for a content type without a body.
    bytes: Option<&'static [u8]>,
}

const MALFORMED_BODIES: [MalformedBody; 9] = [
    MalformedBody { what: "empty", content_type: "application/json", bytes: Some(b"") },
    MalformedBody { what: "null", content_type: "application/json", bytes: Some(b"null") },
    MalformedBody { what: "not JSON", content_type: "application/json", bytes: Some(b"{\"steady\": ") },
    MalformedBody { what: "not UTF-8", content_type: "application/json", bytes: Some(b"\xff\xfe\x00{") },
    MalformedBody { what: "a bare number", content_type: "application/json", bytes: Some(b"0") },
    MalformedBody { what: "multipart without a boundary", content_type: "multipart/form-data", bytes: None },
    MalformedBody { what: "plain text", content_type: "text/plain", bytes: Some(b"steady") },
    MalformedBody { what: "XML", content_type: "application/xml", bytes: Some(b"<steady/>") },
    MalformedBody { what: "a content type alone", content_type: "application/json", bytes: None },
];

impl Sampler<'_> {
    /// Puts a malformed body in the body's place, the least tried first.
    pub(super) fn make_malformed(
        &mut self,
        endpoint: EndpointId,
        arguments: &mut Arguments,
    ) -> Option<Intent> {
        let operation = &self.model.catalog[endpoint].operation;
        // A body on a safe method has no meaning (RFC 9110 section 9.3.1), and many clients cannot send one.
        let bodiless = operation.id.method.is_safe();
        let tried = self.tries(endpoint, None);
        let mut order: Vec<(u32, u64, &MalformedBody)> = Vec::new();
        for malformed in MALFORMED_BODIES.iter().filter(|malformed| !bodiless || malformed.bytes.is_none()) {
            let alteration = Alteration { pointer: String::new(), what: malformed.what };
            order.push((tried(&alteration), self.random.bits(), malformed));
        }
        let (.., malformed) = order.into_iter().min_by_key(|(tried, draw, _)| (*tried, *draw))?;
        let violation = Alteration { pointer: String::new(), what: malformed.what };
        let forbidden = arguments.body.as_ref().is_some_and(|body| self.forbids(endpoint, body, malformed));
        match malformed.bytes {
            Some(bytes) => {
                let body =
                    arguments.body.get_or_insert(BodyArgument { media: 0, value: Value::Null, raw: None });
                body.raw = Some(RawBody { content_type: malformed.content_type, bytes });
            }
            None => {
                arguments.body = None;
                arguments.headers.push(("content-type".to_owned(), malformed.content_type.to_owned()));
            }
        }
        Some(if forbidden {
            Intent::Invalid { parameter: None, violation }
        } else {
            Intent::Odd { parameter: None, oddity: violation }
        })
    }

    /// Whether the document forbids this in place of a body.
    fn forbids(&self, endpoint: EndpointId, body: &BodyArgument, malformed: &MalformedBody) -> bool {
        let Some(spec) = &self.model.catalog[endpoint].operation.body else { return false };
        let json = spec.content.get(body.media).is_some_and(|media| body_kind(&media.name) == BodyKind::Json);
        let check = self.model.catalog.body_check(endpoint, body.media);
        json && match malformed.what {
            "not JSON" | "not UTF-8" => true,
            "empty" => spec.required,
            "null" => !check.is_none_or(|check| check.is_valid(&Value::Null)),
            // Taking more content types than the document lists is generous, not wrong.
            _ => false,
        }
    }

    /// Puts something odd into one place of otherwise good arguments, the least tried first.
    pub(super) fn make_odd(&mut self, endpoint: EndpointId, arguments: &mut Arguments) -> Option<Intent> {
        let model = self.model;
        let target = &model.catalog[endpoint];
        let mut places: Vec<(Option<usize>, Vec<Change>)> = Vec::new();
        for (index, spec) in target.operation.parameters.iter().enumerate() {
            if spec.location == Location::Path || is_reserved(spec) {
                continue;
            }
            let shape = &target.parameters[index];
            let mut changes = odd_parameters(&spec.name, shape, &model.catalog.shapes);
            if spec.content_type.is_some() {
                // A parameter written as JSON has places of its own.
                let drawn = self.generator(Flavour::Full).value(shape, &spec.name);
                changes.extend(odd_queries(&drawn));
                arguments.parameters[index] = Some(drawn);
            }
            places.push((Some(index), changes));
        }
        let content = target.operation.body.as_ref().map(|body| &body.content);
        if let (Some(body), Some(content)) = (&arguments.body, content)
            && content.get(body.media).is_some_and(|media| body_kind(&media.name) == BodyKind::Json)
        {
            places.push((None, odd_bodies(&body.value)));
        }
        let mut order = Vec::new();
        for (parameter, changes) in places {
            let tried = self.tries(endpoint, parameter);
            let least = changes.iter().map(|change| tried(change.alteration())).min().unwrap_or(u32::MAX);
            order.push((least, self.random.bits(), parameter, changes));
        }
        let (_, _, parameter, changes) = order.into_iter().min_by_key(|(least, draw, ..)| (*least, *draw))?;
        let value = match (parameter, &mut arguments.body) {
            (Some(index), _) => arguments.parameters[index].get_or_insert(Value::Null),
            (None, Some(body)) => &mut body.value,
            (None, None) => return None,
        };
        let tried = self.tries(endpoint, parameter);
        let (odd, oddity) = alter(value, changes, &tried, &|_| true, self.random)?;
        *value = odd;
        Some(Intent::Odd { parameter, oddity })
    }
}

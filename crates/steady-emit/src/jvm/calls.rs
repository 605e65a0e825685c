//! Calls and places, which Java and Kotlin write alike but for their literals.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use steady_model::{Part, Payload, Place};

use super::expression::{literal, template, value};
use super::syntax::Syntax;
use crate::layout::Code;
use crate::plan::{Content, Identity, Request, Setting, Template};

/// A call on the client, after `prefix`.
pub(super) fn call<S: Syntax>(prefix: &str, request: &Request<'_>) -> Code {
    let mut items = vec![Code::text(template::<S>(&request.target, Setting::Target))];
    for (name, text) in &request.headers {
        let (name, text) = (literal::<S>(name), template::<S>(text, Setting::Text));
        items.push(Code::text(format!("header({name}, {text})")));
    }
    items.extend(request.content.as_ref().map(content::<S>));
    let method = request.method.as_str().to_ascii_lowercase();
    Code::list(format!("{prefix}.{method}("), items, format!("){}", S::END))
}

/// The client of the call's identity.
pub(super) fn api<S: Syntax>(request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("api.actingAs({})", literal::<S>(name)),
        None => "api".to_owned(),
    }
}

fn content<S: Syntax>(content: &Content<'_>) -> Code {
    let body = |body: String, content_type: &str| {
        Code::list("body(", vec![Code::text(body), Code::text(literal::<S>(content_type))], ")")
    };
    match content {
        Content::Json(json) => Code::list("json(", vec![value::<S>(json)], ")"),
        Content::Form(fields) => {
            let field = |(name, text): &(&str, Template<'_>)| {
                Code::text(format!("{}, {}", literal::<S>(name), template::<S>(text, Setting::Text)))
            };
            Code::list("form(", fields.iter().map(field).collect(), ")")
        }
        Content::Multipart(parts) => Code::list("multipart(", parts.iter().map(part::<S>).collect(), ")"),
        Content::Text { content_type, text } => body(template::<S>(text, Setting::Text), content_type),
        Content::Bytes { content_type, payload } => body(self::payload::<S>(payload), content_type),
    }
}

fn part<S: Syntax>(part: &Part) -> Code {
    let mut text = format!("part({}, {})", literal::<S>(&part.name), payload::<S>(&part.content));
    let optional = [("filename", &part.filename), ("contentType", &part.content_type)];
    for (name, value) in optional {
        if let Some(value) = value {
            text.push_str(&format!(".{name}({})", literal::<S>(value)));
        }
    }
    Code::text(text)
}

fn payload<S: Syntax>(payload: &Payload) -> String {
    match payload {
        Payload::Text(text) => literal::<S>(text),
        Payload::Bytes(content) => format!("bytes({})", literal::<S>(&STANDARD.encode(content))),
    }
}

/// What the response holds at a place.
pub(super) fn found<S: Syntax>(place: &Place) -> String {
    match place {
        Place::Status => "response.status()".to_owned(),
        Place::Header(name) => format!("response.header({})", literal::<S>(name)),
        Place::Body(pointer) => format!("response.at({})", literal::<S>(pointer)),
    }
}

/// What someone's calls carry.
pub(super) fn credentials<S: Syntax>(who: &Identity<'_>) -> String {
    let mut chain = S::CREDENTIALS.to_owned();
    for (method, carried) in [("header", &who.headers), ("query", &who.query)] {
        for (name, text) in carried {
            let (name, text) = (literal::<S>(name), template::<S>(text, Setting::Text));
            chain.push_str(&format!(".{method}({name}, {text})"));
        }
    }
    if who.cookies { chain + ".cookies(response)" } else { chain }
}

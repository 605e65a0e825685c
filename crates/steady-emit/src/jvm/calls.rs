//! Calls and places, which Java and Kotlin write alike but for their literals.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use steady_model::{Part, Payload, Place};

use crate::layout::Code;
use crate::plan::{Content, Credential, Identity, Json, Request, Template};

/// What the two languages write differently.
pub(super) trait Syntax {
    /// A string expression.
    fn literal(&self, text: &str) -> String;

    /// A string expression; `encoded` when it is put into a URL.
    fn template(&self, template: &Template<'_>, encoded: bool) -> String;

    /// A JSON value.
    fn value(&self, json: &Json<'_>) -> Code;

    /// What a statement ends with.
    fn end(&self) -> &'static str;
}

/// A call on the client, after `prefix`.
pub(super) fn call(syntax: &dyn Syntax, prefix: &str, request: &Request<'_>) -> Code {
    let mut items = vec![Code::text(syntax.template(&request.target, true))];
    for (name, text) in &request.headers {
        let (name, text) = (syntax.literal(name), syntax.template(text, false));
        items.push(Code::text(format!("header({name}, {text})")));
    }
    items.extend(request.content.as_ref().map(|body| content(syntax, body)));
    let method = request.method.as_str().to_ascii_lowercase();
    Code::list(format!("{prefix}.{method}("), items, format!("){}", syntax.end()))
}

/// The client, as whoever makes the call.
pub(super) fn api(syntax: &dyn Syntax, request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("api.actingAs({})", syntax.literal(name)),
        None => "api".to_owned(),
    }
}

fn content(syntax: &dyn Syntax, content: &Content<'_>) -> Code {
    let body = |body: String, content_type: &str| {
        Code::list("body(", vec![Code::text(body), Code::text(syntax.literal(content_type))], ")")
    };
    match content {
        Content::Json(json) => Code::list("json(", vec![syntax.value(json)], ")"),
        Content::Form(fields) => {
            let field = |(name, text): &(&str, Template<'_>)| {
                Code::text(format!("{}, {}", syntax.literal(name), syntax.template(text, false)))
            };
            Code::list("form(", fields.iter().map(field).collect(), ")")
        }
        Content::Multipart(parts) => {
            Code::list("multipart(", parts.iter().map(|part| self::part(syntax, part)).collect(), ")")
        }
        Content::Text { content_type, text } => body(syntax.template(text, false), content_type),
        Content::Bytes { content_type, payload } => body(self::payload(syntax, payload), content_type),
    }
}

fn part(syntax: &dyn Syntax, part: &Part) -> Code {
    let mut text = format!("part({}, {})", syntax.literal(&part.name), payload(syntax, &part.content));
    let optional = [("filename", &part.filename), ("contentType", &part.content_type)];
    for (name, value) in optional {
        if let Some(value) = value {
            text.push_str(&format!(".{name}({})", syntax.literal(value)));
        }
    }
    Code::text(text)
}

fn payload(syntax: &dyn Syntax, payload: &Payload) -> String {
    match payload {
        Payload::Text(text) => syntax.literal(text),
        Payload::Bytes(content) => format!("bytes({})", syntax.literal(&STANDARD.encode(content))),
    }
}

/// What the response holds at a place.
pub(super) fn found(syntax: &dyn Syntax, place: &Place) -> String {
    match place {
        Place::Status => "response.status()".to_owned(),
        Place::Header(name) => format!("response.header({})", syntax.literal(name)),
        Place::Body(pointer) => format!("response.at({})", syntax.literal(pointer)),
    }
}

/// What someone's calls carry, chained to `start`.
pub(super) fn credentials(syntax: &dyn Syntax, start: &str, who: &Identity<'_>) -> String {
    let mut chain = start.to_owned();
    for credential in &who.credentials {
        chain.push_str(&match credential {
            Credential::Header(name, text) => {
                format!(".header({}, {})", syntax.literal(name), syntax.template(text, false))
            }
            Credential::Query(name, text) => {
                format!(".query({}, {})", syntax.literal(name), syntax.template(text, false))
            }
            Credential::Cookies => ".cookies(response)".to_owned(),
        });
    }
    chain
}

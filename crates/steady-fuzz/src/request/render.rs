//! Writes a call's arguments as a request, variables standing where values will come from.

use serde_json::Value;
use steady_model::{Body, Payload, RequestTemplate, Segment, Text};
use steady_openapi::Location;

use super::arguments::{Arguments, Slot};
use super::{body, parameter};
use crate::catalog::{Endpoint, PathPiece};

/// The request; `variable` names the variable in a slot, where one stands there.
pub fn render<'a>(
    endpoint: &Endpoint,
    base_path: &str,
    arguments: &Arguments,
    variable: &dyn Fn(&Slot) -> Option<&'a str>,
) -> RequestTemplate {
    let mut headers: Vec<(String, Text)> = Vec::new();
    let mut target = path(endpoint, base_path, arguments, variable);
    let mut cookies = Text::default();
    let mut separator = "?";
    for (index, (spec, value)) in endpoint.operation.parameters.iter().zip(&arguments.parameters).enumerate()
    {
        let Some(value) = value else { continue };
        let bound = variable(&Slot::Parameter(index));
        match spec.location {
            Location::Path => {}
            Location::Query => {
                if let Some(name) = bound {
                    literal(&mut target, format!("{separator}{}=", parameter::encoded_name(&spec.name)));
                    target.push(Segment::Variable { var: name.to_owned() });
                    separator = "&";
                    continue;
                }
                for (name, text) in parameter::query(spec, value) {
                    literal(&mut target, format!("{separator}{name}={text}"));
                    separator = "&";
                }
            }
            Location::Header => {
                let text = bound.map_or_else(|| parameter::header(spec, value).into(), Text::variable);
                headers.push((spec.name.to_ascii_lowercase(), text));
            }
            Location::Cookie => {
                let lead = if cookies.segments().is_empty() { "" } else { "; " };
                literal(&mut cookies, format!("{lead}{}={}", spec.name, parameter::header(spec, value)));
            }
        }
    }
    if !cookies.segments().is_empty() {
        headers.push(("cookie".to_owned(), cookies));
    }
    headers.extend(arguments.headers.iter().map(|(name, value)| (name.clone(), value.as_str().into())));
    let body = arguments.body.as_ref().and_then(|chosen| {
        if let Some(raw) = &chosen.raw {
            let payload = Payload::from_bytes(raw.bytes.to_vec());
            return Some(Body::Bytes { content_type: raw.content_type.to_owned(), payload });
        }
        let media = endpoint.operation.body.as_ref()?.content.get(chosen.media)?;
        let (body, content_type) =
            body::write(media, &chosen.value, &|pointer| variable(&Slot::Body(pointer.to_owned())));
        if let Some(content_type) = content_type {
            headers.push(("content-type".to_owned(), content_type.into()));
        }
        Some(body)
    });
    RequestTemplate { method: endpoint.operation.id.method, target, headers, body }
}

fn path<'a>(
    endpoint: &Endpoint,
    base_path: &str,
    arguments: &Arguments,
    variable: &dyn Fn(&Slot) -> Option<&'a str>,
) -> Text {
    let mut target = Text::from(base_path);
    for piece in &endpoint.path {
        match piece {
            PathPiece::Literal(text) => literal(&mut target, text.clone()),
            PathPiece::Parameter(index) => {
                if let Some(name) = variable(&Slot::Parameter(*index)) {
                    target.push(Segment::Variable { var: name.to_owned() });
                    continue;
                }
                let value = arguments.parameters.get(*index).and_then(Option::as_ref).unwrap_or(&Value::Null);
                let text = parameter::path(&endpoint.operation.parameters[*index], value);
                literal(&mut target, segment(&text));
            }
        }
    }
    target
}

/// Empty and dot segments would change which path is meant (RFC 3986 section 5.2.4).
fn segment(text: &str) -> String {
    match text {
        "" | "." | ".." => "-".to_owned(),
        text => text.to_owned(),
    }
}

fn literal(text: &mut Text, more: String) {
    text.push(Segment::Literal(more));
}

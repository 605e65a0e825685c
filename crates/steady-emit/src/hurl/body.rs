//! Request bodies of Hurl files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use steady_model::{Part, percent};

use super::quote::{Naming, StringContext, escaped, template};
use crate::plan::{Content, Json, Piece, Setting, Template};

const BOUNDARY: &str = "steady-part-boundary";

/// What a body adds to an entry.
pub(super) struct Body {
    /// The content type, where Hurl does not set it by itself.
    pub(super) content_type: Option<String>,
    /// The section or the body, with its line ends.
    pub(super) text: String,
}

pub(super) fn body(content: &Content<'_>, prefix: &str) -> Body {
    let naming = Naming { prefix, setting: Setting::Text };
    match content {
        Content::Json(json) => self::json(json, naming),
        Content::Form(fields) => form(fields, naming),
        Content::Multipart(parts) => multipart(parts),
        Content::Text { content_type, text } => {
            backtick(&template(text, StringContext::Backtick, naming), content_type)
        }
        Content::Bytes { content_type, payload } => {
            Body { content_type: Some((*content_type).to_owned()), text: raw(payload.as_bytes()) }
        }
    }
}

fn backtick(inside: &str, content_type: &str) -> Body {
    Body { content_type: Some(content_type.to_owned()), text: format!("`{inside}`\n") }
}

/// Bytes as they are: text where they are text.
fn raw(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("`{}`\n", escaped(text, StringContext::Backtick)),
        Err(_) => format!("base64,{};\n", STANDARD.encode(bytes)),
    }
}

/// JSON as Hurl's own JSON body where that sends the same bytes: it accepts only objects, and keeps escaped names as they are.
fn json(json: &Json<'_>, naming: Naming<'_>) -> Body {
    let text = compact(json, naming);
    let (literal, filled) = json.sample();
    let is_native = matches!(json, Json::Object(_)) && (!filled.is_empty() || !text.contains('\\'));
    match filled.as_slice() {
        _ if is_native => Body { content_type: None, text: format!("{text}\n") },
        [] => backtick(&escaped(&literal.to_string(), StringContext::Backtick), "application/json"),
        _ => backtick(&text, "application/json"),
    }
}

/// JSON without spaces, with Hurl's templates in it.
fn compact(json: &Json<'_>, naming: Naming<'_>) -> String {
    match json {
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| compact(item, naming)).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(fields) => {
            let field =
                |(name, value): &(&str, Json<'_>)| format!("{}:{}", string(name), compact(value, naming));
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(","))
        }
        Json::Variable(variable, sample) => {
            let name = super::quote::variable(&Piece::Variable(variable.clone()), naming);
            match sample {
                Value::String(_) => format!("\"{{{{{name}}}}}\""),
                // Hurl puts no arrays or objects into a body; the recorded value is the nearest.
                Value::Array(_) | Value::Object(_) => sample.to_string().replace("{{", "\\u007b{"),
                _ => format!("{{{{{name}}}}}"),
            }
        }
        Json::String(text) => string(text),
        Json::Text(text) => {
            let inside = |piece: &Piece<'_>| match piece {
                Piece::Literal(text) => {
                    let quoted = string(text);
                    quoted[1..quoted.len() - 1].to_owned()
                }
                piece => format!("{{{{{}}}}}", super::quote::variable(piece, naming)),
            };
            format!("\"{}\"", text.pieces().iter().map(inside).collect::<String>())
        }
        Json::Number(number) => number.to_string(),
        Json::Boolean(value) => value.to_string(),
        Json::Null => "null".to_owned(),
    }
}

/// A JSON string in which no template begins.
fn string(text: &str) -> String {
    Value::from(text).to_string().replace("{{", "\\u007b{")
}

/// A form as Hurl's own section where it encodes as others do: it leaves names as they are, and some characters.
fn form(fields: &[(&str, Template<'_>)], naming: Naming<'_>) -> Body {
    let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
    let encodes_alike = fields.iter().all(|(name, value)| {
        !name.is_empty()
            && is_plain(name)
            && value.pieces().iter().all(|piece| !matches!(piece, Piece::Literal(text) if !is_plain(text)))
    });
    if encodes_alike {
        let lines: String = fields
            .iter()
            .map(|(name, value)| {
                format!(
                    "{}: {}\n",
                    escaped(name, StringContext::Key),
                    template(value, StringContext::Line, naming)
                )
            })
            .collect();
        return Body { content_type: None, text: format!("[Form]\n{lines}") };
    }
    let encoded = Naming { setting: Setting::Target, ..naming };
    let pairs: Vec<String> = fields
        .iter()
        .map(|(name, value)| {
            let value: String = value
                .pieces()
                .iter()
                .map(|piece| match piece {
                    Piece::Literal(text) => percent::encode_field(text),
                    piece => format!("{{{{{}}}}}", super::quote::variable(piece, encoded)),
                })
                .collect();
            format!("{}={value}", percent::encode_field(name))
        })
        .collect();
    backtick(&pairs.join("&"), "application/x-www-form-urlencoded")
}

/// Whether the form's variables are put in percent-encoded.
pub(super) fn encodes_itself(content: &Content<'_>) -> bool {
    match content {
        Content::Form(fields) => {
            form(fields, Naming { prefix: "", setting: Setting::Text }).content_type.is_some()
        }
        _ => false,
    }
}

/// Parts are written out: Hurl would read those with a file name from files.
fn multipart(parts: &[Part]) -> Body {
    let quoted = |name: &str| name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
    let mut bytes = Vec::new();
    for part in parts {
        let mut head =
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{}\"", quoted(&part.name));
        if let Some(filename) = &part.filename {
            head.push_str(&format!("; filename=\"{}\"", quoted(filename)));
        }
        if let Some(content_type) = &part.content_type {
            head.push_str(&format!("\r\nContent-Type: {content_type}"));
        }
        bytes.extend_from_slice(format!("{head}\r\n\r\n").as_bytes());
        bytes.extend_from_slice(part.content.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    let text = raw(&bytes);
    Body { content_type: Some(format!("multipart/form-data; boundary={BOUNDARY}")), text }
}

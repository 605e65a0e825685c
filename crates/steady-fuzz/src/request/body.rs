//! Request bodies by media type.

use indexmap::IndexMap;
use serde_json::Value;
use steady_model::{Body, Part, Payload, Text};
use steady_openapi::MediaType;

use super::parameter::scalar;

/// How a media type is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    Json,
    Form,
    Multipart,
    Xml,
    Text,
    Bytes,
}

/// The kind of a media type, by its name.
pub fn body_kind(name: &str) -> BodyKind {
    let essence = name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "application/x-www-form-urlencoded" => BodyKind::Form,
        "application/json" | "text/json" | "*/*" | "application/*" | "" => BodyKind::Json,
        kind if kind.ends_with("+json") || kind.contains("json") => BodyKind::Json,
        kind if kind.starts_with("multipart/") => BodyKind::Multipart,
        kind if kind.ends_with("/xml") || kind.ends_with("+xml") => BodyKind::Xml,
        kind if kind.starts_with("text/") || kind.contains("yaml") => BodyKind::Text,
        _ => BodyKind::Bytes,
    }
}

/// The body, and the content type to be set where the body's kind does not imply it.
pub fn write<'a>(
    media: &MediaType,
    value: &Value,
    variable: &dyn Fn(&str) -> Option<&'a str>,
) -> (Body, Option<String>) {
    let declared = concrete(&media.name);
    match body_kind(&media.name) {
        BodyKind::Json => {
            let content_type = (declared != "application/json").then_some(declared);
            (Body::json(value.clone(), bindings(value, variable)), content_type)
        }
        BodyKind::Form => (Body::Form(form(value, variable)), None),
        BodyKind::Multipart => (Body::Multipart(parts(media, value)), None),
        BodyKind::Xml => {
            let root = media.xml_name.as_deref().unwrap_or("root");
            let mut text = String::new();
            xml(root, value, &mut text);
            (Body::Text { content_type: declared, text: text.into() }, None)
        }
        BodyKind::Text => (Body::Text { content_type: declared, text: scalar(value).into() }, None),
        BodyKind::Bytes => {
            let payload = Payload::Text(scalar(value).into());
            (Body::Bytes { content_type: declared, payload }, None)
        }
    }
}

/// A media range such as `image/*` as something that can be sent.
fn concrete(name: &str) -> String {
    match name.trim() {
        "*/*" | "application/*" | "" => "application/json".to_owned(),
        "text/*" => "text/plain".to_owned(),
        "image/*" => "image/png".to_owned(),
        name if name.ends_with("/*") => "application/octet-stream".to_owned(),
        name => name.to_owned(),
    }
}

/// Which pointers of the value are variables. Only scalars are ever bound, so containers are walked through.
fn bindings<'a>(value: &Value, variable: &dyn Fn(&str) -> Option<&'a str>) -> IndexMap<String, String> {
    fn walk<'a>(
        value: &Value,
        at: &str,
        variable: &dyn Fn(&str) -> Option<&'a str>,
        found: &mut IndexMap<String, String>,
    ) {
        match value {
            Value::Object(fields) => {
                for (name, inner) in fields {
                    walk(inner, &format!("{at}/{}", crate::values::escape(name)), variable, found);
                }
            }
            Value::Array(items) => {
                for (index, inner) in items.iter().enumerate() {
                    walk(inner, &format!("{at}/{index}"), variable, found);
                }
            }
            _ => {
                if let Some(name) = variable(at) {
                    found.insert(at.to_owned(), name.to_owned());
                }
            }
        }
    }
    let mut found = IndexMap::new();
    walk(value, "", variable, &mut found);
    found
}

fn form<'a>(value: &Value, variable: &dyn Fn(&str) -> Option<&'a str>) -> Vec<(String, Text)> {
    let Value::Object(fields) = value else { return Vec::new() };
    let mut pairs = Vec::new();
    for (name, field) in fields {
        let bound = variable(&format!("/{}", crate::values::escape(name)));
        match (bound, field) {
            (Some(bound), _) => pairs.push((name.clone(), Text::variable(bound))),
            (None, Value::Array(items)) => {
                pairs.extend(items.iter().map(|item| (name.clone(), scalar(item).into())));
            }
            (None, field) => pairs.push((name.clone(), scalar(field).into())),
        }
    }
    pairs
}

fn parts(media: &MediaType, value: &Value) -> Vec<Part> {
    let Value::Object(fields) = value else { return Vec::new() };
    let binary = |name: &str| {
        let schema = media.schema.as_ref()?;
        let property = schema.0.get("properties")?.get(name)?;
        let format = property.get("format").or_else(|| property.get("items")?.get("format"))?;
        matches!(format.as_str(), Some("binary" | "byte")).then_some(())
    };
    let mut list = Vec::new();
    for (name, field) in fields {
        let content_type = media.encoding.get(name).and_then(|encoding| encoding.content_type.clone());
        let is_file = binary(name).is_some();
        let items = match field {
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        for item in items {
            let structured = item.is_object() || item.is_array();
            list.push(Part {
                name: name.clone(),
                filename: is_file.then(|| format!("{name}.bin")),
                content_type: content_type
                    .clone()
                    .or_else(|| is_file.then(|| "application/octet-stream".to_owned()))
                    .or_else(|| structured.then(|| "application/json".to_owned())),
                content: Payload::Text(scalar(item).into()),
            });
        }
    }
    list
}

/// Elements named after properties; items of a list repeat their element.
fn xml(name: &str, value: &Value, out: &mut String) {
    let name: String =
        name.chars().filter(|character| character.is_alphanumeric() || "-_.:".contains(*character)).collect();
    let name = if name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        name
    } else {
        format!("_{name}")
    };
    match value {
        Value::Array(items) => items.iter().for_each(|item| xml(&name, item, out)),
        Value::Object(fields) => {
            out.push_str(&format!("<{name}>"));
            fields.iter().for_each(|(field, value)| xml(field, value, out));
            out.push_str(&format!("</{name}>"));
        }
        value => {
            let text = scalar(value);
            // XML 1.0 has no way to write most control characters.
            let printable =
                text.chars().filter(|character| !character.is_control() || "\t\n\r".contains(*character));
            let escaped: String =
                printable.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            out.push_str(&format!("<{name}>{escaped}</{name}>"));
        }
    }
}

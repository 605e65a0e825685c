//! Request bodies: `requestBody`, or 2.0's parameters in `body` and `formData`.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::{Reader, example, media, parameter};
use crate::node::Node;
use crate::{Encoding, MediaType, RequestBody, Schema, Style};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// Reads an operation's body; `in_body` are its parameters that go there.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    root: Node<'d>,
    operation: Node<'d>,
    in_body: &[Node<'d>],
) -> Option<RequestBody> {
    if let Some(node) = operation.get("requestBody") {
        let node = reader.resolve(node, "the request body")?;
        let content = node.get("content").map(|content| media::content(reader, content)).unwrap_or_default();
        if content.is_empty() {
            reader.note("the request body is left out: it has no `content`");
            return None;
        }
        return Some(RequestBody { required: node.flag("required") == Some(true), content });
    }
    let consumes = || operation.get("consumes").or_else(|| root.get("consumes"));
    let consumes: Vec<&str> = consumes().into_iter().flat_map(Node::strings).collect();
    if let Some(node) = in_body.iter().rev().find(|node| node.text("in") == Some("body")) {
        return whole(reader, *node, &consumes);
    }
    if in_body.is_empty() { None } else { Some(form(reader, in_body, &consumes)) }
}

/// A 2.0 `body` parameter.
fn whole<'d>(reader: &mut Reader<'d>, node: Node<'d>, consumes: &[&str]) -> Option<RequestBody> {
    let names = if consumes.is_empty() { &[JSON][..] } else { consumes };
    let mut content = media::same(reader, names, node.get("schema").unwrap_or(node));
    let mut examples = example::of(reader, node);
    example::distinct(&mut examples);
    for media_type in &mut content {
        if reader.spend(examples.len()) {
            media_type.examples.clone_from(&examples);
        }
    }
    Some(RequestBody { required: node.flag("required") == Some(true), content })
}

/// 2.0's `formData` parameters: the properties of an object.
fn form<'d>(reader: &mut Reader<'d>, fields: &[Node<'d>], consumes: &[&str]) -> RequestBody {
    let mut properties = Map::new();
    let mut required: Vec<String> = Vec::new();
    let mut encoding = IndexMap::new();
    for field in fields {
        let Some(name) = field.value.get("name").and_then(super::scalar) else { continue };
        if !reader.spend(1) {
            break;
        }
        let schema = field.get("schema").unwrap_or(*field);
        properties.insert(name.clone(), (*reader.schema(schema).0).clone());
        if field.flag("required") == Some(true) && !required.contains(&name) {
            required.push(name.clone());
        }
        let format = field.text("collectionFormat").and_then(parameter::collection_format);
        let array = field.text("type") == Some("array");
        if let Some((style, explode)) = format.or(array.then_some((Style::Form, false))) {
            encoding
                .insert(name, Encoding { content_type: None, style: Some(style), explode: Some(explode) });
        }
    }
    let has_file = fields.iter().any(|field| field.text("type") == Some("file"));
    let is_form = |name: &&str| name.starts_with(MULTIPART) || (name.starts_with(FORM) && !has_file);
    let mut names: Vec<&str> = consumes.iter().copied().filter(is_form).collect();
    if names.is_empty() {
        names.push(if has_file { MULTIPART } else { FORM });
    }
    let is_required = !required.is_empty();
    let mut schema = json!({ "type": "object", "properties": properties });
    if is_required {
        schema["required"] = json!(required);
    }
    let schema = Schema(std::sync::Arc::new(Value::clone(&schema)));
    let media_type = |name: &str| MediaType {
        name: name.to_owned(),
        schema: Some(schema.clone()),
        examples: Vec::new(),
        encoding: encoding.clone(),
        xml_name: None,
    };
    RequestBody { required: is_required, content: names.into_iter().map(media_type).collect() }
}

//! Responses by status, with their bodies, headers and links.

use super::operation::Context;
use super::{Reader, example, link, media};
use crate::node::Node;
use crate::problems::clip;
use crate::{HeaderSpec, MediaType, ResponseSpec, StatusPattern};

/// Reads `responses`; what cannot be used is noted.
pub(super) fn list<'d>(
    reader: &mut Reader<'d>,
    context: &Context<'d>,
    operation: Node<'d>,
) -> Vec<ResponseSpec> {
    let Some(responses) = reader.child(operation, "responses") else { return Vec::new() };
    let mut list: Vec<ResponseSpec> = Vec::new();
    for (key, node) in responses.entries().filter(|(key, _)| !key.starts_with("x-")) {
        let Some(status) = status(key) else {
            reader.note(format!("response `{}` is left out: it is not a status code", clip(key, 40)));
            continue;
        };
        let Some(node) = reader.resolve(node, &format!("response `{key}`")) else { continue };
        if list.iter().any(|other| other.status == status) || !reader.spend(1) {
            continue;
        }
        let content = content(reader, context, operation, node);
        let headers = headers(reader, node);
        let links = link::list(reader, context, node);
        list.push(ResponseSpec { status, content, headers, links });
    }
    list
}

fn status(key: &str) -> Option<StatusPattern> {
    let key = key.trim().to_ascii_lowercase();
    if key == "default" {
        return Some(StatusPattern::Default);
    }
    if let Some(class) = key.strip_suffix("xx") {
        return class.parse().ok().filter(|class| (1..=5).contains(class)).map(StatusPattern::Class);
    }
    key.parse().ok().filter(|status| (100..=999).contains(status)).map(StatusPattern::Exact)
}

fn content<'d>(
    reader: &mut Reader<'d>,
    context: &Context<'d>,
    operation: Node<'d>,
    node: Node<'d>,
) -> Vec<MediaType> {
    if let Some(content) = node.get("content") {
        return media::content(reader, content);
    }
    let Some(schema) = node.get("schema") else { return Vec::new() };
    let produces = operation.get("produces").or_else(|| context.root.get("produces"));
    let mut names: Vec<&str> = produces.into_iter().flat_map(Node::strings).collect();
    if names.is_empty() {
        // 2.0 without `produces` does not specify it; any media type is right.
        names.push("*/*");
    }
    let mut media_types = media::same(reader, &names, schema);
    for (name, value) in node.get("examples").into_iter().flat_map(Node::entries) {
        if let Some(media_type) = media_types.iter_mut().find(|media_type| media_type.name == name) {
            example::keep(reader, value.value, &mut media_type.examples);
        }
    }
    media_types
}

fn headers<'d>(reader: &mut Reader<'d>, response: Node<'d>) -> Vec<HeaderSpec> {
    let Some(headers) = reader.child(response, "headers") else { return Vec::new() };
    let mut list = Vec::new();
    for (name, node) in headers.entries() {
        let name = name.to_ascii_lowercase();
        // The media type says it; OpenAPI 3.1 section 4.8.17.1 says to ignore it here.
        if name == "content-type" {
            continue;
        }
        let Some(node) = reader.resolve(node, &format!("header `{}`", clip(&name, 100))) else { continue };
        if !reader.spend(1) {
            break;
        }
        let in_content = node.get("content").is_some();
        let schema =
            node.get("schema").or_else(|| (!in_content && node.get("type").is_some()).then_some(node));
        list.push(HeaderSpec {
            name,
            required: node.flag("required") == Some(true),
            schema: schema.map(|schema| reader.schema(schema)),
        });
    }
    list
}

//! Bodies by media type, of requests and responses.

use indexmap::IndexMap;

use super::{Reader, example, parameter};
use crate::node::Node;
use crate::reference::Reference;
use crate::{Encoding, MediaType};

/// Reads a `content` map.
pub(super) fn content<'d>(reader: &mut Reader<'d>, content: Node<'d>) -> Vec<MediaType> {
    let Some(content) = reader.resolve(content, "`content`") else { return Vec::new() };
    let mut media_types = Vec::new();
    for (name, node) in content.entries() {
        let Some(node) = reader.resolve(node, "a media type") else { continue };
        if !reader.spend(1) {
            break;
        }
        let mut examples = example::of(reader, node);
        example::distinct(&mut examples);
        let schema = node.get("schema");
        let name = if name.trim().is_empty() { "*/*" } else { name.trim() };
        media_types.push(MediaType {
            name: name.to_owned(),
            schema: schema.map(|schema| reader.schema(schema)),
            examples,
            encoding: encoding(reader, node),
            xml_name: schema.filter(|_| name.contains("xml")).and_then(|schema| xml_name(reader, schema)),
        });
    }
    media_types
}

/// One body that may come in several media types, as in 2.0.
pub(super) fn same<'d>(reader: &mut Reader<'d>, names: &[&str], schema: Node<'d>) -> Vec<MediaType> {
    let mut media_types = Vec::new();
    for name in names {
        if !reader.spend(1) {
            break;
        }
        media_types.push(MediaType {
            name: (*name).to_owned(),
            schema: Some(reader.schema(schema)),
            examples: Vec::new(),
            encoding: IndexMap::new(),
            xml_name: name.contains("xml").then(|| xml_name(reader, schema)).flatten(),
        });
    }
    media_types
}

fn encoding<'d>(reader: &mut Reader<'d>, node: Node<'d>) -> IndexMap<String, Encoding> {
    let mut encodings = IndexMap::new();
    for (property, node) in node.get("encoding").into_iter().flat_map(Node::entries) {
        if !reader.spend(1) {
            break;
        }
        let encoding = Encoding {
            content_type: node.text("contentType").map(str::to_owned),
            style: node.text("style").and_then(parameter::named),
            explode: node.flag("explode"),
        };
        encodings.insert(property.to_owned(), encoding);
    }
    encodings
}

/// The root element's name: `xml.name`, else the name of the component.
fn xml_name<'d>(reader: &Reader<'d>, schema: Node<'d>) -> Option<String> {
    let target = reader.documents.resolve(schema).ok()?;
    let stated = target.get("xml").and_then(|xml| xml.text("name")).map(str::to_owned);
    stated.or_else(|| Reference::new(schema.text("$ref")?).steps()?.pop())
}

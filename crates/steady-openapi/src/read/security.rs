//! Ways to authenticate, and where they are asked for.

use indexmap::IndexMap;

use super::Reader;
use crate::node::Node;
use crate::{Location, SecurityScheme};

/// The schemes of `components.securitySchemes`, or of 2.0's `securityDefinitions`.
pub(super) fn schemes<'d>(reader: &mut Reader<'d>, root: Node<'d>) -> IndexMap<String, SecurityScheme> {
    let components = root.get("components").and_then(|components| components.get("securitySchemes"));
    let nodes = [
        ("components/securitySchemes", components),
        ("securityDefinitions", root.get("securityDefinitions")),
    ];
    let mut schemes = IndexMap::new();
    for (holder, node) in nodes {
        for (name, node) in node.into_iter().flat_map(Node::entries) {
            reader.place = format!("#/{holder}/{name}");
            let Some(node) = reader.resolve(node, "the security scheme") else { continue };
            match scheme(node) {
                Some(scheme) => drop(schemes.insert(name.to_owned(), scheme)),
                None => reader.note(
                    "the security scheme is left out: its `type`, or a key's `name` or `in`, is missing",
                ),
            }
        }
    }
    schemes
}

fn scheme(node: Node<'_>) -> Option<SecurityScheme> {
    let kind = node.text("type")?;
    Some(match kind.to_ascii_lowercase().as_str() {
        "apikey" => {
            let location = match node.text("in")?.to_ascii_lowercase().as_str() {
                "header" => Location::Header,
                "query" => Location::Query,
                "cookie" => Location::Cookie,
                _ => return None,
            };
            SecurityScheme::ApiKey { location, name: node.text("name")?.to_owned() }
        }
        "http" => SecurityScheme::Http(node.text("scheme").unwrap_or("bearer").to_ascii_lowercase()),
        "basic" => SecurityScheme::Http("basic".to_owned()),
        "bearer" => SecurityScheme::Http("bearer".to_owned()),
        _ => SecurityScheme::Other(kind.to_owned()),
    })
}

/// The alternatives of `security`, of the operation or of the whole API.
pub(super) fn requirements<'d>(
    reader: &mut Reader<'d>,
    operation: Node<'d>,
    root: Node<'d>,
) -> Option<Vec<Vec<String>>> {
    let security = operation.get("security").or_else(|| root.get("security"))?;
    let mut alternatives = Vec::new();
    for alternative in security.items() {
        let names: Vec<String> = match alternative.value.as_str() {
            Some(name) => vec![name.to_owned()],
            None => alternative.entries().map(|(name, _)| name.to_owned()).collect(),
        };
        if !reader.spend(1 + names.len()) {
            break;
        }
        alternatives.push(names);
    }
    // `security: []` lifts what the whole API asks for.
    if alternatives.is_empty() {
        alternatives.push(Vec::new());
    }
    Some(alternatives)
}

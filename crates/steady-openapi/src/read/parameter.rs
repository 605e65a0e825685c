//! Parameters in path, query, headers and cookies.

use serde_json::Value;

use super::{Reader, example};
use crate::node::Node;
use crate::problems::clip;
use crate::{Location, Parameter, Schema, Style};

/// A parameter, or what 2.0 calls one and is a part of the body.
pub(super) enum Given<'d> {
    Parameter(Parameter),
    InBody(Node<'d>),
}

/// Headers that are not parameters: OpenAPI 3.1 section 4.8.12.2 says to ignore them here. It says so of `Authorization`, too, but
/// frameworks write it into documents for services that refuse every request without it.
const NOT_PARAMETERS: [&str; 2] = ["accept", "content-type"];

/// No request has room for more.
const MAX_PARAMETERS: usize = 1_000;

/// Reads `parameters`; what cannot be used is noted.
pub(super) fn list<'d>(reader: &mut Reader<'d>, node: Node<'d>) -> Vec<Given<'d>> {
    let Some(node) = reader.resolve(node, "`parameters`") else { return Vec::new() };
    // A map from names to parameters, where a list belongs.
    let by_name = node.map().is_some_and(|map| !map.contains_key("name") && !map.contains_key("in"));
    let nodes: Vec<Node<'d>> =
        if by_name { node.entries().map(|(_, node)| node).collect() } else { node.items().collect() };
    nodes.into_iter().take(MAX_PARAMETERS).filter_map(|node| read(reader, node)).collect()
}

fn read<'d>(reader: &mut Reader<'d>, node: Node<'d>) -> Option<Given<'d>> {
    let node = reader.resolve(node, "a parameter")?;
    let Some(name) = node.value.get("name").and_then(super::scalar).filter(|name| !name.is_empty()) else {
        if node.text("in") == Some("body") {
            return Some(Given::InBody(node));
        }
        reader.note("a parameter is left out: it has no `name`");
        return None;
    };
    let location = match node.text("in").map(str::to_ascii_lowercase).as_deref() {
        Some("path") => Location::Path,
        Some("query") => Location::Query,
        Some("header") => Location::Header,
        Some("cookie") => Location::Cookie,
        Some("body" | "formdata" | "form") => return Some(Given::InBody(node)),
        other => {
            let stated = other.map_or("missing".to_owned(), |other| format!("`{}`", clip(other, 40)));
            reader.note(format!("parameter `{}` is left out: its `in` is {stated}", clip(&name, 100)));
            return None;
        }
    };
    if location == Location::Header && NOT_PARAMETERS.contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let (style, explode) = style(node, location);
    let described = node.get("schema");
    let content = node.get("content").and_then(|content| content.entries().next());
    let mut examples = example::of(reader, node);
    let (schema, content_type) = match (described, content) {
        (Some(schema), _) => {
            examples.extend(reader.schemas.examples(schema));
            (reader.schema(schema), None)
        }
        (None, Some((media_type, content))) => {
            examples.extend(example::of(reader, content));
            let schema = content.get("schema").map_or_else(Schema::anything, |schema| reader.schema(schema));
            (schema, Some(media_type.to_owned()))
        }
        // In 2.0 the parameter is its own schema.
        (None, None) => {
            examples.extend(reader.schemas.examples(node));
            (reader.schema(node), None)
        }
    };
    example::distinct(&mut examples);
    reader.spend(1 + name.len() / 64).then(|| {
        Given::Parameter(Parameter {
            required: location == Location::Path || node.flag("required") == Some(true),
            allow_reserved: node.flag("allowReserved") == Some(true),
            name,
            location,
            schema,
            style,
            explode,
            content_type,
            examples,
        })
    })
}

/// A plain path parameter, for a name of which the document says no more.
pub(super) fn in_path(name: &str, schema: Schema) -> Parameter {
    Parameter {
        name: name.to_owned(),
        location: Location::Path,
        required: true,
        schema,
        style: Style::Simple,
        explode: false,
        allow_reserved: false,
        content_type: None,
        examples: Vec::new(),
    }
}

/// How arrays and objects are written, by what the parameter says and its location's defaults.
fn style(node: Node<'_>, location: Location) -> (Style, bool) {
    let default = match location {
        Location::Query | Location::Cookie => Style::Form,
        Location::Path | Location::Header => Style::Simple,
    };
    if let Some((style, explode)) = node.text("collectionFormat").and_then(collection_format) {
        return (if style == Style::Form { default } else { style }, explode && default == Style::Form);
    }
    // A list of 2.0, where the parameter is its own schema, is comma-separated.
    let own_schema = node.get("schema").is_none() && node.text("type") == Some("array");
    let style = node.text("style").and_then(named).filter(|style| fits(*style, location)).unwrap_or(default);
    let stated = node.value.get("explode").and_then(Value::as_bool);
    (style, stated.unwrap_or(style == Style::Form && !own_schema))
}

fn fits(style: Style, location: Location) -> bool {
    match location {
        Location::Path => matches!(style, Style::Simple | Style::Label | Style::Matrix),
        Location::Query => !matches!(style, Style::Simple | Style::Label | Style::Matrix),
        Location::Header => style == Style::Simple,
        Location::Cookie => style == Style::Form,
    }
}

/// A style by the name OpenAPI 3 gives it.
pub(super) fn named(name: &str) -> Option<Style> {
    Some(match name.to_ascii_lowercase().as_str() {
        "simple" => Style::Simple,
        "label" => Style::Label,
        "matrix" => Style::Matrix,
        "form" => Style::Form,
        "spacedelimited" => Style::SpaceDelimited,
        "pipedelimited" => Style::PipeDelimited,
        "deepobject" => Style::DeepObject,
        _ => return None,
    })
}

/// What 2.0's `collectionFormat` means in a form; elsewhere `form` is the location's default.
pub(super) fn collection_format(format: &str) -> Option<(Style, bool)> {
    Some(match format {
        "csv" => (Style::Form, false),
        "multi" => (Style::Form, true),
        "ssv" => (Style::SpaceDelimited, false),
        "pipes" => (Style::PipeDelimited, false),
        "tsv" => (Style::TabDelimited, false),
        _ => return None,
    })
}

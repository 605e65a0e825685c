//! One operation: its parameters, body, responses and what it asks for.

use std::collections::{BTreeMap, BTreeSet};

use steady_model::OperationId;

use super::parameter::{self, Given};
use super::{Reader, body, response, scalar, security, server};
use crate::node::Node;
use crate::problems::clip;
use crate::{Location, Operation, Parameter, Schema};

const MAX_SUMMARY: usize = 500;
const MAX_NAME: usize = 300;
const TOO_MUCH: &str = "the document describes more than steady keeps in memory";
const MAX_TAGS: usize = 50;

/// What operations know of each other.
pub(super) struct Context<'d> {
    pub root: Node<'d>,
    pub ids: BTreeSet<OperationId>,
    pub by_operation_id: BTreeMap<&'d str, OperationId>,
}

/// Reads an operation; `None` when it had to be left out, which is noted.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    context: &Context<'d>,
    id: OperationId,
    item: Node<'d>,
    node: Node<'d>,
) -> Option<Operation> {
    reader.place = id.to_string();
    let node = match reader.documents.resolve(node) {
        Ok(node) if node.map().is_some() => node,
        Ok(_) => return skip(reader, "it is not an object"),
        Err(reason) => return skip(reader, &reason),
    };
    if reader.parts_left == 0 {
        return skip(reader, TOO_MUCH);
    }
    let mut parameters = Vec::new();
    let mut in_body = Vec::new();
    for given in [item, node].into_iter().filter_map(|holder| holder.get("parameters")) {
        for given in parameter::list(reader, given) {
            match given {
                Given::Parameter(parameter) => replace_or_push(&mut parameters, parameter),
                Given::InBody(node) => in_body.push(node),
            }
        }
    }
    match_template(reader, &id.path, &mut parameters);
    let body = body::read(reader, context.root, node, &in_body);
    let responses = response::list(reader, context, node);
    let security = security::requirements(reader, node, context.root);
    if reader.parts_left == 0 {
        return skip(reader, TOO_MUCH);
    }
    let text = |key| node.text(key).unwrap_or_default();
    Some(Operation {
        operation_id: node.value.get("operationId").and_then(scalar).map(|name| clip(&name, MAX_NAME)),
        tags: node
            .get("tags")
            .into_iter()
            .flat_map(Node::strings)
            .take(MAX_TAGS)
            .map(|tag| clip(tag, MAX_NAME))
            .collect(),
        summary: clip(
            format!("{} {}", clip(text("summary"), MAX_SUMMARY), text("description")).trim(),
            MAX_SUMMARY,
        ),
        id,
        parameters,
        body,
        responses,
        servers: server::own(node).or_else(|| server::own(item)).unwrap_or_default(),
        base_path: None,
        security,
    })
}

fn skip(reader: &mut Reader<'_>, reason: &str) -> Option<Operation> {
    reader.problems.skip(&reader.place, format!("the operation is left out: {reason}"));
    None
}

/// The operation's parameters win over the path item's, and later ones over earlier ones.
fn replace_or_push(parameters: &mut Vec<Parameter>, parameter: Parameter) {
    let same = |other: &&mut Parameter| {
        other.location == parameter.location
            && (other.name == parameter.name
                || (parameter.location == Location::Header
                    && other.name.eq_ignore_ascii_case(&parameter.name)))
    };
    match parameters.iter_mut().find(same) {
        Some(other) => *other = parameter,
        None => parameters.push(parameter),
    }
}

/// Makes path parameters and path template agree: each name between braces has exactly one parameter, called just so.
fn match_template(reader: &mut Reader<'_>, path: &str, parameters: &mut Vec<Parameter>) {
    let names = template_names(path);
    let query = path.split_once('?').map_or("", |(_, query)| query);
    for name in &names {
        // `{id:[0-9]+}` and `{rest*}` are declared as `id` and `rest`; `/find?by={by}` as a query parameter.
        let plain = name.split(':').next().unwrap_or_default().trim_end_matches(['+', '*', '?']);
        let position = |location, wanted: &str| {
            parameters.iter().position(|parameter| parameter.location == location && parameter.name == wanted)
        };
        let declared = position(Location::Path, name)
            .or_else(|| position(Location::Path, plain))
            .or_else(|| position(Location::Query, name).filter(|_| query.contains(name)));
        let Some(index) = declared else {
            reader.note(format!(
                "path parameter `{}` is not described; any string is sent",
                clip(name, MAX_NAME)
            ));
            parameters.push(parameter::in_path(name, Schema::string()));
            continue;
        };
        if parameters[index].location == Location::Query {
            let examples = std::mem::take(&mut parameters[index].examples);
            parameters[index] =
                Parameter { examples, ..parameter::in_path(name, parameters[index].schema.clone()) };
        } else {
            parameters[index].name = (*name).to_owned();
        }
    }
    parameters.retain(|parameter| {
        let placed = parameter.location != Location::Path || names.contains(&parameter.name.as_str());
        if !placed {
            let name = clip(&parameter.name, MAX_NAME);
            reader.note(format!("path parameter `{name}` is left out: the path does not name it"));
        }
        placed
    });
}

/// The names between braces, each once.
fn template_names(path: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = path;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, further)) = after.split_once('}') else { break };
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
        rest = further;
    }
    names
}

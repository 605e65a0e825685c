//! Links from a response to the operations its values are for.

use steady_model::OperationId;

use super::Reader;
use super::operation::Context;
use crate::Link;
use crate::node::Node;
use crate::problems::clip;
use crate::reference::Reference;

/// Reads a response's `links`; what cannot be used is noted.
pub(super) fn list<'d>(reader: &mut Reader<'d>, context: &Context<'d>, response: Node<'d>) -> Vec<Link> {
    let Some(links) = reader.child(response, "links") else { return Vec::new() };
    let mut list = Vec::new();
    for (name, node) in links.entries() {
        let Some(node) = reader.resolve(node, &format!("link `{}`", clip(name, 100))) else { continue };
        let Some(target) = target(context, node) else {
            reader.note(format!(
                "link `{}` is left out: it leads to no operation of this API",
                clip(name, 100)
            ));
            continue;
        };
        let parameters = node.get("parameters").and_then(Node::map);
        if !reader.spend(1 + parameters.map_or(0, serde_json::Map::len)) {
            break;
        }
        list.push(Link {
            name: name.to_owned(),
            target,
            parameters: parameters
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            request_body: node.value.get("requestBody").cloned(),
        });
    }
    list
}

fn target(context: &Context<'_>, link: Node<'_>) -> Option<OperationId> {
    if let Some(name) = link.text("operationId") {
        return context.by_operation_id.get(name).cloned();
    }
    let steps = Reference::new(link.text("operationRef")?).steps()?;
    let [paths, path, method] = steps.as_slice() else { return None };
    let id = OperationId::new(method.parse().ok()?, path.as_str());
    (paths == "paths" && context.ids.contains(&id)).then_some(id)
}

//! Where the API is: `servers`, or 2.0's `schemes`, `host` and `basePath`.

use std::collections::BTreeSet;

use crate::node::Node;
use crate::problems::clip;

use super::scalar;

const MAX_SERVERS: usize = 100;
const MAX_LENGTH: usize = 2_000;

/// The URLs of the API's servers, variables filled in with their defaults.
pub(super) fn servers(root: Node<'_>) -> Vec<String> {
    own(root).unwrap_or_else(|| older(root))
}

/// The URLs of the servers that a document, a path item or an operation lists; `None` when it lists none.
pub(super) fn own(holder: Node<'_>) -> Option<Vec<String>> {
    let listed = holder.get("servers")?;
    let mut seen = BTreeSet::new();
    let is_new = |server: &String| seen.insert(server.clone());
    Some(listed.items().take(MAX_SERVERS).filter_map(server).filter(is_new).collect())
}

fn server(node: Node<'_>) -> Option<String> {
    let mut url = clip(node.text("url")?.trim(), MAX_LENGTH);
    for (name, variable) in node.get("variables").into_iter().flat_map(Node::entries).take(MAX_SERVERS) {
        let first = || variable.get("enum").and_then(|values| values.items().next()).map(|node| node.value);
        let value = variable.value.get("default").or_else(first).and_then(scalar);
        if let Some(value) = value {
            url = clip(&url.replace(&format!("{{{name}}}"), &value), MAX_LENGTH);
        }
    }
    Some(url)
}

fn older(root: Node<'_>) -> Vec<String> {
    let base = root.text("basePath").map(str::trim).filter(|base| *base != "/").unwrap_or_default();
    let base = if base.is_empty() || base.starts_with('/') {
        clip(base, MAX_LENGTH)
    } else {
        format!("/{}", clip(base, MAX_LENGTH))
    };
    let Some(host) = root.text("host").map(str::trim).filter(|host| !host.is_empty()) else {
        return if base.is_empty() { Vec::new() } else { vec![base] };
    };
    let host = clip(host, MAX_LENGTH);
    let schemes: Vec<&str> = root
        .get("schemes")
        .into_iter()
        .flat_map(Node::strings)
        .filter(|scheme| scheme.starts_with("http"))
        .collect();
    let schemes = if schemes.is_empty() { vec!["https"] } else { schemes };
    schemes.into_iter().take(MAX_SERVERS).map(|scheme| format!("{scheme}://{host}{base}")).collect()
}

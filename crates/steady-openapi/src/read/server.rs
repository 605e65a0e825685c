//! Where the API is: `servers`, or 2.0's `schemes`, `host` and `basePath`.

use crate::node::Node;
use crate::problems::clip;

use super::scalar;

const MAX_SERVERS: usize = 100;
const MAX_LENGTH: usize = 2_000;

/// The servers' URLs, variables filled in with their defaults.
pub(super) fn servers(root: Node<'_>) -> Vec<String> {
    let mut servers: Vec<String> = match root.get("servers") {
        Some(servers) => servers.items().take(MAX_SERVERS).filter_map(server).collect(),
        None => older(root),
    };
    let mut seen = std::collections::BTreeSet::new();
    servers.retain(|server| seen.insert(server.clone()));
    servers
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

//! `paths`: which operations there are.

use std::collections::{BTreeMap, BTreeSet};

use steady_model::{Method, OperationId};

use super::Reader;
use super::operation::{self, Context};
use crate::Operation;
use crate::node::Node;

/// Keys of a path item that are not methods.
const OTHER_KEYS: [&str; 5] = ["parameters", "servers", "summary", "description", "$ref"];

const MAX_PATH: usize = 8_000;

/// An operation that was found and not read yet.
struct Found<'d> {
    id: OperationId,
    item: Node<'d>,
    node: Node<'d>,
}

/// Reads every operation, in the document's order.
pub(super) fn operations<'d>(reader: &mut Reader<'d>, root: Node<'d>) -> Vec<Operation> {
    reader.place = "#/paths".to_owned();
    let Some(paths) = reader.child(root, "paths") else {
        reader.note("there are no `paths`, so there is nothing to call");
        return Vec::new();
    };
    let mut found = Vec::new();
    for (path, item) in paths.entries().filter(|(path, _)| !path.starts_with("x-")) {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        path_item(reader, &path, item, &mut found);
    }
    let context = Context {
        root,
        ids: found.iter().map(|found| found.id.clone()).collect(),
        by_operation_id: by_operation_id(&found),
    };
    found
        .into_iter()
        .filter_map(|found| operation::read(reader, &context, found.id, found.item, found.node))
        .collect()
}

fn path_item<'d>(reader: &mut Reader<'d>, path: &str, item: Node<'d>, found: &mut Vec<Found<'d>>) {
    if path.len() > MAX_PATH {
        return reader.problems.skip(path, "the path is left out: it is longer than servers take");
    }
    reader.place = path.to_owned();
    let target = match reader.documents.resolve(item) {
        Ok(target) => target,
        Err(reason) => {
            reader.problems.skip(path, format!("the path is left out: {reason}"));
            item
        }
    };
    if target.map().is_none() {
        return reader.problems.skip(path, "the path is left out: it is not an object");
    }
    // Beside a `$ref`, a path item may have operations of its own.
    let beside = (item.map().is_some() && !std::ptr::eq(item.value, target.value)).then_some(item);
    let mut methods = BTreeSet::new();
    for item in beside.into_iter().chain([target]) {
        for (key, node) in item.entries() {
            if let Ok(method) = key.parse::<Method>() {
                if methods.insert(method) && reader.spend(1) {
                    found.push(Found { id: OperationId::new(method, path), item, node });
                }
            } else if node.get("responses").is_some() && !OTHER_KEYS.contains(&key) && !key.starts_with("x-")
            {
                let place = format!("{} {path}", key.to_ascii_uppercase());
                reader.problems.skip(
                    &place,
                    format!("the operation is left out: `{key}` is not a method steady can send"),
                );
            }
        }
    }
}

fn by_operation_id<'d>(found: &[Found<'d>]) -> BTreeMap<&'d str, OperationId> {
    let mut named = BTreeMap::new();
    for found in found {
        if let Some(name) = found.node.text("operationId") {
            named.entry(name).or_insert_with(|| found.id.clone());
        }
    }
    named
}

//! From documents to an [`Api`].
//!
//! One reader for all versions: at each place it takes what any version may write there, since real documents mix
//! them anyway. A file per concept; each notes its problems and leaves out only what it must.

mod body;
mod example;
mod link;
mod media;
mod operation;
mod parameter;
mod path;
mod response;
mod security;
mod server;

use std::sync::Arc;

use serde_json::Value;

use crate::Api;
use crate::documents::Documents;
use crate::error::{LoadError, WEB_PAGE};
use crate::node::Node;
use crate::problems::{Problems, clip};
use crate::schema::Schemas;

/// Parts an API may have: parameters, bodies, headers and pieces of examples. References let a short document describe
/// any number of them.
const MAX_PARTS: usize = 5_000_000;
const MAX_TITLE: usize = 200;

/// Reads the API of the first document; `name` stands for it in errors and for a missing title.
pub(crate) fn api(documents: &Documents, name: &str) -> Result<Api, LoadError> {
    let root = documents.root();
    let version = version(root, name)?;
    let mut reader = Reader {
        documents,
        schemas: Schemas::new(documents, version.later_than_3_0()),
        problems: Problems::default(),
        parts_left: MAX_PARTS,
        place: String::new(),
    };
    let security_schemes = security::schemes(&mut reader, root);
    let servers = server::servers(root);
    let operations = path::operations(&mut reader, root);
    let Reader { schemas, mut problems, .. } = reader;
    let definitions = Arc::new(schemas.finish(&mut problems));
    let info = |key| root.get("info").and_then(|info| scalar(info.value.get(key)?));
    Ok(Api {
        title: clip(&info("title").unwrap_or_else(|| file_name(name).to_owned()), MAX_TITLE),
        version: clip(&info("version").unwrap_or_default(), MAX_TITLE),
        servers,
        operations,
        problems: problems.into_list(),
        security_schemes,
        definitions,
    })
}

/// What everything that reads needs.
struct Reader<'d> {
    documents: &'d Documents,
    schemas: Schemas<'d>,
    problems: Problems,
    parts_left: usize,
    /// Where problems are: the operation being read, or a pointer.
    place: String,
}

impl<'d> Reader<'d> {
    fn note(&mut self, message: impl AsRef<str>) {
        self.problems.note(&self.place, message);
    }

    /// The node itself or what it refers to; a reference that leads nowhere is noted.
    fn resolve(&mut self, node: Node<'d>, what: &str) -> Option<Node<'d>> {
        match self.documents.resolve(node) {
            Ok(node) => Some(node),
            Err(reason) => {
                self.note(format!("{what} is left out: {reason}"));
                None
            }
        }
    }

    /// What stands under a key, references followed; `None` when nothing does.
    fn child(&mut self, node: Node<'d>, key: &str) -> Option<Node<'d>> {
        let child = node.get(key)?;
        self.resolve(child, &format!("`{key}`"))
    }

    fn schema(&mut self, node: Node<'d>) -> crate::Schema {
        self.schemas.schema(node, &self.place, &mut self.problems)
    }

    /// Takes parts from what the API may still have; false once it has too many.
    fn spend(&mut self, parts: usize) -> bool {
        self.parts_left = self.parts_left.saturating_sub(parts);
        self.parts_left > 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    major: u64,
    minor: u64,
}

impl Version {
    fn later_than_3_0(self) -> bool {
        (self.major, self.minor) > (3, 0)
    }
}

fn version(root: Node<'_>, name: &str) -> Result<Version, LoadError> {
    let stated = ["openapi", "swagger", "swaggerVersion"].iter().find_map(|key| scalar(root.value.get(key)?));
    let Some(stated) = stated else {
        return Err(LoadError::NotOpenApi { name: name.to_owned(), found: kind(root.value) });
    };
    let mut numbers =
        stated.trim().trim_start_matches('v').split('.').map(|number| number.parse().unwrap_or(0));
    let version = Version { major: numbers.next().unwrap_or(0), minor: numbers.next().unwrap_or(0) };
    match version {
        Version { major: 2 | 3, .. } => Ok(version),
        _ => Err(LoadError::UnsupportedVersion { name: name.to_owned(), version: clip(&stated, 40) }),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) | Value::Number(_) => "a single value",
        Value::String(text) if text.trim_start().starts_with('<') => WEB_PAGE,
        Value::String(_) => "plain text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A string, or a number or flag that YAML made of one.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn file_name(name: &str) -> &str {
    name.rsplit('/').find(|part| !part.is_empty()).unwrap_or(name)
}

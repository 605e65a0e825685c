//! The document and the other documents it refers to, all read before anything is made of them.
//!
//! Loading all documents first keeps the rest simple: reading is a walk over values that no longer change. A document that
//! could not be loaded is a problem only where something in it is used.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::address::Address;
use crate::error::LoadError;
use crate::node::Node;
use crate::reference::{Reference, walk};
use crate::syntax;

const MAX_DOCUMENTS: usize = 2_000;
const MAX_HOPS: usize = 64;

/// What a reference leads to.
#[derive(Debug, Clone)]
pub(crate) struct Resolved<'d> {
    pub node: Node<'d>,
    /// The steps of the pointer that led there.
    pub steps: Vec<String>,
}

/// Loads the text at an address.
pub(crate) type Read<'r> = dyn FnMut(&Address) -> Result<String, String> + 'r;

/// The root document, first, and those it refers to.
#[derive(Debug)]
pub(crate) struct Documents {
    list: Vec<Document>,
    /// Which document a reference's document part means, by the document it stands in.
    links: BTreeMap<(usize, String), Result<usize, String>>,
    /// How many documents were requested, loaded or not.
    asked: usize,
}

#[derive(Debug)]
struct Document {
    address: Address,
    root: Value,
    /// Pointers to what carries `$anchor` or `$dynamicAnchor`.
    anchors: BTreeMap<String, Vec<String>>,
}

impl Documents {
    /// Reads a document's text and the documents it refers to.
    pub fn gather(text: &str, address: Address, read: &mut Read<'_>) -> Result<Self, LoadError> {
        let root = syntax::read(text, &address.to_string())?;
        let mut documents = Self { list: Vec::new(), links: BTreeMap::new(), asked: 0 };
        documents.list.push(Document { address, root, anchors: BTreeMap::new() });
        let mut next = 0;
        while next < documents.list.len() {
            documents.follow_out_of(next, read);
            next += 1;
        }
        Ok(documents)
    }

    fn follow_out_of(&mut self, index: usize, read: &mut Read<'_>) {
        let Scan { references, anchors } = scan(&self.list[index].root);
        self.list[index].anchors = anchors;
        for reference in references {
            let found =
                self.list[index].address.join(&reference).and_then(|address| self.include(address, read));
            self.links.insert((index, reference), found);
        }
    }

    fn include(&mut self, address: Address, read: &mut Read<'_>) -> Result<usize, String> {
        if let Some(known) = self.list.iter().position(|document| document.address == address) {
            return Ok(known);
        }
        if self.asked >= MAX_DOCUMENTS {
            return Err(format!("more than {MAX_DOCUMENTS} other documents are referred to"));
        }
        self.asked += 1;
        let text = read(&address)?;
        let root = syntax::read(&text, &address.to_string()).map_err(|error| error.to_string())?;
        self.list.push(Document { address, root, anchors: BTreeMap::new() });
        Ok(self.list.len() - 1)
    }

    /// The root of the first document.
    pub fn root(&self) -> Node<'_> {
        Node { document: 0, value: &self.list[0].root }
    }

    /// A document's name, without folder and extension.
    pub fn name(&self, document: usize) -> String {
        let address = self.list[document].address.to_string();
        let file = address.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or_default();
        file.split('.').next().unwrap_or_default().to_owned()
    }

    /// What a `$ref` in a document leads to, or why it leads nowhere.
    ///
    /// `scope` is the schema it stands in: generators forget that `#/$defs/x` is seen from the document's root.
    pub fn target<'d>(
        &'d self,
        document: usize,
        reference: &str,
        scope: Option<Node<'d>>,
    ) -> Result<Resolved<'d>, String> {
        let parts = Reference::new(reference);
        let document = match parts.document {
            "" => document,
            other => match self.links.get(&(document, other.to_owned())) {
                Some(Ok(found)) => *found,
                Some(Err(reason)) => {
                    return self.component(document, other).ok_or_else(|| format!("`{reference}`: {reason}"));
                }
                None => return Err(format!("`{reference}` was not looked for")),
            },
        };
        let holder = &self.list[document];
        let steps = parts.steps().or_else(|| holder.anchors.get(parts.fragment).cloned());
        let found = steps.and_then(|steps| Some((walk(&holder.root, &steps)?, steps)));
        if let Some((value, steps)) = found {
            return Ok(Resolved { node: Node { document, value }, steps });
        }
        let steps = parts.steps().unwrap_or_default();
        let scope = scope.filter(|scope| scope.document == document);
        let in_scope = scope.and_then(|scope| {
            Some(Resolved { node: scope.with(walk(scope.value, &steps)?), steps: steps.clone() })
        });
        in_scope
            .or_else(|| self.component(document, steps.last()?))
            .ok_or_else(|| format!("`{reference}` leads nowhere"))
    }

    /// A component schema by its bare name: how some documents refer to them.
    fn component(&self, document: usize, name: &str) -> Option<Resolved<'_>> {
        [&["components", "schemas"][..], &["definitions"], &["$defs"]].into_iter().find_map(|holder| {
            let steps: Vec<String> = holder.iter().copied().chain([name]).map(str::to_owned).collect();
            let value = walk(&self.list[document].root, &steps)?;
            Some(Resolved { node: Node { document, value }, steps })
        })
    }

    /// What a discriminator's mapping names: a component's name before a reference.
    pub fn named(&self, document: usize, name: &str) -> Option<Resolved<'_>> {
        self.component(document, name).or_else(|| self.target(document, name, None).ok())
    }

    /// The node itself, or what its `$ref` leads to in the end.
    pub fn resolve<'d>(&'d self, node: Node<'d>) -> Result<Node<'d>, String> {
        let mut node = node;
        for _ in 0..MAX_HOPS {
            match node.text("$ref") {
                Some(reference) => node = self.target(node.document, reference, None)?.node,
                None => return Ok(node),
            }
        }
        Err(format!("`{}` leads in circles", node.text("$ref").unwrap_or_default()))
    }
}

/// What of a document concerns references.
#[derive(Default)]
struct Scan {
    /// Document parts of references to other documents, each once, in order of appearance.
    references: Vec<String>,
    anchors: BTreeMap<String, Vec<String>>,
}

fn scan(root: &Value) -> Scan {
    let mut found = Scan::default();
    let mut seen = BTreeSet::new();
    let mut path = Vec::new();
    visit(root, &mut path, &mut |map, path| {
        for key in ["$ref", "$dynamicRef"] {
            let document = map.get(key).and_then(Value::as_str).map(|text| Reference::new(text).document);
            if let Some(document) = document.filter(|document| !document.is_empty())
                && seen.insert(document.to_owned())
            {
                found.references.push(document.to_owned());
            }
        }
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = map.get(key).and_then(Value::as_str) {
                let steps = path.iter().map(ToString::to_string).collect();
                found.anchors.entry(anchor.to_owned()).or_insert(steps);
            }
        }
    });
    found
}

/// One step on the way into a value.
enum Step<'v> {
    Key(&'v str),
    Index(usize),
}

impl std::fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::Index(index) => write!(f, "{index}"),
        }
    }
}

/// Calls back for every object in a value.
fn visit<'v>(
    value: &'v Value,
    path: &mut Vec<Step<'v>>,
    each: &mut impl FnMut(&'v Map<String, Value>, &[Step<'v>]),
) {
    match value {
        Value::Object(map) => {
            each(map, path);
            for (key, value) in map {
                path.push(Step::Key(key));
                visit(value, path, each);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                path.push(Step::Index(index));
                visit(value, path, each);
                path.pop();
            }
        }
        _ => {}
    }
}

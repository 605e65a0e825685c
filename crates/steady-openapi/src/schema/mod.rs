//! Schemas of any OpenAPI version become JSON Schema 2020-12.
//!
//! [`Schemas`] rewrites each schema once. Where one refers to another, the other becomes a definition with a name of
//! its own and waits in a queue. Cycles therefore need no special case, and no schema is reached by recursion through
//! references. [`Schemas::finish`] empties the queue.

mod fan_out;
mod keywords;
mod names;
mod types;
pub(crate) mod walk;

use std::collections::{BTreeMap, VecDeque};
use std::ptr;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use self::names::Names;
use crate::documents::{Documents, Resolved};
use crate::node::Node;
use crate::problems::Problems;
use crate::{Definitions, Schema};

/// The schemas of an API while it is being read.
pub(crate) struct Schemas<'d> {
    documents: &'d Documents,
    /// Whether the document is 3.1 or later, where a `$ref` may have siblings.
    siblings_count: bool,
    names: Names,
    /// Definitions by the value they are made of: one, however many ways a reference to it is spelled.
    reached: BTreeMap<*const Value, String>,
    waiting: VecDeque<Waiting<'d>>,
    definitions: Definitions,
    inline: BTreeMap<*const Value, Schema>,
    keywords_left: usize,
}

/// Keywords an API's schemas may have: references into each other's insides let them multiply.
const MAX_KEYWORDS: usize = 5_000_000;

/// A schema that was referred to and is not rewritten yet.
struct Waiting<'d> {
    name: String,
    /// Its pointer, for problems.
    place: String,
    node: Node<'d>,
}

impl<'d> Schemas<'d> {
    pub fn new(documents: &'d Documents, siblings_count: bool) -> Self {
        Self {
            documents,
            siblings_count,
            names: Names::default(),
            reached: BTreeMap::new(),
            waiting: VecDeque::new(),
            definitions: Definitions::new(),
            inline: BTreeMap::new(),
            keywords_left: MAX_KEYWORDS,
        }
    }

    /// The schema in today's form.
    pub fn schema(&mut self, node: Node<'d>, place: &str, problems: &mut Problems) -> Schema {
        if let Some(known) = self.inline.get(&ptr::from_ref(node.value)) {
            return known.clone();
        }
        let value = Rewriter { schemas: self, problems, place, scope: node }.schema(node);
        let schema = Schema(Arc::new(value));
        self.inline.insert(node.value, schema.clone());
        schema
    }

    /// The examples and defaults a schema gives for itself.
    pub fn examples(&self, node: Node<'d>) -> Vec<Value> {
        let Some(map) = self.documents.resolve(node).ok().and_then(Node::map) else { return Vec::new() };
        let mut out = Map::new();
        if let Some(given) = map.get("type") {
            types::write(given, &mut out);
        }
        keywords::annotations(map, &mut out);
        match out.remove("examples") {
            Some(Value::Array(examples)) => examples,
            _ => Vec::new(),
        }
    }

    /// Rewrites what is still waiting; the definitions are complete then.
    pub fn finish(mut self, problems: &mut Problems) -> Definitions {
        while let Some(Waiting { name, place, node }) = self.waiting.pop_front() {
            let value = Rewriter { schemas: &mut self, problems, place: &place, scope: node }.schema(node);
            self.definitions.insert(name, value);
        }
        break_loops(&mut self.definitions, problems);
        fan_out::bound(&mut self.definitions, problems);
        self.definitions
    }

    /// The name under which a referenced schema will be found.
    fn define(&mut self, target: &Resolved<'d>) -> String {
        let key = ptr::from_ref(target.node.value);
        if let Some(name) = self.reached.get(&key) {
            return name.clone();
        }
        let name = self.names.unique(&target.steps, &self.documents.name(target.node.document));
        self.reached.insert(key, name.clone());
        let place = format!("#/{}", target.steps.join("/"));
        self.waiting.push_back(Waiting { name: name.clone(), place, node: target.node });
        name
    }
}

/// Rewrites one schema.
struct Rewriter<'s, 'd> {
    schemas: &'s mut Schemas<'d>,
    problems: &'s mut Problems,
    place: &'s str,
    /// The outermost schema.
    scope: Node<'d>,
}

impl<'d> Rewriter<'_, 'd> {
    /// Recursion is bounded by the depth of the document.
    fn schema(&mut self, node: Node<'d>) -> Value {
        match node.value {
            Value::Bool(anything) => Value::Bool(*anything),
            Value::Object(map) => self.object(node, map),
            // `items: string`, where `items: {type: string}` was meant.
            Value::String(name) => {
                types::known(name).map_or_else(|| json!({}), |name| json!({ "type": name }))
            }
            _ => json!({}),
        }
    }

    fn object(&mut self, node: Node<'d>, map: &'d Map<String, Value>) -> Value {
        let size = map.len() + map.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
        self.schemas.keywords_left = self.schemas.keywords_left.saturating_sub(size);
        if self.schemas.keywords_left == 0 {
            self.problems
                .note("#", "the schemas are more than steady keeps in memory; any value is taken as right");
            return json!({});
        }
        let mut out = Map::new();
        let reference = ["$ref", "$dynamicRef"].iter().find_map(|key| map.get(*key)?.as_str());
        if let Some(reference) = reference
            && let Some(rewritten) = self.reference(node.document, reference)
        {
            out.insert("$ref".to_owned(), Value::String(rewritten));
        }
        if out.is_empty() || self.schemas.siblings_count {
            self.keywords(node, map, &mut out);
        }
        keywords::annotations(map, &mut out);
        if let Some(discriminator) = self.discriminator(node) {
            out.insert("discriminator".to_owned(), discriminator);
        }
        if is_nullable(node) { keywords::allow_null(out) } else { Value::Object(out) }
    }

    fn reference(&mut self, document: usize, reference: &str) -> Option<String> {
        match self.schemas.documents.target(document, reference, Some(self.scope)) {
            Ok(target) => Some(format!("#/$defs/{}", self.schemas.define(&target))),
            Err(reason) => {
                self.problems.note(self.place, format!("{reason}; any value is taken as right there"));
                None
            }
        }
    }

    /// `discriminator` with its mapping leading to definitions; a bare property name in 2.0.
    fn discriminator(&mut self, node: Node<'d>) -> Option<Value> {
        let discriminator = node.get("discriminator")?;
        if let Some(property) = discriminator.value.as_str() {
            return Some(json!({ "propertyName": property }));
        }
        let property = discriminator.text("propertyName")?;
        let mut mapping = Map::new();
        for (value, target) in discriminator.get("mapping").into_iter().flat_map(Node::entries) {
            let documents = self.schemas.documents;
            let found = target.value.as_str().and_then(|text| documents.named(node.document, text));
            if let Some(found) = found {
                mapping.insert(value.to_owned(), format!("#/$defs/{}", self.schemas.define(&found)).into());
            }
        }
        let mut out = Map::from_iter([("propertyName".to_owned(), property.into())]);
        if !mapping.is_empty() {
            out.insert("mapping".to_owned(), mapping.into());
        }
        Some(Value::Object(out))
    }
}

/// `nullable`, on the schema or, as some write it, on a part of `allOf` that says nothing else.
fn is_nullable(node: Node<'_>) -> bool {
    let marked = |node: Node<'_>| ["nullable", "x-nullable"].iter().any(|key| node.flag(key) == Some(true));
    let only_marked = |node: Node<'_>| marked(node) && node.map().is_some_and(|map| map.len() == 1);
    marked(node) || node.get("allOf").is_some_and(|parts| parts.items().any(only_marked))
}

/// Takes the `$ref` out of definitions that refer to nothing but each other.
fn break_loops(definitions: &mut Definitions, problems: &mut Problems) {
    let next = |definitions: &Definitions, index: usize| {
        let (_, value) = definitions.get_index(index)?;
        definitions.get_index_of(value.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?)
    };
    // The walk a definition was first met on; meeting one again on the same walk closes a loop.
    let mut met = vec![usize::MAX; definitions.len()];
    for start in 0..definitions.len() {
        let mut at = start;
        while met[at] == usize::MAX {
            met[at] = start;
            match next(definitions, at) {
                Some(further) if met[further] == start => {
                    if let Some((name, Value::Object(map))) = definitions.get_index_mut(at) {
                        map.remove("$ref");
                        let message = "refers only to itself; any value is taken as right there";
                        problems.note(&format!("#/$defs/{name}"), message);
                    }
                }
                Some(further) => at = further,
                None => {}
            }
        }
    }
}

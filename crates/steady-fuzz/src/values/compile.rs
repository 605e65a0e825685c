//! Compiles schemas into shapes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value};
use steady_openapi::{Definitions, Schema};
use xxhash_rust::xxh3::xxh3_128;

use super::allowance::Excess;
use super::flatten::{alternatives, definition_name};
use super::format::Format;
use super::pattern::Pattern;
use super::shape::{Kind, Numeric, Property, Shape, StringShape};

/// How deep a shape is compiled before it is cut off as anything.
const MAX_DEPTH: usize = 24;

/// The shapes of an API; definitions are compiled when first needed.
///
/// Schemas that have to be folded become definitions without a name of their own: compiled in place, a document whose
/// schemas extend each other would be copied once per path through it.
#[derive(Debug)]
pub struct Shapes {
    definitions: Arc<Definitions>,
    unnamed: RefCell<IndexMap<Rc<str>, Value>>,
    named: RefCell<IndexMap<Rc<str>, Rc<Shape>>>,
    /// Shapes whose values are all too large, by where they are: those of a catalog stay there.
    oversize: RefCell<BTreeMap<*const Shape, Excess>>,
}

impl Shapes {
    /// Shapes over these definitions.
    pub fn new(definitions: Arc<Definitions>) -> Self {
        Self {
            definitions,
            unnamed: RefCell::default(),
            named: RefCell::default(),
            oversize: RefCell::default(),
        }
    }

    /// The shape of a schema.
    pub fn of(&self, schema: &Schema) -> Shape {
        self.compile(&schema.0, 0)
    }

    /// Why no valid value of a shape can be made, if that was found out.
    pub fn excess(&self, shape: &Shape) -> Option<Excess> {
        self.oversize.borrow().get(&ptr::from_ref(shape)).copied()
    }

    /// Remembers that no valid value of a shape can be made.
    pub(super) fn note_excess(&self, shape: &Shape, excess: Excess) {
        self.oversize.borrow_mut().insert(shape, excess);
    }

    /// The shape of a named definition.
    pub fn named(&self, name: &str) -> Rc<Shape> {
        if let Some(shape) = self.named.borrow().get(name) {
            return Rc::clone(shape);
        }
        // A definition's own name inside it compiles to a reference, so this ends.
        let unnamed = self.unnamed.borrow().get(name).cloned();
        let shape = Rc::new(match self.definitions.get(name).or(unnamed.as_ref()) {
            Some(schema) => self.compile_here(schema, 0),
            None => Shape::of(Kind::Any),
        });
        self.named.borrow_mut().insert(name.into(), Rc::clone(&shape));
        shape
    }

    fn compile(&self, schema: &Value, depth: usize) -> Shape {
        if depth > MAX_DEPTH {
            return Shape::of(Kind::Any);
        }
        // A plain reference stays one: recursion ends here, and shared definitions are compiled once.
        if let Some(name) = plain_reference(schema)
            && self.definitions.contains_key(name)
        {
            return Shape::of(Kind::Reference(name.into()));
        }
        if let Some(parts) = plain_union(schema) {
            return Shape::of(Kind::Union(parts.iter().map(|part| self.compile(part, depth + 1)).collect()));
        }
        if depth > 0 && needs_folding(schema) {
            return self.deferred(schema);
        }
        self.compile_here(schema, depth)
    }

    /// A reference to a schema that has no name: equal schemas share one.
    fn deferred(&self, schema: &Value) -> Shape {
        let name: Rc<str> = format!("unnamed {:032x}", xxh3_128(schema.to_string().as_bytes())).into();
        self.unnamed.borrow_mut().entry(Rc::clone(&name)).or_insert_with(|| schema.clone());
        Shape {
            kind: Kind::Reference(name),
            examples: examples(schema.as_object()),
            read_only: is_read_only(schema),
        }
    }

    fn compile_here(&self, schema: &Value, depth: usize) -> Shape {
        let branches = alternatives(schema, &self.definitions);
        let mut shapes: Vec<Shape> = branches.iter().flat_map(|branch| self.typed(branch, depth)).collect();
        let mut shape = match shapes.len() {
            0 => Shape::of(Kind::Never),
            1 => shapes.remove(0),
            _ => Shape::of(Kind::Union(shapes)),
        };
        if shape.examples.is_empty() {
            shape.examples = examples(schema.as_object());
        }
        shape.read_only = is_read_only(schema);
        shape
    }

    /// One shape per type the keywords admit.
    fn typed(&self, keywords: &Map<String, Value>, depth: usize) -> Vec<Shape> {
        let offered = examples(Some(keywords));
        let with_examples = |kind| Shape { kind, examples: offered.clone(), read_only: false };
        if let Some(value) = keywords.get("const") {
            return vec![with_examples(Kind::Enumeration(vec![value.clone()]))];
        }
        if let Some(Value::Array(values)) = keywords.get("enum")
            && !values.is_empty()
        {
            return vec![with_examples(Kind::Enumeration(values.clone()))];
        }
        let names: Vec<&str> = match keywords.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => implied_type(keywords).into_iter().collect(),
        };
        if names.is_empty() {
            return vec![with_examples(Kind::Any)];
        }
        names.into_iter().map(|name| with_examples(self.kind(name, keywords, depth))).collect()
    }

    fn kind(&self, name: &str, keywords: &Map<String, Value>, depth: usize) -> Kind {
        match name {
            "null" => Kind::Null,
            "boolean" => Kind::Boolean,
            "integer" => Kind::Integer(numeric(keywords, true)),
            "number" => Kind::Number(numeric(keywords, false)),
            "string" => Kind::String(string(keywords)),
            "array" => self.array(keywords, depth),
            "object" => self.object(keywords, depth),
            _ => Kind::Any,
        }
    }

    fn array(&self, keywords: &Map<String, Value>, depth: usize) -> Kind {
        let items =
            keywords.get("items").map_or(Shape::of(Kind::Any), |items| self.compile(items, depth + 1));
        let prefix =
            keywords.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Kind::Array {
            items: Box::new(items),
            prefix: prefix.iter().map(|item| self.compile(item, depth + 1)).collect(),
            min: length(keywords, "minItems").unwrap_or(0),
            max: length(keywords, "maxItems"),
            unique: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
        }
    }

    fn object(&self, keywords: &Map<String, Value>, depth: usize) -> Kind {
        let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: IndexSet<&str> = required.filter_map(Value::as_str).collect();
        let described = keywords.get("properties").and_then(Value::as_object);
        let mut properties: Vec<Property> = described
            .into_iter()
            .flatten()
            .map(|(name, schema)| Property {
                name: name.clone(),
                shape: self.compile(schema, depth + 1),
                required: required.contains(name.as_str()),
            })
            .collect();
        let undescribed =
            required.into_iter().filter(|name| described.is_none_or(|known| !known.contains_key(*name)));
        properties.extend(undescribed.map(|name| Property {
            name: name.to_owned(),
            shape: Shape::of(Kind::Any),
            required: true,
        }));
        let additional = match keywords.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(schema @ Value::Object(_)) => Some(Box::new(self.compile(schema, depth + 1))),
            _ => Some(Box::new(Shape::of(Kind::Any))),
        };
        Kind::Object { properties, additional, min: length(keywords, "minProperties").unwrap_or(0) }
    }
}

/// The name of a schema that is a reference and nothing else that matters.
fn plain_reference(schema: &Value) -> Option<&str> {
    let keywords = schema.as_object()?;
    let constrains =
        |keyword: &String| !matches!(keyword.as_str(), "$ref" | "description" | "title" | "deprecated");
    if keywords.keys().any(constrains) { None } else { definition_name(keywords.get("$ref")?) }
}

/// Whether more than the keywords at hand say what the schema admits.
fn needs_folding(schema: &Value) -> bool {
    ["$ref", "allOf", "anyOf", "oneOf"].iter().any(|keyword| schema.get(keyword).is_some())
}

fn is_read_only(schema: &Value) -> bool {
    schema.get("readOnly") == Some(&Value::Bool(true))
}

/// The parts of a schema that is a union and nothing else that matters.
fn plain_union(schema: &Value) -> Option<&Vec<Value>> {
    let keywords = schema.as_object()?;
    let constrains = |keyword: &String| {
        !matches!(
            keyword.as_str(),
            "oneOf" | "anyOf" | "description" | "title" | "deprecated" | "discriminator"
        )
    };
    let parts = keywords.get("oneOf").xor(keywords.get("anyOf"))?.as_array()?;
    (!parts.is_empty() && !keywords.keys().any(constrains)).then_some(parts)
}

/// The type that keywords without `type` speak of.
fn implied_type(keywords: &Map<String, Value>) -> Option<&'static str> {
    let any = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
    if any(&["properties", "required", "additionalProperties", "minProperties"]) {
        Some("object")
    } else if any(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]) {
        Some("array")
    } else if any(&["pattern", "minLength", "maxLength", "format"]) {
        Some("string")
    } else if any(&["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]) {
        Some("number")
    } else {
        None
    }
}

fn examples(keywords: Option<&Map<String, Value>>) -> Vec<Value> {
    let mut found = Vec::new();
    if let Some(keywords) = keywords {
        found.extend(keywords.get("examples").and_then(Value::as_array).into_iter().flatten().cloned());
        found.extend(keywords.get("default").cloned());
    }
    found
}

fn length(keywords: &Map<String, Value>, keyword: &str) -> Option<usize> {
    keywords.get(keyword).and_then(Value::as_u64).and_then(|length| usize::try_from(length).ok())
}

fn numeric(keywords: &Map<String, Value>, integer: bool) -> Numeric {
    let number = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
    let format = keywords.get("format").and_then(Value::as_str);
    let (low, high) = match (integer, format) {
        (true, Some("int64" | "long")) => (-9.007_199_254_740_991e15, 9.007_199_254_740_991e15),
        (true, Some("uint32" | "uint64")) => (0.0, f64::from(u32::MAX)),
        (true, _) => (f64::from(i32::MIN), f64::from(i32::MAX)),
        (false, _) => (-1e12, 1e12),
    };
    let (exclusive_min, exclusive_max) = (number("exclusiveMinimum"), number("exclusiveMaximum"));
    let min = exclusive_min.or(number("minimum"));
    let max = exclusive_max.or(number("maximum"));
    Numeric {
        // A limit only one side has leaves the other side its type's range.
        min: min.or(Some(max.map_or(low, |max| low.min(max - 1000.0)))),
        max: max.or(Some(min.map_or(high, |min| high.max(min + 1000.0)))),
        exclusive_min: exclusive_min.is_some(),
        exclusive_max: exclusive_max.is_some(),
        states_min: min.is_some(),
        states_max: max.is_some(),
        multiple_of: number("multipleOf").filter(|step| *step > 0.0),
    }
}

fn string(keywords: &Map<String, Value>) -> StringShape {
    StringShape {
        min: length(keywords, "minLength").unwrap_or(0),
        max: length(keywords, "maxLength"),
        format: keywords.get("format").and_then(Value::as_str).and_then(Format::named),
        pattern: keywords.get("pattern").and_then(Value::as_str).and_then(Pattern::compile).map(Rc::new),
    }
}

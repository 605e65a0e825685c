//! The keywords of a schema, each repaired or dropped on its own.

use serde_json::{Map, Number, Value, json};

use super::{Rewriter, types};
use crate::node::Node;

const MAX_EXAMPLES: usize = 20;

impl<'d> Rewriter<'_, 'd> {
    /// Writes the keywords that say which values are right.
    pub(super) fn keywords(
        &mut self,
        node: Node<'d>,
        map: &'d Map<String, Value>,
        out: &mut Map<String, Value>,
    ) {
        for (key, value) in map {
            let node = node.with(value);
            let rewritten = match key.as_str() {
                "properties" | "patternProperties" | "dependentSchemas" => self.schemas_by_name(node),
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => self.list(node),
                "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems" => Some(self.schema(node)),
                "additionalProperties" => self.extra(node),
                "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
                | "minContains" | "maxContains" => count(value).map(Value::from),
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => number(value),
                "multipleOf" => {
                    number(value).filter(|number| number.as_f64().is_some_and(|number| number > 0.0))
                }
                "uniqueItems" => value.as_bool().map(Value::Bool),
                "enum" => value.as_array().filter(|values| !values.is_empty()).map(|values| json!(values)),
                "const" => Some(value.clone()),
                "pattern" => value.as_str().map(|pattern| Value::String(plain_pattern(pattern))),
                "format" | "contentEncoding" | "contentMediaType" => value.as_str().map(Value::from),
                "required" => names(value),
                "dependentRequired" => names_by_name(value),
                _ => None,
            };
            if let Some(rewritten) = rewritten {
                out.insert(key.clone(), rewritten);
            }
        }
        if let Some(given) = map.get("type") {
            types::write(given, out);
        }
        self.items(node, out);
        self.dependencies(node, out);
        exclusive(map, out, "minimum", "exclusiveMinimum");
        exclusive(map, out, "maximum", "exclusiveMaximum");
        fit_enum(out);
    }

    fn schemas_by_name(&mut self, node: Node<'d>) -> Option<Value> {
        // `properties: {$ref: …}` borrows another schema's properties; a property may also be called `$ref`.
        let node = self.schemas.documents.resolve(node).ok()?;
        let rewritten: Map<_, _> =
            node.entries().map(|(name, node)| (name.to_owned(), self.schema(node))).collect();
        (!rewritten.is_empty()).then_some(Value::Object(rewritten))
    }

    fn list(&mut self, node: Node<'d>) -> Option<Value> {
        let rewritten: Vec<Value> = node.items().map(|node| self.schema(node)).collect();
        (!rewritten.is_empty()).then_some(Value::Array(rewritten))
    }

    fn extra(&mut self, node: Node<'d>) -> Option<Value> {
        match node.value {
            Value::String(text) => text.parse().ok().map(Value::Bool),
            Value::Bool(_) | Value::Object(_) => Some(self.schema(node)),
            _ => None,
        }
    }

    /// `items`, which is a tuple as a list in older drafts, and a list of one by mistake.
    fn items(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        let Some(items) = node.get("items") else { return };
        match items.value.as_array().map(Vec::as_slice) {
            None => drop(out.insert("items".to_owned(), self.schema(items))),
            Some([]) => {}
            Some([only]) => drop(out.insert("items".to_owned(), self.schema(items.with(only)))),
            Some(_) => {
                if let Some(tuple) = self.list(items) {
                    out.insert("prefixItems".to_owned(), tuple);
                }
                if let Some(further) = node.get("additionalItems") {
                    out.insert("items".to_owned(), self.schema(further));
                }
            }
        }
    }

    /// `dependencies`, which later drafts split in two.
    fn dependencies(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        for (name, dependency) in node.get("dependencies").into_iter().flat_map(Node::entries) {
            let (key, value) = match dependency.value {
                Value::Array(_) => {
                    ("dependentRequired", names(dependency.value).unwrap_or_else(|| json!([])))
                }
                _ => ("dependentSchemas", self.schema(dependency)),
            };
            if let Some(map) = out.entry(key).or_insert_with(|| json!({})).as_object_mut() {
                map.insert(name.to_owned(), value);
            }
        }
    }
}

/// Writes what is said about a schema without saying which values are right; examples and defaults become `examples`.
pub(super) fn annotations(map: &Map<String, Value>, out: &mut Map<String, Value>) {
    for key in ["readOnly", "writeOnly", "deprecated"] {
        if map.get(key) == Some(&Value::Bool(true)) {
            out.insert(key.to_owned(), Value::Bool(true));
        }
    }
    if let Some(xml @ Value::Object(_)) = map.get("xml") {
        out.insert("xml".to_owned(), xml.clone());
    }
    let several: Box<dyn Iterator<Item = &Value>> = match map.get("examples") {
        Some(Value::Array(values)) => Box::new(values.iter()),
        Some(Value::Object(named)) => Box::new(named.values().filter_map(|example| example.get("value"))),
        _ => Box::new(std::iter::empty()),
    };
    let single = |key| map.get(key);
    let given =
        single("example").into_iter().chain(several).chain(single("x-example")).chain(single("default"));
    let mut examples: Vec<Value> = Vec::new();
    for value in given.take(MAX_EXAMPLES) {
        let fitting = fit(value, out).unwrap_or_else(|| value.clone());
        if !examples.contains(&fitting) {
            examples.push(fitting);
        }
    }
    if !examples.is_empty() {
        out.insert("examples".to_owned(), Value::Array(examples));
    }
}

/// What `nullable: true` means: `null` too, and nothing else changed.
pub(super) fn allow_null(mut schema: Map<String, Value>) -> Value {
    const DECIDING: [&str; 7] = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"];
    if DECIDING.iter().any(|key| schema.contains_key(*key)) {
        let mut outer = Map::new();
        for key in ["readOnly", "writeOnly", "deprecated", "examples", "xml"] {
            if let Some(annotation) = schema.shift_remove(key) {
                outer.insert(key.to_owned(), annotation);
            }
        }
        outer.insert("anyOf".to_owned(), json!([schema, { "type": "null" }]));
        return Value::Object(outer);
    }
    if !types::allows(&schema, "null") {
        let with_null = match schema.get("type") {
            Some(Value::Array(names)) => names.iter().cloned().chain([json!("null")]).collect(),
            name => json!([name, "null"]),
        };
        schema.insert("type".to_owned(), with_null);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    Value::Object(schema)
}

/// A count; real documents also write `"10"` and `10.0`.
fn count(value: &Value) -> Option<u64> {
    let number = number(value)?;
    number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        (float >= 0.0 && float.fract() == 0.0 && float < 1e15).then_some(float as u64)
    })
}

/// A number; real documents also write `"10"`.
fn number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) => text.trim().parse::<Number>().ok().map(Value::Number),
        _ => None,
    }
}

/// A list of distinct names.
fn names(value: &Value) -> Option<Value> {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for name in value.as_array()?.iter().filter_map(Value::as_str) {
        if seen.insert(name) {
            names.push(name);
        }
    }
    Some(json!(names))
}

fn names_by_name(value: &Value) -> Option<Value> {
    let lists = value.as_object()?.iter().filter_map(|(key, list)| Some((key.clone(), names(list)?)));
    Some(Value::Object(lists.collect()))
}

/// `exclusiveMinimum: true` beside `minimum: 5` is today's `exclusiveMinimum: 5`.
fn exclusive(map: &Map<String, Value>, out: &mut Map<String, Value>, inclusive: &str, exclusive: &str) {
    if map.get(exclusive) == Some(&Value::Bool(true))
        && let Some(bound) = out.shift_remove(inclusive)
    {
        out.insert(exclusive.to_owned(), bound);
    }
}

/// A pattern without the slashes of a JavaScript literal.
fn plain_pattern(pattern: &str) -> String {
    let literal = pattern.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
    match literal {
        Some((inner, "" | "g" | "u")) => inner.to_owned(),
        Some((inner, "i" | "gi" | "ig")) => format!("(?i){inner}"),
        _ => pattern.to_owned(),
    }
}

/// Makes an enumeration agree with the type beside it.
fn fit_enum(out: &mut Map<String, Value>) {
    let Some(Value::Array(values)) = out.get("enum") else { return };
    let fitting: Vec<Option<Value>> = values.iter().map(|value| fit(value, out)).collect();
    if fitting.iter().any(Option::is_some) {
        let values =
            values.iter().zip(fitting).map(|(value, fitting)| fitting.unwrap_or_else(|| value.clone()));
        let values: Vec<Value> = values.collect();
        out.insert("enum".to_owned(), Value::Array(values));
        return;
    }
    // On an array the items are meant; anything else that fits nowhere is dropped.
    let Some(values) = out.shift_remove("enum") else { return };
    if let Some(items) = out.get_mut("items").and_then(Value::as_object_mut)
        && !items.contains_key("$ref")
    {
        items.entry("enum").or_insert(values);
        fit_enum(items);
    }
}

/// The value as the schema's type wants it, such as `"1"` for 1 where a string is asked for; `None` when it cannot be.
fn fit(value: &Value, schema: &Map<String, Value>) -> Option<Value> {
    let allowed = |kind| types::allows(schema, kind);
    let as_it_is = match value {
        Value::Null => allowed("null"),
        Value::Bool(_) => allowed("boolean"),
        Value::Number(number) => allowed("number") || (allowed("integer") && !is_fraction(number)),
        Value::String(_) => allowed("string"),
        Value::Array(_) => allowed("array"),
        Value::Object(_) => allowed("object"),
    };
    if as_it_is {
        return Some(value.clone());
    }
    match value {
        Value::Bool(_) | Value::Number(_) if allowed("string") => Some(Value::String(value.to_string())),
        Value::String(text) => {
            let text = text.trim();
            let parsed = match text.parse::<Number>() {
                Ok(number) => Value::Number(number),
                Err(_) => Value::Bool(text.to_ascii_lowercase().parse().ok()?),
            };
            fit(&parsed, schema)
        }
        _ => None,
    }
}

fn is_fraction(number: &Number) -> bool {
    number.as_f64().is_some_and(|number| number.fract() != 0.0)
}

//! An example of a schema.

use serde_json::{Map, Value, json};
use steady_openapi::Definitions;

/// Deeper than that, only what is required is made; twice as deep, nothing.
const DEEP: usize = 5;

/// A value that fits the schema: an example, default or constant of its own where it has one, otherwise the plainest value of its type.
pub fn example(schema: &Value, definitions: &Definitions) -> Value {
    make(schema, definitions, &mut Vec::new(), 0)
}

/// `inside` has the names of the definitions around, which an example does not enter again unless it has to.
fn make<'d>(
    schema: &'d Value,
    definitions: &'d Definitions,
    inside: &mut Vec<&'d str>,
    depth: usize,
) -> Value {
    let Some(keywords) = schema.as_object() else { return json!({}) };
    if depth > 2 * DEEP {
        return Value::Null;
    }
    let stated = ["const", "example", "default"].iter().find_map(|name| keywords.get(*name));
    let listed = ["examples", "enum"].iter().find_map(|name| keywords.get(*name)?.as_array()?.first());
    if let Some(value) = stated.or(listed) {
        return value.clone();
    }
    if let Some(name) = reference(keywords) {
        let Some(definition) = definitions.get(name) else { return Value::Null };
        if inside.iter().filter(|outer| **outer == name).count() > 1 {
            return Value::Null;
        }
        inside.push(name);
        let value = make(definition, definitions, inside, depth + 1);
        inside.pop();
        return value;
    }
    if let Some(parts) = keywords.get("allOf").and_then(Value::as_array) {
        let mut whole = Map::new();
        for part in parts.iter().filter(|part| part.is_object()) {
            match make(part, definitions, inside, depth + 1) {
                Value::Object(properties) => whole.extend(properties),
                other if whole.is_empty() && parts.len() == 1 => return other,
                _ => {}
            }
        }
        if let Value::Object(properties) = object(keywords, definitions, inside, depth) {
            whole.extend(properties);
        }
        return Value::Object(whole);
    }
    if let Some(choice) = ["oneOf", "anyOf"].iter().find_map(|name| keywords.get(*name)?.as_array()?.first())
    {
        return make(choice, definitions, inside, depth + 1);
    }
    match kind(keywords) {
        "object" => object(keywords, definitions, inside, depth),
        "array" => array(keywords, definitions, inside, depth),
        "string" => text(keywords).into(),
        "integer" => (number(keywords).ceil() as i64).into(),
        "number" => json!(number(keywords)),
        "boolean" => true.into(),
        _ => Value::Null,
    }
}

fn reference(keywords: &Map<String, Value>) -> Option<&str> {
    keywords.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// The type that is stated, or that the other keywords speak of.
fn kind(keywords: &Map<String, Value>) -> &str {
    let stated = keywords.get("type").and_then(|kind| match kind {
        Value::String(name) => Some(name.as_str()),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    });
    stated.unwrap_or_else(|| {
        if keywords.contains_key("items") {
            "array"
        } else if ["pattern", "format", "minLength", "maxLength"]
            .iter()
            .any(|name| keywords.contains_key(*name))
        {
            "string"
        } else if ["minimum", "maximum"].iter().any(|name| keywords.contains_key(*name)) {
            "number"
        } else {
            "object"
        }
    })
}

fn object<'d>(
    keywords: &'d Map<String, Value>,
    definitions: &'d Definitions,
    inside: &mut Vec<&'d str>,
    depth: usize,
) -> Value {
    let required: Vec<&str> = keywords
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut value = Map::new();
    for (name, schema) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let needed = required.contains(&name.as_str());
        let leads_back =
            schema.as_object().and_then(reference).is_some_and(|target| inside.contains(&target));
        let hidden = schema.get("writeOnly").is_some_and(|flag| flag == &Value::Bool(true));
        if !hidden && (needed || depth < DEEP && !leads_back) {
            value.insert(name.clone(), make(schema, definitions, inside, depth + 1));
        }
    }
    for name in required {
        value.entry(name).or_insert_with(|| json!({}));
    }
    Value::Object(value)
}

fn array<'d>(
    keywords: &'d Map<String, Value>,
    definitions: &'d Definitions,
    inside: &mut Vec<&'d str>,
    depth: usize,
) -> Value {
    let least = keywords.get("minItems").and_then(Value::as_u64).unwrap_or(0);
    let Some(items) = keywords.get("items").filter(|items| items.is_object()) else { return json!([]) };
    let leads_back = items.as_object().and_then(reference).is_some_and(|target| inside.contains(&target));
    let count = if leads_back { least } else { least.clamp(1, 100) };
    let most = keywords.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
    (0..count.min(most).min(100)).map(|_| make(items, definitions, inside, depth + 1)).collect()
}

fn text(keywords: &Map<String, Value>) -> String {
    let format = keywords.get("format").and_then(Value::as_str).unwrap_or_default();
    let plain = match format {
        "date-time" => "2024-01-15T09:30:00Z",
        "date" => "2024-01-15",
        "time" => "09:30:00Z",
        "duration" => "PT1H",
        "email" | "idn-email" => "user@example.com",
        "uuid" => "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "uri" | "url" | "iri" => "https://example.com/",
        "uri-reference" => "/example",
        "hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "byte" => "ZXhhbXBsZQ==",
        _ => "string",
    };
    let length = |name: &str| keywords.get(name).and_then(Value::as_u64).map(|length| length as usize);
    let least = length("minLength").unwrap_or(0).min(10_000);
    let most = length("maxLength").unwrap_or(usize::MAX);
    plain.chars().chain(std::iter::repeat('x')).take(plain.len().max(least).min(most)).collect()
}

fn number(keywords: &Map<String, Value>) -> f64 {
    let bound = |name: &str| keywords.get(name).and_then(Value::as_f64);
    let least = bound("minimum").or_else(|| bound("exclusiveMinimum").map(|least| least + 1.0));
    let most = bound("maximum").or_else(|| bound("exclusiveMaximum").map(|most| most - 1.0));
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    let value = least.unwrap_or_else(|| most.map_or(1.0, |most| most.min(1.0)));
    step.map_or(value, |step| (value / step).ceil() * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_fit_their_schemas() {
        let definitions: Definitions = [
            ("Node".to_owned(), json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}, "all": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}})),
            ("Loop".to_owned(), json!({"$ref": "#/$defs/Loop"})),
        ]
        .into_iter()
        .collect();
        let table = [
            (json!({"type": "string"}), json!("string")),
            (json!({"type": ["null", "string"], "minLength": 8}), json!("stringxx")),
            (json!({"type": "string", "maxLength": 2}), json!("st")),
            (json!({"format": "date"}), json!("2024-01-15")),
            (json!({"type": "integer", "minimum": 3, "multipleOf": 5}), json!(5)),
            (json!({"type": "integer", "maximum": -4}), json!(-4)),
            (json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2}), json!([true, true])),
            (json!({"enum": ["b", "c"]}), json!("b")),
            (json!({"type": "string", "default": "d", "enum": ["b"]}), json!("d")),
            (json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}), json!(1)),
            (
                json!({"allOf": [{"properties": {"a": {"type": "integer"}}}], "properties": {"b": {"const": 2}}}),
                json!({"a": 1, "b": 2}),
            ),
            (json!({"$ref": "#/$defs/Node"}), json!({"id": 1, "all": []})),
            (json!({"$ref": "#/$defs/Loop"}), Value::Null),
            (json!({"$ref": "#/$defs/None"}), Value::Null),
            (json!(true), json!({})),
            (
                json!({"type": "object", "properties": {"p": {"type": "string", "writeOnly": true}}}),
                json!({}),
            ),
        ];
        for (schema, expected) in table {
            assert_eq!(example(&schema, &definitions), expected, "{schema}");
        }
    }
}

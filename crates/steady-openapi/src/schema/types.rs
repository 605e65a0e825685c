//! The `type` keyword, and the many things written there.

use serde_json::{Map, Value, json};

const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// The JSON Schema type that was meant.
pub(super) fn known(name: &str) -> Option<&'static str> {
    let name = name.trim().to_ascii_lowercase();
    TYPES.into_iter().find(|known| *known == name).or(match name.as_str() {
        "int" | "int32" | "int64" | "long" | "short" => Some("integer"),
        "float" | "double" | "decimal" | "numeric" => Some("number"),
        "bool" => Some("boolean"),
        "str" | "text" | "file" | "binary" | "byte" | "date" | "datetime" | "date-time" | "uuid" | "uri"
        | "email" => Some("string"),
        "list" => Some("array"),
        "map" | "dict" | "hash" => Some("object"),
        "nil" => Some("null"),
        _ => None,
    })
}

/// Writes `type` and, where the type's name says more than the type, `format`.
pub(super) fn write(given: &Value, out: &mut Map<String, Value>) {
    let names: Vec<&str> = match given {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let mut types: Vec<&str> = Vec::new();
    for name in &names {
        // An unknown type may be anything, and so may a list with one in it.
        let Some(kind) = known(name) else { return };
        if !types.contains(&kind) {
            types.push(kind);
        }
    }
    let format = names.iter().find_map(|name| match name.to_ascii_lowercase().as_str() {
        "file" | "binary" => Some("binary"),
        "date" => Some("date"),
        "datetime" | "date-time" => Some("date-time"),
        "uuid" => Some("uuid"),
        _ => None,
    });
    if let Some(format) = format {
        out.insert("format".to_owned(), format.into());
    }
    match types.as_slice() {
        [] => {}
        [one] => drop(out.insert("type".to_owned(), json!(one))),
        several => drop(out.insert("type".to_owned(), json!(several))),
    }
}

/// Whether `type` allows this type.
pub(super) fn allows(schema: &Map<String, Value>, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => true,
    }
}

//! Preparing a schema together with the definitions it needs.

use std::collections::BTreeSet;

use jsonschema::{Draft, PatternOptions};
use serde_json::{Map, Value, json};

use super::SchemaError;
use super::explain::message;
use crate::Definitions;
use crate::schema::walk;

/// Steps a pattern may backtrack before it gives up; patterns without lookaround or backreference never do.
const MAX_BACKTRACKING: usize = 100_000;
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// Which way a value travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Request,
    Response,
}

/// A schema the validator took.
pub(super) struct Compiled {
    pub validator: jsonschema::Validator,
    /// Whether it has patterns that backtrack.
    pub may_give_up: bool,
}

/// Compiles a schema with the definitions it reaches, and no others.
pub(super) fn compile(
    schema: &Value,
    definitions: &Definitions,
    direction: Direction,
) -> Result<Compiled, SchemaError> {
    let mut whole = schema.clone();
    if let Value::Object(map) = &mut whole {
        map.insert("$defs".to_owned(), Value::Object(reachable(schema, definitions)));
    }
    relax_required(&mut whole, definitions, direction);
    let built = build(&whole).or_else(|error| {
        // A pattern that no engine accepts spoils the whole schema: try again without such patterns.
        if drop_bad_patterns(&mut whole) { build(&whole) } else { Err(error) }
    });
    built.map(|validator| Compiled { validator, may_give_up: may_backtrack(&whole) })
}

fn build(schema: &Value) -> Result<jsonschema::Validator, SchemaError> {
    let patterns =
        PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKING).size_limit(MAX_PATTERN_BYTES);
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_pattern_options(patterns)
        .offline()
        .build(schema)
        .map_err(|error| SchemaError { message: message(&error) })
}

/// The definitions a schema refers to, and those they refer to.
fn reachable(schema: &Value, definitions: &Definitions) -> Map<String, Value> {
    let mut names = BTreeSet::new();
    let mut waiting = Vec::new();
    let mut reached = Map::new();
    references(schema, &mut names, &mut waiting);
    while let Some(name) = waiting.pop() {
        if let Some(definition) = definitions.get(&name) {
            references(definition, &mut names, &mut waiting);
            reached.insert(name, definition.clone());
        }
    }
    reached
}

/// Notes the names of definitions that are not in `names` yet.
fn references(schema: &Value, names: &mut BTreeSet<String>, new: &mut Vec<String>) {
    walk::visit(schema, &mut |map| {
        if let Some(name) = map.get("$ref").and_then(definition_name)
            && names.insert(name.to_owned())
        {
            new.push(name.to_owned());
        }
    });
}

/// The definition a rewritten `$ref` leads to.
pub(super) fn definition_name(reference: &Value) -> Option<&str> {
    reference.as_str()?.strip_prefix("#/$defs/")
}

/// Takes properties that do not travel in this direction out of `required`, and what no check needs.
pub(super) fn relax_required(schema: &mut Value, definitions: &Definitions, direction: Direction) {
    let mark = match direction {
        Direction::Request => "readOnly",
        Direction::Response => "writeOnly",
    };
    let marked = |property: &Value| {
        let target = property.get("$ref").and_then(definition_name).and_then(|name| definitions.get(name));
        [Some(property), target]
            .into_iter()
            .flatten()
            .any(|schema| schema.get(mark) == Some(&Value::Bool(true)))
    };
    walk::edit(schema, &mut |map| {
        map.swap_remove("examples");
        let (Some(Value::Object(properties)), Some(Value::Array(required))) =
            (map.get("properties"), map.get("required"))
        else {
            return true;
        };
        let travels =
            |name: &&Value| !name.as_str().and_then(|name| properties.get(name)).is_some_and(marked);
        let kept: Vec<Value> = required.iter().filter(travels).cloned().collect();
        map.insert("required".to_owned(), Value::Array(kept));
        true
    });
}

/// Takes out patterns no engine takes; whether there were any.
fn drop_bad_patterns(schema: &mut Value) -> bool {
    let is_bad = |pattern: &str| build(&json!({ "pattern": pattern })).is_err();
    let mut dropped = false;
    walk::edit(schema, &mut |map| {
        if map.get("pattern").and_then(Value::as_str).is_some_and(is_bad) {
            map.shift_remove("pattern");
            dropped = true;
        }
        let Some(Value::Object(patterns)) = map.get_mut("patternProperties") else { return true };
        let before = patterns.len();
        patterns.retain(|pattern, _| !is_bad(pattern));
        if patterns.len() < before {
            // Names that only a lost pattern allowed must not count as additional ones now.
            map.shift_remove("additionalProperties");
            map.shift_remove("unevaluatedProperties");
            dropped = true;
        }
        true
    });
    dropped
}

/// Whether a pattern has lookaround or a backreference, or at least looks like it.
fn may_backtrack(schema: &Value) -> bool {
    let backtracks = |pattern: &str| {
        let mut pairs = pattern.as_bytes().windows(2);
        ["(?=", "(?!", "(?<"].iter().any(|look| pattern.contains(look))
            || pairs.any(|pair| pair[0] == b'\\' && (pair[1].is_ascii_digit() || pair[1] == b'k'))
    };
    let mut found = false;
    walk::visit(schema, &mut |map| {
        let by_name = map.get("patternProperties").and_then(Value::as_object);
        let mut patterns = by_name
            .into_iter()
            .flat_map(|map| map.keys().map(String::as_str))
            .chain(map.get("pattern").and_then(Value::as_str));
        found |= patterns.any(backtracks);
    });
    found
}

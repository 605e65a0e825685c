//! Checking values against schemas.
//!
//! The only module that knows which validator does it. Values come from an API that is not trusted: patterns run on an
//! engine with a limit, and what is reported is bounded.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions};
use serde_json::{Map, Value, json};

use crate::schema::walk;
use crate::{Api, Definitions, Schema};

const MAX_ISSUES: usize = 20;
const MAX_MESSAGE: usize = 300;
/// Steps a pattern may backtrack before it counts as undecided; patterns without lookaround never do.
const MAX_BACKTRACKING: usize = 100_000;
const MAX_PATTERN_BYTES: usize = 1 << 20;
/// Values with more parts than this are reported with their first issue only, as issues are all found before the first is seen.
const MAX_PARTS_FOR_ALL_ISSUES: usize = 10_000;

/// The schema cannot be checked against.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the schema cannot be used: {message}")]
pub struct SchemaError {
    /// What is wrong with it.
    pub message: String,
}

/// Something about a value that its schema forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationIssue {
    /// Where in the value, as a JSON pointer.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

/// A schema, ready to check values.
#[derive(Debug, Clone)]
pub struct Validator(Arc<jsonschema::Validator>);

/// Which way a value travels: `readOnly` properties are not asked of requests, `writeOnly` ones not of responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Request,
    Response,
}

impl Api {
    /// Prepares a schema for checking what the API answers.
    pub fn validator(&self, schema: &Schema) -> Result<Validator, SchemaError> {
        compile(schema, &self.definitions, Direction::Response)
    }

    /// Prepares a schema for checking what is sent to the API.
    pub fn request_validator(&self, schema: &Schema) -> Result<Validator, SchemaError> {
        compile(schema, &self.definitions, Direction::Request)
    }
}

impl Validator {
    /// Whether the value is right. What cannot be decided within limits counts as right.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value) || self.0.validate(value).is_err_and(|error| is_undecided(&error))
    }

    /// What is wrong with the value; not everything where it is much.
    pub fn errors(&self, value: &Value) -> Vec<ValidationIssue> {
        if self.is_valid(value) {
            return Vec::new();
        }
        if parts(value, MAX_PARTS_FOR_ALL_ISSUES) >= MAX_PARTS_FOR_ALL_ISSUES {
            return self.0.validate(value).err().iter().map(issue).collect();
        }
        let errors = self.0.iter_errors(value).filter(|error| !is_undecided(error));
        errors.take(MAX_ISSUES).map(|error| issue(&error)).collect()
    }
}

fn issue(error: &jsonschema::ValidationError<'_>) -> ValidationIssue {
    let mut message = Bounded { text: String::new(), left: MAX_MESSAGE };
    if write!(message, "{error}").is_err() {
        message.text.push('…');
    }
    ValidationIssue { pointer: error.instance_path().to_string(), message: message.text }
}

fn is_undecided(error: &jsonschema::ValidationError<'_>) -> bool {
    matches!(error.kind(), ValidationErrorKind::BacktrackLimitExceeded { .. })
}

/// Takes text up to a length, then refuses, so that nobody goes on formatting a huge value.
struct Bounded {
    text: String,
    left: usize,
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for c in more.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

/// How many values a value is made of, counted no further than `limit`.
fn parts(value: &Value, limit: usize) -> usize {
    let mut waiting = vec![value];
    let mut count = 0;
    while let Some(value) = waiting.pop() {
        count += 1;
        if count + waiting.len() >= limit {
            return limit;
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().take(limit)),
            Value::Object(map) => waiting.extend(map.values().take(limit)),
            _ => {}
        }
    }
    count
}

fn compile(
    schema: &Schema,
    definitions: &Definitions,
    direction: Direction,
) -> Result<Validator, SchemaError> {
    let mut whole = (*schema.0).clone();
    if let Value::Object(map) = &mut whole {
        map.insert("$defs".to_owned(), Value::Object(reachable(&schema.0, definitions)));
    }
    relax_required(&mut whole, definitions, direction);
    let built = build(&whole).or_else(|error| {
        // A pattern no engine takes spoils the whole schema: try again without such patterns.
        if drop_bad_patterns(&mut whole) { build(&whole) } else { Err(error) }
    });
    built.map(|validator| Validator(Arc::new(validator)))
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
        .map_err(|error| SchemaError { message: issue(&error).message })
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

fn definition_name(reference: &Value) -> Option<&str> {
    reference.as_str()?.strip_prefix("#/$defs/")
}

/// Takes properties that do not travel in this direction out of `required`.
fn relax_required(schema: &mut Value, definitions: &Definitions, direction: Direction) {
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
        let Some(Value::Object(properties)) = map.get("properties") else { return };
        let exempt: BTreeSet<String> = properties
            .iter()
            .filter(|(_, property)| marked(property))
            .map(|(name, _)| name.clone())
            .collect();
        if exempt.is_empty() {
            return;
        }
        if let Some(Value::Array(required)) = map.get_mut("required") {
            required.retain(|name| name.as_str().is_none_or(|name| !exempt.contains(name)));
        }
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
        if let Some(Value::Object(patterns)) = map.get_mut("patternProperties") {
            let before = patterns.len();
            patterns.retain(|pattern, _| !is_bad(pattern));
            let lost = patterns.len() < before;
            // Names that only a lost pattern allowed must not count as additional ones now.
            if lost {
                map.shift_remove("additionalProperties");
                map.shift_remove("unevaluatedProperties");
            }
            dropped |= lost;
        }
    });
    dropped
}

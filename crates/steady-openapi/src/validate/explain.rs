//! What is wrong with a value, found without trying every combination of alternatives.
//!
//! The validator answers yes or no in time that grows with the value, but collects errors by following every
//! alternative of every alternative, which a recursive schema turns into forever. So errors are collected from one
//! definition at a time: references and alternatives in it are wrapped in a double negation, which is only ever
//! answered yes or no. Where the answer is no, the search continues inside it.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value, json};

use super::ValidationIssue;
use super::compile::{Direction, compile, definition_name, relax_required};
use crate::schema::walk;
use crate::{Definitions, Schema};

const MAX_ISSUES: usize = 20;
const MAX_MESSAGE: usize = 300;
/// References and alternatives to explain before the rest stays unexplained.
const MAX_STEPS: usize = 200;
/// Of a value with more parts only the first issue is looked for, as all are found before the first is seen.
const MAX_PARTS_FOR_ALL_ISSUES: usize = 10_000;
const ALTERNATIVES: [&str; 2] = ["anyOf", "oneOf"];

/// Explains what is wrong with values of one schema.
#[derive(Debug)]
pub(super) struct Explainer {
    root: Schema,
    definitions: Arc<Definitions>,
    direction: Direction,
    /// Definitions met so far, by name, each compiled with its references in double negations.
    shielded: Mutex<BTreeMap<String, Option<Arc<jsonschema::Validator>>>>,
}

/// A schema and the part of the value it forbids.
struct Step<'v> {
    schema: Value,
    /// The definition it is, if it is one.
    name: Option<String>,
    value: &'v Value,
    pointer: String,
}

impl Explainer {
    pub fn new(root: Schema, definitions: Arc<Definitions>, direction: Direction) -> Self {
        Self { root, definitions, direction, shielded: Mutex::default() }
    }

    /// The issues of a value that is not valid; none when a pattern gave up and nothing else is wrong.
    pub fn explain(&self, value: &Value) -> Vec<ValidationIssue> {
        let mut issues: Vec<ValidationIssue> = Vec::new();
        let mut undecided = false;
        let root = Step { schema: (*self.root.0).clone(), name: None, value, pointer: String::new() };
        let mut steps = vec![root];
        let mut taken = 0;
        while let Some(step) = steps.pop() {
            taken += 1;
            if taken > MAX_STEPS || issues.len() >= MAX_ISSUES {
                break;
            }
            let Some(validator) = self.shielded(&step) else {
                issues.push(unexplained(&step.pointer));
                continue;
            };
            let mut further = Vec::new();
            for error in errors(&validator.validator, step.value) {
                let pointer = format!("{}{}", step.pointer, error.instance_path().as_str());
                if matches!(error.kind(), ValidationErrorKind::BacktrackLimitExceeded { .. }) {
                    undecided = true;
                } else if let Some(hidden) = hidden(&validator.schema, &error) {
                    let part = step.value.pointer(error.instance_path().as_str()).unwrap_or(step.value);
                    match self.behind(hidden, part, &pointer) {
                        Ok(step) => further.push(step),
                        Err(issue) => issues.push(issue),
                    }
                } else {
                    issues.push(ValidationIssue { pointer, message: message(&error) });
                }
            }
            steps.extend(further.into_iter().rev());
        }
        if issues.is_empty() && !undecided {
            issues.push(unexplained(""));
        }
        issues.truncate(MAX_ISSUES);
        issues
    }

    /// Where the search goes on, or what there is to say when it does not.
    fn behind<'v>(
        &self,
        hidden: &Value,
        value: &'v Value,
        pointer: &str,
    ) -> Result<Step<'v>, ValidationIssue> {
        let step = |schema: &Value, name: Option<&str>| Step {
            schema: schema.clone(),
            name: name.map(str::to_owned),
            value,
            pointer: pointer.to_owned(),
        };
        if let Some(name) = hidden.get("$ref").and_then(definition_name) {
            return self
                .definitions
                .get(name)
                .map(|schema| step(schema, Some(name)))
                .ok_or_else(|| unexplained(pointer));
        }
        let Some(alternatives) = ALTERNATIVES.iter().find_map(|key| hidden.get(key)?.as_array()) else {
            return Err(unexplained(pointer));
        };
        let candidates: Vec<&Value> =
            alternatives.iter().filter(|alternative| self.is_of_type(value, alternative)).collect();
        match candidates.as_slice() {
            [only] if hidden.get("anyOf").is_some() => Ok(step(only, None)),
            _ => {
                let wanted = if hidden.get("oneOf").is_some() { "exactly one" } else { "any" };
                let value = clipped(&value);
                let message =
                    format!("{value} does not match {wanted} of the {} alternatives", alternatives.len());
                Err(ValidationIssue { pointer: pointer.to_owned(), message })
            }
        }
    }

    /// Whether a schema, or the definition it refers to, wants values of this value's type.
    fn is_of_type(&self, value: &Value, schema: &Value) -> bool {
        let target = schema.get("$ref").and_then(definition_name).and_then(|name| self.definitions.get(name));
        let kinds: &[&str] = match value {
            Value::Null => &["null"],
            Value::Bool(_) => &["boolean"],
            Value::Number(_) => &["number", "integer"],
            Value::String(_) => &["string"],
            Value::Array(_) => &["array"],
            Value::Object(_) => &["object"],
        };
        [Some(schema), target].into_iter().flatten().all(|schema| match schema.get("type") {
            Some(Value::String(name)) => kinds.contains(&name.as_str()),
            Some(Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).any(|name| kinds.contains(&name))
            }
            _ => schema.as_bool() != Some(false),
        })
    }

    fn shielded(&self, step: &Step<'_>) -> Option<Shielded> {
        let mut schema = step.schema.clone();
        relax_required(&mut schema, &self.definitions, self.direction);
        walk::edit(&mut schema, &mut shield);
        let compile = || Some(Arc::new(compile(&schema, &self.definitions, self.direction).ok()?.validator));
        let validator = match &step.name {
            None => compile(),
            Some(name) => {
                let mut known = self.shielded.lock().unwrap_or_else(PoisonError::into_inner);
                known.entry(name.clone()).or_insert_with(compile).clone()
            }
        }?;
        Some(Shielded { schema, validator })
    }
}

/// A schema whose references and alternatives are in double negations.
struct Shielded {
    schema: Value,
    validator: Arc<jsonschema::Validator>,
}

/// Wraps the references and alternatives of one schema in double negations; returns whether to continue inside.
fn shield(map: &mut Map<String, Value>) -> bool {
    if map.contains_key(SHIELD) {
        return false;
    }
    let behind = |hidden: Value| json!({ "not": { "not": hidden, SHIELD: true } });
    if map.contains_key("unevaluatedProperties") || map.contains_key("unevaluatedItems") {
        // They look at what other keywords saw, so these stay together.
        let whole = Value::Object(std::mem::take(map));
        map.insert("allOf".to_owned(), json!([behind(whole)]));
        return true;
    }
    let mut shields = Vec::new();
    for key in ["$ref"].into_iter().chain(ALTERNATIVES) {
        if let Some(hidden) = map.shift_remove(key) {
            shields.push(behind(json!({ key: hidden })));
        }
    }
    if !shields.is_empty()
        && let Value::Array(all) = map.entry("allOf").or_insert_with(|| json!([]))
    {
        all.extend(shields);
    }
    true
}

/// Marks a double negation as ours.
const SHIELD: &str = "x-steady-shield";

/// The schema inside the double negation of an error.
fn hidden<'s>(schema: &'s Value, error: &ValidationError<'_>) -> Option<&'s Value> {
    let negation = schema.pointer(error.schema_path().as_str())?;
    negation.get(SHIELD)?;
    negation.get("not")
}

fn errors<'i>(
    validator: &'i jsonschema::Validator,
    value: &'i Value,
) -> Box<dyn Iterator<Item = ValidationError<'i>> + 'i> {
    if parts(value, MAX_PARTS_FOR_ALL_ISSUES) >= MAX_PARTS_FOR_ALL_ISSUES {
        Box::new(validator.validate(value).err().into_iter())
    } else {
        Box::new(validator.iter_errors(value).take(MAX_ISSUES))
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

fn unexplained(pointer: &str) -> ValidationIssue {
    ValidationIssue { pointer: pointer.to_owned(), message: "does not match its schema".to_owned() }
}

/// An error's message, however large the value in it.
pub(super) fn message(error: &ValidationError<'_>) -> String {
    clipped(error)
}

fn clipped(content: &impl fmt::Display) -> String {
    let mut bounded = Bounded { text: String::new(), left: MAX_MESSAGE };
    if write!(bounded, "{content}").is_err() {
        bounded.text.push('…');
    }
    bounded.text
}

/// Takes text up to a length, then fails, which stops the formatting of a huge value.
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

//! Checking values against schemas.
//!
//! The only module that knows which validator does it. Values come from an API that is not trusted: patterns run on an
//! engine with a limit, what is reported is bounded, and so is the work of finding it. [`compile`] prepares schemas,
//! [`explain`] finds out what is wrong with a value.

mod compile;
mod explain;

use std::sync::Arc;

use serde_json::Value;

use self::compile::Direction;
use self::explain::Explainer;
use crate::{Api, Schema};

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

/// A schema, ready to check values. Making one takes time with large documents; a clone is cheap.
#[derive(Debug, Clone)]
pub struct Validator {
    schema: Arc<jsonschema::Validator>,
    /// Whether a pattern may give up, which leaves the answer open.
    may_give_up: bool,
    explainer: Arc<Explainer>,
}

impl Api {
    /// Prepares a schema for checking what the API answers: `writeOnly` properties are not required there.
    pub fn validator(&self, schema: &Schema) -> Result<Validator, SchemaError> {
        self.validator_for(schema, Direction::Response)
    }

    /// Prepares a schema for checking what is sent to the API: `readOnly` properties are not required there.
    pub fn request_validator(&self, schema: &Schema) -> Result<Validator, SchemaError> {
        self.validator_for(schema, Direction::Request)
    }

    fn validator_for(&self, schema: &Schema, direction: Direction) -> Result<Validator, SchemaError> {
        let compiled = compile::compile(&schema.0, &self.definitions, direction)?;
        Ok(Validator {
            schema: Arc::new(compiled.validator),
            may_give_up: compiled.may_give_up,
            explainer: Arc::new(Explainer::new(schema.clone(), Arc::clone(&self.definitions), direction)),
        })
    }
}

impl Validator {
    /// Whether the value is right. What cannot be decided within limits counts as right.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.schema.is_valid(value) || (self.may_give_up && self.explainer.explain(value).is_empty())
    }

    /// What is wrong with the value; not everything where it is much.
    pub fn errors(&self, value: &Value) -> Vec<ValidationIssue> {
        if self.schema.is_valid(value) { Vec::new() } else { self.explainer.explain(value) }
    }
}

//! Texts that the run made up and wrote into the API.

use serde_json::Value;
use steady_model::Call;
use xxhash_rust::xxh3::xxh3_64;

use super::half_life::HalfLife;
use crate::dictionary::Dictionary;
use crate::execution::Executed;

/// Texts in one half of the memory.
const MOST: usize = 50_000;
/// Shorter texts are too common to be a trace.
const LEAST: usize = 3;
/// Larger requests are not looked into.
const MOST_BODY: usize = 64 * 1024;

/// The texts, by their hashes.
#[derive(Debug)]
pub struct Written(HalfLife<u64>);

impl Default for Written {
    fn default() -> Self {
        Self(HalfLife::new(MOST))
    }
}

impl Written {
    /// Takes in what a call that worked has written, but for texts that the API had shown under the same name before.
    pub fn learn(&mut self, executed: &Executed, shown: &Dictionary) {
        let Some(body) = executed.request.body.as_ref().filter(|body| body.as_bytes().len() <= MOST_BODY)
        else {
            return;
        };
        if let Ok(value) = serde_json::from_slice(body.as_bytes()) {
            self.visit("", &value, shown);
        }
    }

    fn visit(&mut self, name: &str, value: &Value, shown: &Dictionary) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| self.visit(name, value, shown)),
            Value::Array(items) => items.iter().for_each(|item| self.visit(name, item, shown)),
            Value::String(text) if text.len() >= LEAST && !shown.knows(name, value) => {
                self.0.insert(xxh3_64(text.as_bytes()));
            }
            Value::String(_) | Value::Number(_) | Value::Null | Value::Bool(_) => {}
        }
    }

    pub fn has(&self, text: &str) -> bool {
        self.0.contains(&xxh3_64(text.as_bytes()))
    }
}

/// Whether a call of a test sends a text.
pub fn sends(call: &Call, text: &str) -> bool {
    let quoted = Value::from(text).to_string();
    let within = &quoted[1..quoted.len() - 1];
    serde_json::to_string(&call.request).is_ok_and(|request| request.contains(within))
}

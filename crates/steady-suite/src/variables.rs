//! The variables of one run of a test.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rand::{Rng, RngExt};
use serde_json::Value;
use steady_model::{Assertion, Base, Fresh, Secret, TestCase, Text};

use crate::Environment;

const FRESH_ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// Everything that is known only when a test runs: its variables and their values, in the order they were set; the address of the
/// API; and the environment lookups in the test's expectations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variables {
    values: IndexMap<String, Value>,
    base: Option<Base>,
    environment: BTreeMap<String, Secret>,
}

impl Variables {
    /// Sets a variable, in place of an earlier value.
    pub fn set(&mut self, name: impl Into<String>, value: Value) {
        self.values.insert(name.into(), value);
    }

    /// The variables, in the order they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Those of these names.
    pub fn only(&self, names: &[&str]) -> Self {
        let known = self.values.iter().filter(|(name, _)| names.contains(&name.as_str()));
        let values = known.map(|(name, value)| (name.clone(), value.clone())).collect();
        Self { values, base: self.base.clone(), environment: self.environment.clone() }
    }

    /// The same, of a run against the API at this address.
    #[must_use]
    pub fn at(mut self, base: Base) -> Self {
        self.base = Some(base);
        self
    }

    /// The same, with the environment lookups in the test's expectations.
    #[must_use]
    pub fn looked_up(mut self, test: &TestCase, environment: &dyn Environment) -> Self {
        let expected = test.calls.iter().flat_map(|call| &call.expect);
        for name in expected.flat_map(Assertion::templates).flat_map(Text::environment_variables) {
            if let Some(value) = environment.get(name) {
                self.environment.insert(name.to_owned(), Secret::new(value));
            }
        }
        self
    }

    /// The same, with every variable that is text changed.
    #[must_use]
    pub fn map_texts(mut self, change: impl Fn(&str) -> String) -> Self {
        for value in self.values.values_mut() {
            if let Value::String(text) = value {
                *text = change(text);
            }
        }
        self
    }

    /// The address of the API.
    pub fn base(&self) -> Option<&Base> {
        self.base.as_ref()
    }

    /// What the environment answered.
    pub fn environment(&self, name: &str) -> Option<&Secret> {
        self.environment.get(name)
    }

    /// The value of a variable the way it is written into text: strings as they are, the rest as JSON.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        })
    }
}

impl<N: Into<String>> FromIterator<(N, Value)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(variables: I) -> Self {
        let values = variables.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self { values, ..Self::default() }
    }
}

/// A new value for a variable that is different in every run.
pub fn fresh(fresh: &Fresh, rng: &mut impl Rng) -> String {
    let mut value = fresh.prefix.clone();
    for _ in 0..fresh.length {
        value.push(char::from(FRESH_ALPHABET[rng.random_range(0..FRESH_ALPHABET.len())]));
    }
    value.push_str(&fresh.suffix);
    value
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn fresh_values_keep_their_prefix_and_follow_the_seed() {
        let name = Fresh { name: "name".into(), prefix: "order-".into(), length: 10, suffix: String::new() };
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (first, second) = (fresh(&name, &mut rng), fresh(&name, &mut rng));
        assert!(first.starts_with("order-") && first.len() == 16);
        assert_ne!(first, second);
        assert_eq!(first, fresh(&name, &mut ChaCha8Rng::seed_from_u64(7)));
    }

    #[test]
    fn a_variable_is_written_into_text_without_quotes() {
        let variables =
            Variables::from_iter([("id", 7.into()), ("name", "a b".into()), ("flag", true.into())]);
        assert_eq!(variables.text("id").as_deref(), Some("7"));
        assert_eq!(variables.text("name").as_deref(), Some("a b"));
        assert_eq!(variables.text("flag").as_deref(), Some("true"));
        assert_eq!(variables.text("other"), None);
    }
}

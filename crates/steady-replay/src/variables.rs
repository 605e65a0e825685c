//! The variables of one run of a test.

use indexmap::IndexMap;
use rand::{Rng, RngExt};
use serde_json::Value;
use steady_model::Fresh;

const FRESH_ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// Variables and their values, in the order they were set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variables(IndexMap<String, Value>);

impl Variables {
    /// Sets a variable, in place of an earlier value.
    pub fn set(&mut self, name: impl Into<String>, value: Value) {
        self.0.insert(name.into(), value);
    }

    /// The variables, in the order they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Those of these names.
    pub fn only(&self, names: &[&str]) -> Self {
        let known = self.0.iter().filter(|(name, _)| names.contains(&name.as_str()));
        Self(known.map(|(name, value)| (name.clone(), value.clone())).collect())
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
        Self(variables.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

/// A new value for a variable that has another one in every run.
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

//! Where environment lookups of a suite are answered.

use std::collections::BTreeMap;
use std::env;

use steady_model::Secret;

/// Answers the environment lookups of a suite, which is where its secrets come from.
pub trait Environment {
    /// The value of an environment variable, if it is set and is text.
    fn get(&self, name: &str) -> Option<String>;
}

/// The environment of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn get(&self, name: &str) -> Option<String> {
        env::var(name).ok()
    }
}

/// Secrets this process was given another way, in front of its environment.
#[derive(Debug, Clone, Default)]
pub struct KnownSecrets(BTreeMap<String, Secret>);

impl KnownSecrets {
    /// Answers these names itself and leaves the others to the environment of the process.
    pub fn new(secrets: BTreeMap<String, Secret>) -> Self {
        Self(secrets)
    }

    /// The names answered here, with their secrets.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Secret)> {
        self.0.iter().map(|(name, secret)| (name.as_str(), secret))
    }
}

impl Environment for KnownSecrets {
    fn get(&self, name: &str) -> Option<String> {
        match self.0.get(name) {
            Some(secret) => Some(secret.reveal().to_owned()),
            None => ProcessEnvironment.get(name),
        }
    }
}

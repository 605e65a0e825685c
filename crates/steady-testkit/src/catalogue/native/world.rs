//! Everything a route may depend on.

use std::env;

use jiff::{Timestamp, Zoned};

use super::draw::Draw;
use super::state::Store;

/// What is around a route: the clock, chance, the environment, and what earlier calls left.
#[derive(Debug)]
pub(crate) struct World {
    /// Chance.
    pub draw: Draw,
    /// What earlier calls left; a reset empties it.
    pub store: Store,
    /// The port the API is served on.
    pub port: u16,
    /// When the process began.
    pub started: Timestamp,
    /// What the process calls itself.
    pub instance: String,
    mutant: Option<String>,
}

impl World {
    /// A new process, with or without a mutant.
    pub(crate) fn new(port: u16, mutant: Option<String>) -> Self {
        let mut draw = Draw::new();
        let instance = draw.uuid();
        Self { draw, store: Store::default(), port, started: Timestamp::now(), instance, mutant }
    }

    /// Whether this mutant is at work.
    pub(crate) fn mutated(&self, mutant: &str) -> bool {
        self.mutant.as_deref() == Some(mutant)
    }

    /// The right value, or the wrong one when this mutant is at work.
    pub(crate) fn unless(&self, mutant: &str, right: &str, wrong: &str) -> String {
        if self.mutated(mutant) { wrong.to_owned() } else { right.to_owned() }
    }

    /// Now.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    /// Now, in the time zone of the environment.
    pub(crate) fn local(&self) -> Zoned {
        Zoned::now()
    }

    /// The language of the environment, as two letters; English when there is none.
    pub(crate) fn language(&self) -> String {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
        let language: String =
            named.unwrap_or_default().chars().take_while(char::is_ascii_lowercase).collect();
        if language.len() == 2 { language } else { "en".to_owned() }
    }
}

//! Scenarios: stubs that answer only in a certain state, and move on to the next.

use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use super::lock;
use crate::mapping::{Mapping, STARTED};
use crate::stub::Stub;

/// The states of all scenarios; one that nothing was said of is at its start.
#[derive(Debug, Default)]
pub struct Scenarios {
    states: Mutex<IndexMap<String, String>>,
}

/// A scenario, as stubs and requests made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioState {
    /// Its name.
    pub name: String,
    /// The state it is in.
    pub state: String,
    /// The states its stubs speak of.
    pub possible: Vec<String>,
}

/// No stub is part of the scenario, or none speaks of the state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum UnknownScenario {
    #[error("scenario {0} does not exist")]
    Scenario(String),
    #[error("scenario {scenario} does not support state {state}")]
    State { scenario: String, state: String },
}

impl Scenarios {
    /// Whether the scenario of a mapping is in the state it needs; if so, it moves on. Of requests at the same time only one enters.
    pub(crate) fn enter(&self, mapping: &Mapping) -> bool {
        let Some(name) = &mapping.scenario_name else { return true };
        let mut states = lock(&self.states);
        let state = states.get(name).map_or(STARTED, String::as_str);
        if mapping.required_scenario_state.as_deref().is_some_and(|required| required != state) {
            return false;
        }
        if let Some(next) = &mapping.new_scenario_state {
            states.insert(name.clone(), next.clone());
        }
        true
    }

    /// Puts every scenario back to its start.
    pub fn reset(&self) {
        lock(&self.states).clear();
    }

    /// The scenarios of these stubs.
    pub fn list<'s>(&self, stubs: impl Iterator<Item = &'s Arc<Stub>>) -> Vec<ScenarioState> {
        let states = lock(&self.states);
        let mut scenarios: IndexMap<&str, ScenarioState> = IndexMap::new();
        for stub in stubs {
            let Some(name) = &stub.mapping.scenario_name else { continue };
            let scenario = scenarios.entry(name).or_insert_with(|| ScenarioState {
                name: name.clone(),
                state: states.get(name).map_or(STARTED, String::as_str).to_owned(),
                possible: vec![STARTED.to_owned()],
            });
            for state in [&stub.mapping.required_scenario_state, &stub.mapping.new_scenario_state]
                .into_iter()
                .flatten()
            {
                if !scenario.possible.contains(state) {
                    scenario.possible.push(state.clone());
                }
            }
        }
        scenarios.into_values().collect()
    }

    /// Puts a scenario of these stubs into a state; its start when none is given.
    pub fn set<'s>(
        &self,
        stubs: impl Iterator<Item = &'s Arc<Stub>>,
        name: &str,
        state: Option<&str>,
    ) -> Result<(), UnknownScenario> {
        let known = self.list(stubs).into_iter().find(|scenario| scenario.name == name);
        let known = known.ok_or_else(|| UnknownScenario::Scenario(name.to_owned()))?;
        let state = state.unwrap_or(STARTED);
        if !known.possible.iter().any(|possible| possible == state) {
            return Err(UnknownScenario::State { scenario: name.to_owned(), state: state.to_owned() });
        }
        lock(&self.states).insert(name.to_owned(), state.to_owned());
        Ok(())
    }
}

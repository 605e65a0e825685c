//! Stubs as WireMock mapping JSON, both ways.
//!
//! A [`Mapping`] says which requests it is for ([`RequestPattern`], made of [`Matcher`]s) and what they are answered
//! ([`ResponseDefinition`]). [`read`] reads a file with one mapping or with `{"mappings": […]}`; whatever serde writes of a mapping,
//! WireMock reads, too. A [`MappingError`] knows the file, the line and the column.

mod error;
mod id;
mod json_path;
mod matcher;
mod pattern;
mod read;
mod request;
mod response;
mod text;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::MappingError;
pub use id::StubId;
pub use json_path::{JsonPathExpression, ParseJsonPathError};
pub use matcher::Matcher;
pub use pattern::{ParsePatternError, Pattern};
pub use read::{read, read_one};
pub use request::{BasicAuth, Matchers, RequestPattern, UrlMatch};
pub use response::{Base64, Delay, Dribble, Fault, HeaderValues, RESPONSE_TEMPLATE, ResponseDefinition};

/// The state every scenario begins in.
pub const STARTED: &str = "Started";
/// The priority of mappings that state none; 1 is the highest.
pub const DEFAULT_PRIORITY: u32 = 5;

/// A stub: which requests, and what they are answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Mapping {
    /// Its identity; the server gives one to a mapping that has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<StubId>,
    /// WireMock writes the identity twice.
    #[serde(skip_serializing)]
    pub uuid: Option<StubId>,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which requests.
    pub request: RequestPattern,
    /// What they are answered.
    pub response: ResponseDefinition,
    /// Of several mappings that match, the lowest number answers, then the newest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// The scenario it is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario_name: Option<String>,
    /// The state the scenario has to be in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_scenario_state: Option<String>,
    /// The state the scenario is in afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_scenario_state: Option<String>,
    /// Whether WireMock keeps it on disk; read, written, and otherwise ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persistent: Option<bool>,
    /// What clients note about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    /// WireMock writes it; the order of mappings decides instead.
    #[serde(skip_serializing)]
    pub insertion_index: Option<u64>,
}

impl Mapping {
    /// A mapping of a request to a response, with nothing else said.
    pub fn new(request: RequestPattern, response: ResponseDefinition) -> Self {
        Self { request, response, ..Self::default() }
    }

    /// Its identity under either of WireMock's names.
    pub fn stated_id(&self) -> Option<StubId> {
        self.id.or(self.uuid)
    }

    /// Its priority, stated or not.
    pub fn effective_priority(&self) -> u32 {
        self.priority.unwrap_or(DEFAULT_PRIORITY)
    }

    /// Several answers to one request in order, as a scenario of this name; the last answer is given from then on.
    pub fn sequence(
        scenario: &str,
        request: &RequestPattern,
        responses: impl IntoIterator<Item = ResponseDefinition>,
    ) -> Vec<Self> {
        let responses: Vec<_> = responses.into_iter().collect();
        let last = responses.len().saturating_sub(1);
        let state = |step: usize| if step == 0 { STARTED.to_owned() } else { format!("step {step}") };
        let step = |(number, response)| Self {
            scenario_name: Some(scenario.to_owned()),
            required_scenario_state: Some(state(number)),
            new_scenario_state: (number < last).then(|| state(number + 1)),
            ..Self::new(request.clone(), response)
        };
        responses.into_iter().enumerate().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        let written = json!({
            "id": "4a3f0a3e-8ad5-4a30-9a8f-0c2a4f0c5a11",
            "name": "a pet",
            "request": {
                "method": "POST",
                "urlPathPattern": "/pets/[0-9]+",
                "queryParameters": {"q": {"equalTo": "a", "caseInsensitive": true}, "r": {"absent": true}},
                "headers": {"Accept": {"or": [{"contains": "json"}, {"not": {"matches": "text/.*"}}]}},
                "cookies": {"session": {"doesNotMatch": "x+"}},
                "basicAuthCredentials": {"username": "me", "password": "secret"},
                "bodyPatterns": [
                    {"equalToJson": {"a": 1}, "ignoreArrayOrder": true, "ignoreExtraElements": true},
                    {"matchesJsonPath": "$.a"},
                    {"matchesJsonPath": {"expression": "$.a", "equalTo": "1"}},
                    {"equalToJson": "{\"a\": 1}"}
                ],
                "host": {"equalTo": "pets.test"},
                "port": 443,
                "scheme": "https"
            },
            "response": {
                "status": 201,
                "statusMessage": "Made",
                "headers": {"Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"]},
                "jsonBody": {"id": 1},
                "fixedDelayMilliseconds": 5,
                "delayDistribution": {"type": "lognormal", "median": 80.0, "sigma": 0.4},
                "chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": 100},
                "transformers": ["response-template"],
                "transformerParameters": {"x": 1}
            },
            "priority": 1,
            "scenarioName": "s",
            "requiredScenarioState": "Started",
            "newScenarioState": "next",
            "persistent": true,
            "metadata": {"from": "a test"}
        });
        let read: Mapping = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), written);
    }

    #[test]
    fn a_sequence_steps_from_state_to_state_and_stays_at_the_last() {
        let answers = [200, 500, 204].map(ResponseDefinition::with_status);
        let steps = Mapping::sequence("s", &RequestPattern::default(), answers);
        let states = steps.iter().map(|step| {
            (step.required_scenario_state.as_deref().unwrap(), step.new_scenario_state.as_deref())
        });
        let expected = [("Started", Some("step 1")), ("step 1", Some("step 2")), ("step 2", None)];
        assert!(states.eq(expected));
    }
}

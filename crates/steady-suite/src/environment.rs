//! The environment lookups of a suite, and its secrets.

use std::collections::BTreeSet;
use std::env;

use steady_model::{Assertion, Identity, Request, Response, Secret, Secrets, Suite, Text};

/// Answers the environment lookups of a suite, which is where its secrets come from, and records what else may be a secret.
pub trait Environment {
    /// The value of an environment variable, if it is set and is text.
    fn get(&self, name: &str) -> Option<String>;

    /// A login returned this credential.
    fn won(&self, _credential: &str) {}

    /// A request, as it is without credentials, was answered.
    fn exchanged(&self, _request: &Request, _response: &Response) {}
}

/// The environment of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn get(&self, name: &str) -> Option<String> {
        env::var(name).ok()
    }
}

/// Credentials that were given to this process another way, before its environment.
impl Environment for Secrets {
    fn get(&self, name: &str) -> Option<String> {
        match Self::get(self, name) {
            Some(secret) => Some(secret.reveal().to_owned()),
            None => ProcessEnvironment.get(name),
        }
    }

    fn won(&self, credential: &str) {
        self.issue(credential);
    }

    fn exchanged(&self, request: &Request, response: &Response) {
        self.sent(request);
        self.saw(request, response);
    }
}

/// Adds the secrets of a suite that are in the environment of this process.
pub fn look_up_secrets(suite: &Suite, secrets: &Secrets) {
    for name in needed_environment(suite) {
        if let Some(value) = ProcessEnvironment.get(name) {
            secrets.give(name.to_owned(), Secret::new(value));
        }
    }
}

/// The environment variables a suite cannot run without; not those of identities that no call uses.
pub fn needed_environment(suite: &Suite) -> BTreeSet<&str> {
    let calls = || suite.tests.iter().flat_map(|test| test.calls.iter().chain(&test.cleanup));
    let makes_calls = |who: &&Identity| calls().any(|call| call.identity.as_deref() == Some(&who.name));
    let identities = suite.identities.iter().filter(makes_calls).flat_map(texts_of_identity);
    let sent = calls().flat_map(|call| call.request.templates());
    let expected = calls().flat_map(|call| &call.expect).flat_map(Assertion::templates);
    identities.chain(sent).chain(expected).flat_map(Text::environment_variables).collect()
}

fn texts_of_identity(identity: &Identity) -> impl Iterator<Item = &Text> {
    let login = identity.login.iter().flat_map(|login| login.request.templates());
    let sign_up = identity.sign_up.iter().flat_map(|sign_up| sign_up.request.templates());
    identity.headers.iter().map(|(_, value)| value).chain(sign_up).chain(login)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_sent_and_what_is_expected_is_needed_and_what_nobody_uses_is_not() {
        let suite: Suite = serde_json::from_value(json!({
            "version": 1, "api": {"title": "", "url": ""}, "seed": 1,
            "identities": [
                {"name": "ada", "headers": [["x-key", [{"env": "OF_ADA"}]]]},
                {"name": "bob", "headers": [["x-key", [{"env": "OF_BOB"}]]]},
            ],
            "tests": [{"name": "t", "group": "successes", "about": "", "calls": [{
                "operation": "GET /", "as": "ada", "request": {"method": "GET", "target": ["/", {"env": "SENT"}]},
                "expect": [
                    {"where": "body:", "is": {"text": [{"env": "EXPECTED", "encoded": "base64"}]}},
                    {"where": "body:/a", "is": {"pattern": {"regex": [{"env": "MATCHED"}], "what": "a"}}},
                    {"where": "body:/b", "is": {"one_of": [""]}, "texts": {"/0": [{"env": "INSIDE"}]}},
                ],
            }]}],
        }))
        .unwrap();
        let needed: Vec<&str> = needed_environment(&suite).into_iter().collect();
        assert_eq!(needed, ["EXPECTED", "INSIDE", "MATCHED", "OF_ADA", "SENT"]);
    }
}

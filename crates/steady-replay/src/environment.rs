//! Where environment lookups of a suite are answered.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use steady_model::{Body, Identity, RequestTemplate, Secret, Segment, Suite, Text};

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

/// The environment variables a suite cannot run without.
pub fn needed_environment(suite: &Suite) -> BTreeSet<&str> {
    let identities = suite.identities.iter().flat_map(texts_of_identity);
    let calls = suite.tests.iter().flat_map(|test| test.calls.iter().chain(&test.cleanup));
    let calls = calls.flat_map(|call| texts_of_request(&call.request));
    let segments = identities.chain(calls).flat_map(Text::segments);
    segments
        .filter_map(|segment| match segment {
            Segment::Environment { env } => Some(env.as_str()),
            Segment::Literal(_) | Segment::Variable { .. } => None,
        })
        .collect()
}

fn texts_of_identity(identity: &Identity) -> impl Iterator<Item = &Text> {
    let login = identity.login.iter().flat_map(|login| texts_of_request(&login.request));
    let sign_up = identity.sign_up.iter().flat_map(|sign_up| texts_of_request(&sign_up.request));
    identity.headers.iter().map(|(_, value)| value).chain(sign_up).chain(login)
}

fn texts_of_request(request: &RequestTemplate) -> impl Iterator<Item = &Text> {
    let body: Vec<&Text> = match &request.body {
        Some(Body::Form(fields)) => fields.iter().map(|(_, value)| value).collect(),
        Some(Body::Text { text, .. }) => vec![text],
        Some(Body::Json { .. } | Body::Multipart(_) | Body::Bytes { .. }) | None => vec![],
    };
    let headers = request.headers.iter().map(|(_, value)| value);
    [&request.target].into_iter().chain(headers).chain(body)
}

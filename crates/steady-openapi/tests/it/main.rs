//! Loading documents and checking values, from outside.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arbitrary;
mod bodies;
mod forgiveness;
mod hostile;
mod large;
mod load_errors;
mod parameters;
mod references;
mod responses;
mod schemas;
mod security;
mod servers;
mod validation;
mod versions;

use steady_openapi::{Api, Operation, parse};

/// The API a YAML text describes.
fn api(text: &str) -> Api {
    parse(text, "test.yaml").unwrap()
}

/// The only operation of an API.
fn only(api: &Api) -> &Operation {
    assert_eq!(api.operations.len(), 1, "{:?}", api.problems);
    &api.operations[0]
}

/// The problems' messages.
fn problems(api: &Api) -> Vec<&str> {
    api.problems.iter().map(|problem| problem.message.as_str()).collect()
}

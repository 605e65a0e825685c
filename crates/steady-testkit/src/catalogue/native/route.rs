//! One operation of the API.

use super::{Answer, RouteRequest, World};
use crate::catalogue::label::{Operation, Outcome};

/// One operation: what it answers, and what is known about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    /// Labels and mutants.
    pub operation: Operation,
    /// What it answers.
    pub answer: fn(&mut World, &RouteRequest) -> Answer,
    /// Parameters of path and query: name, type, an example.
    pub parameters: &'static [(&'static str, &'static str, &'static str)],
    /// The request body.
    pub body: Option<Request>,
    /// What the document says about fields of the answer other than their type, as JSON.
    pub hints: &'static [(&'static str, &'static str)],
}

/// The body that a route takes, as JSON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// Its schema.
    pub schema: &'static str,
    /// One that is taken.
    pub example: &'static str,
    /// One that is refused, where that is part of what the route shows.
    pub broken: Option<&'static str>,
}

impl Route {
    /// An operation with its answers.
    pub(crate) const fn new(
        name: &'static str,
        answer: fn(&mut World, &RouteRequest) -> Answer,
        outcomes: &'static [Outcome],
    ) -> Self {
        let operation = Operation { name, outcomes, mutants: &[] };
        Self { operation, answer, parameters: &[], body: None, hints: &[] }
    }

    /// With mutants that show in its answers.
    pub(crate) const fn mutants(mut self, mutants: &'static [&'static str]) -> Self {
        self.operation.mutants = mutants;
        self
    }

    /// With parameters: name, type, an example.
    pub(crate) const fn parameters(
        mut self,
        parameters: &'static [(&'static str, &'static str, &'static str)],
    ) -> Self {
        self.parameters = parameters;
        self
    }

    /// With a request body: its schema and an example.
    pub(crate) const fn body(mut self, schema: &'static str, example: &'static str) -> Self {
        self.body = Some(Request { schema, example, broken: None });
        self
    }

    /// With a body that is refused.
    pub(crate) const fn refused(mut self, broken: &'static str) -> Self {
        if let Some(request) = &mut self.body {
            request.broken = Some(broken);
        }
        self
    }

    /// With more about fields of the answer than their type.
    pub(crate) const fn hints(mut self, hints: &'static [(&'static str, &'static str)]) -> Self {
        self.hints = hints;
        self
    }

    /// Method and path.
    pub(crate) fn target(&self) -> (&'static str, &'static str) {
        self.operation.name.split_once(' ').unwrap_or_default()
    }

    /// The parameters of a request for it, or nothing when the request is for another route.
    pub(crate) fn matches(&self, method: &str, path: &str) -> Option<Vec<(String, String)>> {
        let (own_method, own_path) = self.target();
        if own_method != method || own_path.split('/').count() != path.split('/').count() {
            return None;
        }
        let mut parameters = Vec::new();
        for (own, given) in own_path.split('/').zip(path.split('/')) {
            match own.strip_prefix('{').and_then(|own| own.strip_suffix('}')) {
                Some(name) => parameters.push((name.to_owned(), given.to_owned())),
                None if own == given => {}
                None => return None,
            }
        }
        Some(parameters)
    }
}

//! Methods the document says nothing about, to see them refused properly.

use indexmap::{IndexMap, IndexSet};
use steady_model::Method;
use steady_openapi::{Api, Location, Operation};

/// The methods tried. Never DELETE: what is not described may still exist.
const METHODS: [Method; 5] = [Method::Patch, Method::Put, Method::Post, Method::Get, Method::Trace];

/// An operation per path of `described` and method that no described operation answers.
pub fn undescribed(api: &Api, described: &[&Operation]) -> Vec<Operation> {
    let answered = Templates::of(api);
    let mut probes: Vec<Operation> = Vec::new();
    let mut seen: IndexSet<&str> = IndexSet::new();
    for operation in described {
        let path = &operation.id.path;
        if !seen.insert(path) {
            continue;
        }
        let known = answered.methods_on(path);
        for method in METHODS.into_iter().filter(|method| !known.contains(method.as_str())) {
            let mut probe = (*operation).clone();
            probe.id.method = method;
            probe.operation_id = None;
            probe.parameters.retain(|parameter| parameter.location == Location::Path);
            probe.body = None;
            probe.responses.clear();
            probe.security = None;
            probes.push(probe);
        }
    }
    probes
}

/// The path templates of a document as a tree of segments, each with the methods that the document has on it, be it in a part
/// that could not be read.
#[derive(Default)]
struct Templates<'a> {
    methods: IndexSet<String>,
    /// What may follow, by the segment as it is written.
    literals: IndexMap<&'a str, Templates<'a>>,
    /// The segments among them that hold a parameter.
    variables: IndexMap<&'a str, Templates<'a>>,
}

impl<'a> Templates<'a> {
    fn of(api: &'a Api) -> Self {
        let mut root = Self::default();
        for operation in &api.operations {
            root.insert(&operation.id.path, operation.id.method.as_str());
        }
        for problem in api.problems.iter().filter(|problem| problem.skipped_operation) {
            if let Some((method, template)) = problem.place.split_once(' ') {
                root.insert(template, &method.to_ascii_uppercase());
            }
        }
        root
    }

    fn insert(&mut self, template: &'a str, method: &str) {
        let mut node = self;
        for segment in template.split('/') {
            let branch = if segment.contains('{') { &mut node.variables } else { &mut node.literals };
            node = branch.entry(segment).or_default();
        }
        node.methods.insert(method.to_owned());
    }

    /// The methods on all templates that some request to `path` fits.
    fn methods_on(&self, path: &str) -> IndexSet<&str> {
        let mut reached = vec![self];
        for segment in path.split('/') {
            reached = reached.into_iter().flat_map(|node| node.after(segment)).collect();
        }
        reached.into_iter().flat_map(|node| node.methods.iter().map(String::as_str)).collect()
    }

    fn after(&self, segment: &str) -> Vec<&Self> {
        let literals: Vec<&Self> = if segment.contains('{') {
            self.literals.values().collect()
        } else {
            self.literals.get(segment).into_iter().collect()
        };
        self.variables.values().chain(literals).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_tried_only_where_no_described_operation_can_answer_it() {
        let parameter = r#"[{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]"#;
        let document = format!(
            r#"{{"openapi": "3.0.3", "info": {{"title": "t", "version": "1"}}, "paths": {{
                "/users/me": {{"get": {{}}}},
                "/users/{{id}}": {{"parameters": {parameter}, "patch": {{}}, "put": {{}}}},
                "/users": {{"post": {{}}, "delete": {{}}}}}}}}"#
        );
        let api = steady_openapi::parse(&document, "t").unwrap();
        let described: Vec<&Operation> = api.operations.iter().collect();
        let probes: Vec<String> =
            undescribed(&api, &described).iter().map(|probe| probe.id.to_string()).collect();
        let expected = [
            "POST /users/me",
            "TRACE /users/me",
            "POST /users/{id}",
            "TRACE /users/{id}",
            "PATCH /users",
            "PUT /users",
            "GET /users",
            "TRACE /users",
        ];
        assert_eq!(probes, expected);
    }
}

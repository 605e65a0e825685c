//! Methods the document says nothing about, to see them refused properly.

use steady_model::Method;
use steady_openapi::{Api, Location, Operation};

/// The methods tried. Never DELETE: what is not described may still exist.
const METHODS: [Method; 5] = [Method::Patch, Method::Put, Method::Post, Method::Get, Method::Trace];

/// An operation per path of `described` and method that no described operation answers.
pub fn undescribed(api: &Api, described: &[&Operation]) -> Vec<Operation> {
    let mut probes: Vec<Operation> = Vec::new();
    for operation in described {
        let path = &operation.id.path;
        if probes.iter().any(|probe| &probe.id.path == path) {
            continue;
        }
        for method in METHODS.into_iter().filter(|method| !may_describe(api, *method, path)) {
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

/// Whether the document has the method on this path: on the very template, on one that the same requests fit, or in a part
/// that could not be read.
fn may_describe(api: &Api, method: Method, path: &str) -> bool {
    let left_out = api.problems.iter().filter(|problem| problem.skipped_operation);
    let unread = left_out
        .filter_map(|problem| problem.place.split_once(' '))
        .any(|(name, template)| name.eq_ignore_ascii_case(method.as_str()) && same_requests(template, path));
    unread
        || api
            .operations
            .iter()
            .any(|operation| operation.id.method == method && same_requests(&operation.id.path, path))
}

/// Whether some request fits both templates.
fn same_requests(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.split('/'), right.split('/'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b || a.contains('{') || b.contains('{') => {}
            _ => return false,
        }
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

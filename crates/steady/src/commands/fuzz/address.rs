//! Where the API runs: the user's word, else the document's servers.
//!
//! A suite has one base URL, and a run sends requests to one host only: the one the user named, or that of the document's
//! first server. An operation whose own servers are elsewhere is skipped, because the user did not ask for requests to
//! that host. Paths are another matter: each operation gets the path of its own server.

use steady_http::BaseUrl;
use steady_openapi::{Api, Operation, Problem};

use crate::error::UsageError;

/// Decides where the operations are: the base URL, and what stands between it and the document's paths. Operations
/// with servers of their own get a base path of their own.
///
/// A URL with a path is taken as it is, for every operation; one without gets the paths of the document's servers.
pub fn resolve(api: &mut Api, given: Option<&BaseUrl>) -> Result<(BaseUrl, String), UsageError> {
    let server = api.servers.first().cloned().unwrap_or_default();
    match given {
        Some(url) if !url.path_prefix().is_empty() => Ok((url.clone(), String::new())),
        Some(url) => {
            for operation in &mut api.operations {
                operation.base_path = operation.servers.first().map(|server| path_of(server));
            }
            Ok((url.clone(), path_of(&server)))
        }
        None => {
            let candidates = api.servers.iter().take(1);
            let candidates = candidates.chain(api.operations.iter().filter_map(|own| own.servers.first()));
            let url = candidates.filter_map(|server| server.parse::<BaseUrl>().ok()).next();
            let url = url.ok_or_else(|| UsageError {
                message: "the document does not say where the API runs".to_owned(),
                hint: "say it with `--url http://HOST:PORT`".to_owned(),
            })?;
            if api.operations.iter().all(|operation| operation.servers.is_empty()) {
                return Ok((url, String::new()));
            }
            leave_out_other_hosts(api, &url);
            Ok((origin_of(url), path_of(&server)))
        }
    }
}

/// Keeps the operations that are served where `url` is, each with its base path.
fn leave_out_other_hosts(api: &mut Api, url: &BaseUrl) {
    let is_here = |server: &String| match server.parse::<BaseUrl>() {
        Ok(server) => server.origin() == url.origin(),
        Err(_) => server.starts_with('/') && !server.starts_with("//"),
    };
    let mut problems = Vec::new();
    api.operations.retain_mut(|operation: &mut Operation| {
        let Some(first) = operation.servers.first() else { return true };
        operation.base_path = operation.servers.iter().find(|server| is_here(server)).map(|own| path_of(own));
        if operation.base_path.is_none() {
            let message =
                format!("it is served at `{first}`, not at {}; to test it there, use `--url`", url.origin());
            problems.push(Problem { place: operation.id.to_string(), message, skipped_operation: true });
        }
        operation.base_path.is_some()
    });
    api.problems.extend(problems);
}

/// The URL without its path.
fn origin_of(url: BaseUrl) -> BaseUrl {
    url.origin().parse().unwrap_or(url)
}

/// The path of a server, which may be relative: `/v1` of `https://example.com/v1/`.
fn path_of(server: &str) -> String {
    let after_scheme = server
        .split_once("://")
        .map_or(server, |(_, rest)| rest.find('/').map_or("", |slash| &rest[slash..]));
    let path = after_scheme.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    if path.is_empty() { String::new() } else { format!("/{path}") }
}

#[cfg(test)]
mod tests {
    use steady_openapi::parse;

    use super::*;

    const DOCUMENT: &str = r#"
openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: "https://shop.test/v1"}]
paths:
  /orders: {get: {responses: {}}}
  /reports:
    servers: [{url: "https://shop.test/v2"}]
    get: {responses: {}}
    put: {servers: [{url: /v3/}], responses: {}}
    post: {servers: [{url: "https://files.test"}], responses: {}}
"#;

    fn api(document: &str) -> Api {
        parse(document, "api.yaml").unwrap()
    }

    /// Where each operation is: URL, base path and path.
    fn places(document: &str, given: Option<&str>) -> Vec<String> {
        let mut api = api(document);
        let given: Option<BaseUrl> = given.map(|url| url.parse().unwrap());
        let (url, base_path) = resolve(&mut api, given.as_ref()).unwrap();
        let url = format!("{}{}", url.origin(), url.path_prefix());
        let place = |operation: &Operation| {
            let base_path = operation.base_path.as_ref().unwrap_or(&base_path);
            format!("{} {url}{base_path}{}", operation.id.method, operation.id.path)
        };
        api.operations.iter().map(place).collect()
    }

    #[test]
    fn without_a_url_each_operation_is_where_its_server_is() {
        assert_eq!(
            places(DOCUMENT, None),
            [
                "GET https://shop.test/v1/orders",
                "GET https://shop.test/v2/reports",
                "PUT https://shop.test/v3/reports",
            ]
        );
    }

    #[test]
    fn operations_on_other_hosts_are_left_out_and_named() {
        let mut api = api(DOCUMENT);
        resolve(&mut api, None).unwrap();
        assert_eq!(api.problems[0].place, "POST /reports");
        assert!(api.problems[0].message.contains("https://files.test"), "{}", api.problems[0].message);
    }

    #[test]
    fn the_users_host_is_everybodys_and_a_path_of_theirs_too() {
        let places_at = |url| places(DOCUMENT, Some(url));
        assert_eq!(
            places_at("http://127.0.0.1:8080"),
            [
                "GET http://127.0.0.1:8080/v1/orders",
                "GET http://127.0.0.1:8080/v2/reports",
                "PUT http://127.0.0.1:8080/v3/reports",
                "POST http://127.0.0.1:8080/reports",
            ]
        );
        assert_eq!(places_at("http://127.0.0.1:8080/x")[1], "GET http://127.0.0.1:8080/x/reports");
    }

    #[test]
    fn a_server_that_only_an_operation_names_says_where_the_api_runs() {
        let document = "openapi: 3.1.0\ninfo: {}\npaths: {/a: {get: {servers: [{url: 'http://a.test/b'}]}}}";
        assert_eq!(places(document, None), ["GET http://a.test/b/a"]);
    }

    #[test]
    fn a_document_without_servers_does_not_say_where_the_api_runs() {
        let mut api = api("openapi: 3.1.0\ninfo: {}\npaths: {/a: {get: {}}}");
        let error = resolve(&mut api, None).unwrap_err();
        assert_eq!(error.message, "the document does not say where the API runs");
    }

    #[test]
    fn the_servers_path_is_taken_from_absolute_and_relative_servers() {
        for (server, path) in [
            ("https://example.com/v1/", "/v1"),
            ("https://example.com", ""),
            ("/api/v2", "/api/v2"),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(path_of(server), path, "{server}");
        }
    }
}

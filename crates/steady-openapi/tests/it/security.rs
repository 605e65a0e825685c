//! Ways to authenticate, and where the API is.

use steady_openapi::{Location, SecurityScheme};

use crate::{api, only};

#[test]
fn schemes_of_every_version_are_read() {
    let api = api("
openapi: 3.0.0
paths: {}
components:
  securitySchemes:
    header: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: key}
    cookie: {type: apiKey, in: cookie, name: session}
    bearer: {type: http, scheme: Bearer}
    digest: {type: http, scheme: digest}
    oauth: {type: oauth2, flows: {}}
    openid: {type: openIdConnect}
    shared: {$ref: '#/components/securitySchemes/bearer'}
    broken: {type: apiKey}
    worse: 5
securityDefinitions:
    basic: {type: basic}");
    let key = |location, name: &str| SecurityScheme::ApiKey { location, name: name.to_owned() };
    let http = |scheme: &str| SecurityScheme::Http(scheme.to_owned());
    let other = |kind: &str| SecurityScheme::Other(kind.to_owned());
    let seen: Vec<(&str, SecurityScheme)> =
        api.security_schemes.iter().map(|(name, scheme)| (name.as_str(), scheme.clone())).collect();
    assert_eq!(
        seen,
        [
            ("header", key(Location::Header, "X-Key")),
            ("query", key(Location::Query, "key")),
            ("cookie", key(Location::Cookie, "session")),
            ("bearer", http("bearer")),
            ("digest", http("digest")),
            ("oauth", other("oauth2")),
            ("openid", other("openIdConnect")),
            ("shared", http("bearer")),
            ("basic", http("basic")),
        ]
    );
    assert_eq!(
        api.problems
            .iter()
            .filter(|problem| problem.place.starts_with("#/components/securitySchemes/"))
            .count(),
        2
    );
}

#[test]
fn requirements_are_alternatives() {
    for (root, own, expected) in [
        ("", "", None),
        ("security: [{a: []}]", "", Some(vec![vec!["a"]])),
        ("security: [{a: []}]", "security: []", Some(vec![vec![]])),
        ("security: [{a: []}]", "security: [{b: [], c: [read]}, {}]", Some(vec![vec!["b", "c"], vec![]])),
        ("security: {a: []}", "", Some(vec![vec!["a"]])),
        ("security: [a]", "", Some(vec![vec!["a"]])),
    ] {
        let api = api(&format!("openapi: 3.0.0\n{root}\npaths: {{/x: {{get: {{{own}}}}}}}"));
        let seen = only(&api).security.as_ref();
        let seen: Option<Vec<Vec<&str>>> = seen.map(|alternatives| {
            alternatives.iter().map(|names| names.iter().map(String::as_str).collect()).collect()
        });
        assert_eq!(seen, expected, "{root} {own}");
    }
}

#[test]
fn servers_are_urls_with_their_variables_filled_in() {
    for (text, expected) in [
        (
            "openapi: 3.0.0\nservers: [{url: /v1}, {url: 'https://a.test'}, {url: /v1}]",
            &["/v1", "https://a.test"][..],
        ),
        (
            "openapi: 3.0.0\nservers: [{url: 'https://{h}:{p}/{v}/{u}', variables: {h: {default: x.test}, p: {default: 8443}, v: {enum: [a, b]}}}]",
            &["https://x.test:8443/a/{u}"],
        ),
        ("openapi: 3.0.0\nservers: [{}, 5]", &[]),
        ("openapi: 3.0.0", &[]),
        (
            "swagger: 2.0\nhost: x.test\nbasePath: /v1\nschemes: [http, https, ws]",
            &["http://x.test/v1", "https://x.test/v1"],
        ),
        ("swagger: 2.0\nhost: x.test\nbasePath: /", &["https://x.test"]),
        ("swagger: 2.0\nbasePath: v1", &["/v1"]),
        ("swagger: 2.0", &[]),
    ] {
        assert_eq!(api(&format!("{text}\npaths: {{}}")).servers, expected, "{text}");
    }
}

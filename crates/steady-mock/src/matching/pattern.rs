//! Whether a request is what a mapping asks for.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header;

use super::subject::Subject;
use super::{Received, value};
use crate::mapping::{BasicAuth, Matcher, RequestPattern, UrlMatch};

/// Whether a request is what the pattern asks for.
pub fn matches(pattern: &RequestPattern, received: &Received) -> bool {
    is_url_match(&pattern.url, received) && matches_beside_url(pattern, received)
}

/// Whether everything but the address is.
pub(super) fn matches_beside_url(pattern: &RequestPattern, received: &Received) -> bool {
    is_method_match(pattern, received)
        && pattern.port.is_none_or(|port| port == received.port)
        && pattern
            .scheme
            .as_deref()
            .is_none_or(|scheme| scheme.eq_ignore_ascii_case(received.scheme.as_str()))
        && pattern.host.as_ref().is_none_or(|host| value::is_match(host, &Subject::text(&received.host)))
        && pattern.headers.iter().all(|(name, matcher)| is_header_match(name, matcher, received))
        && pattern
            .path_parameters
            .iter()
            .all(|(name, matcher)| is_variable_match(pattern, name, matcher, received))
        && pattern
            .query_parameters
            .iter()
            .all(|(name, matcher)| is_pair_match(name, matcher, received.query()))
        && pattern.form_parameters.iter().all(|(name, matcher)| is_pair_match(name, matcher, received.form()))
        && pattern.cookies.iter().all(|(name, matcher)| is_pair_match(name, matcher, received.cookies()))
        && pattern.basic_auth_credentials.as_ref().is_none_or(|wanted| is_authorised(wanted, received))
        && pattern.body_patterns.iter().all(|matcher| is_body_match(matcher, received))
}

pub(super) fn is_method_match(pattern: &RequestPattern, received: &Received) -> bool {
    pattern
        .method
        .as_deref()
        .is_none_or(|method| method == "ANY" || method.eq_ignore_ascii_case(received.method.as_str()))
}

pub(super) fn is_url_match(url: &UrlMatch, received: &Received) -> bool {
    match url {
        UrlMatch::Any => true,
        UrlMatch::Url(url) => url == received.url(),
        UrlMatch::UrlPath(path) => path == received.path(),
        UrlMatch::UrlPattern(pattern) => pattern.is_match(received.url()),
        UrlMatch::UrlPathPattern(pattern) | UrlMatch::UrlPathTemplate(_, pattern) => {
            pattern.is_match(received.path())
        }
    }
}

pub(super) fn is_header_match(name: &str, matcher: &Matcher, received: &Received) -> bool {
    let mut values = received.headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    match (values.next(), values.next()) {
        (None, _) => value::are_match(matcher, &[]),
        (Some(one), None) => value::are_match(matcher, &[one]),
        (Some(first), Some(second)) => {
            let all: Vec<&str> = [first, second].into_iter().chain(values).collect();
            value::are_match(matcher, &all)
        }
    }
}

pub(super) fn is_pair_match(name: &str, matcher: &Matcher, pairs: &[(String, String)]) -> bool {
    let values: Vec<&str> =
        pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect();
    value::are_match(matcher, &values)
}

pub(super) fn is_variable_match(
    pattern: &RequestPattern,
    name: &str,
    matcher: &Matcher,
    received: &Received,
) -> bool {
    let UrlMatch::UrlPathTemplate(template, _) = &pattern.url else { return false };
    let found = path_variables(template, received.path()).find(|(variable, _)| *variable == name);
    match found {
        Some((_, text)) => value::is_match(matcher, &Subject::text(&text)),
        None => value::is_match(matcher, &Subject::missing()),
    }
}

/// The variables of a path template with what stands in their place, decoded.
pub(crate) fn path_variables<'t>(
    template: &'t str,
    path: &'t str,
) -> impl Iterator<Item = (&'t str, String)> {
    let decode = |segment: &str| {
        let spaced = segment.replace('+', "%2B");
        let pairs = url::form_urlencoded::parse(spaced.as_bytes()).next();
        pairs.map_or_else(String::new, |(text, _)| text.into_owned())
    };
    template.split('/').zip(path.split('/')).filter_map(move |(name, segment)| {
        let name = name.strip_prefix('{')?.strip_suffix('}')?;
        Some((name, decode(segment)))
    })
}

pub(super) fn is_authorised(wanted: &BasicAuth, received: &Received) -> bool {
    let expected = STANDARD.encode(format!("{}:{}", wanted.username, wanted.password));
    let given = received.header(header::AUTHORIZATION.as_str()).and_then(|value| value.split_once(' '));
    given.is_some_and(|(kind, value)| kind.eq_ignore_ascii_case("basic") && value.trim() == expected)
}

pub(super) fn is_body_match(matcher: &Matcher, received: &Received) -> bool {
    value::is_match(matcher, &Subject::body(received))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, HeaderName, Method};
    use serde_json::{Value, json};

    use super::super::Scheme;
    use super::*;

    fn received() -> Received {
        let headers = [
            ("accept", "text/plain"),
            ("accept", "application/json"),
            ("cookie", "a=1; b=\"2\""),
            ("cookie", "c=3"),
            ("authorization", "Basic bWU6c2VjcmV0"),
            ("content-type", "application/json"),
        ];
        let headers: HeaderMap = headers
            .into_iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
            .collect();
        Received::new(
            Method::POST,
            (Scheme::Https, "pets.test".into(), 8443),
            "/pets/7%208?q=a%20b&q=c&e=".parse().unwrap(),
            headers,
            Bytes::from_static(b"{\"id\": 7, \"tags\": [\"x\"]}"),
        )
    }

    /// A part of the request, and whether the request above has it.
    #[test]
    fn every_part_of_a_request() {
        let table = [
            (json!({}), true),
            (json!({"method": "POST"}), true),
            (json!({"method": "ANY"}), true),
            (json!({"method": "GET"}), false),
            (json!({"url": "/pets/7%208?q=a%20b&q=c&e="}), true),
            (json!({"url": "/pets/7%208"}), false),
            (json!({"urlPath": "/pets/7%208"}), true),
            (json!({"urlPath": "/pets"}), false),
            (json!({"urlPattern": "/pets/.*q=c.*"}), true),
            (json!({"urlPattern": "/pets/"}), false),
            (json!({"urlPathPattern": "/pets/[^/]+"}), true),
            (json!({"urlPathPattern": "/pets"}), false),
            (json!({"urlPathTemplate": "/pets/{id}"}), true),
            (json!({"urlPathTemplate": "/pets/{id}/toys"}), false),
            (json!({"urlPathTemplate": "/pets/{id}", "pathParameters": {"id": {"equalTo": "7 8"}}}), true),
            (json!({"urlPathTemplate": "/pets/{id}", "pathParameters": {"id": {"equalTo": "9"}}}), false),
            (json!({"queryParameters": {"q": {"equalTo": "a b"}}}), true),
            (json!({"queryParameters": {"q": {"equalTo": "c"}, "e": {"equalTo": ""}}}), true),
            (json!({"queryParameters": {"q": {"absent": true}}}), false),
            (json!({"queryParameters": {"z": {"absent": true}}}), true),
            (json!({"headers": {"ACCEPT": {"contains": "json"}}}), true),
            (json!({"headers": {"accept": {"hasExactly": [{"contains": "json"}]}}}), false),
            (json!({"headers": {"x": {"equalTo": "1"}}}), false),
            (json!({"cookies": {"b": {"equalTo": "2"}, "c": {"matches": "[0-9]"}}}), true),
            (json!({"cookies": {"d": {"equalTo": "2"}}}), false),
            (json!({"basicAuthCredentials": {"username": "me", "password": "secret"}}), true),
            (json!({"basicAuth": {"username": "me", "password": "other"}}), false),
            (json!({"bodyPatterns": [{"equalToJson": {"id": 7}, "ignoreExtraElements": true}]}), true),
            (json!({"bodyPatterns": [{"contains": "id"}, {"matchesJsonPath": "$.none"}]}), false),
            (json!({"formParameters": {"id": {"equalTo": "7"}}}), false),
            (json!({"host": {"equalTo": "pets.test"}, "port": 8443, "scheme": "https"}), true),
            (json!({"host": {"equalTo": "cats.test"}}), false),
            (json!({"port": 443}), false),
            (json!({"scheme": "http"}), false),
        ];
        let received = received();
        for (written, expected) in table {
            let pattern: RequestPattern = serde_json::from_value::<Value>(written.clone())
                .and_then(serde_json::from_value)
                .unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(matches(&pattern, &received), expected, "{written}");
        }
    }
}

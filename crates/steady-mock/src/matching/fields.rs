//! A request beside a pattern, field by field.

use serde::Serialize;

use super::{Received, pattern as test};
use crate::mapping::{Matcher, RequestPattern, UrlMatch};

/// One thing a pattern asks for, and what the request has in its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Field {
    /// What it is, such as `method` or `header Accept`.
    pub name: String,
    /// What is asked for.
    pub expected: String,
    /// What the request has; nothing when it is missing.
    pub actual: Option<String>,
    /// Whether that is what is asked for.
    pub matches: bool,
    /// How far it is from that: 0 is a match, 1 is nothing alike.
    #[serde(skip)]
    pub distance: f64,
    /// How much it counts.
    #[serde(skip)]
    pub weight: f64,
}

/// How much of a value is shown and compared.
const SHOWN: usize = 300;
/// A wrong address says more than a wrong header.
const URL_WEIGHT: f64 = 10.0;
const METHOD_WEIGHT: f64 = 3.0;

/// Everything the pattern asks for.
pub(super) fn compare(pattern: &RequestPattern, received: &Received) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut add = |name: String, expected: String, actual: Option<String>, matches: bool, weight: f64| {
        let distance = match &actual {
            _ if matches => 0.0,
            Some(actual) => distance(&expected, actual),
            None => 1.0,
        };
        fields.push(Field { name, expected, actual, matches, distance, weight });
    };
    if let Some(method) = pattern.method.as_deref().filter(|method| *method != "ANY") {
        let actual = received.method.to_string();
        add(
            "method".into(),
            method.to_owned(),
            Some(actual),
            test::is_method_match(pattern, received),
            METHOD_WEIGHT,
        );
    }
    if let Some(host) = &pattern.host {
        let matches = super::value::is_match(host, &super::subject::Subject::text(&received.host));
        add("host".into(), described(host), Some(received.host.to_string()), matches, METHOD_WEIGHT);
    }
    if let Some(port) = pattern.port {
        add("port".into(), port.to_string(), Some(received.port.to_string()), port == received.port, 1.0);
    }
    if let Some(scheme) = &pattern.scheme {
        let actual = received.scheme.as_str();
        add(
            "scheme".into(),
            scheme.clone(),
            Some(actual.to_owned()),
            scheme.eq_ignore_ascii_case(actual),
            1.0,
        );
    }
    if let Some((expected, actual)) = addresses(&pattern.url, received) {
        let matches = test::is_url_match(&pattern.url, received);
        add("url".into(), expected, Some(actual.to_owned()), matches, URL_WEIGHT);
    }
    for (name, matcher) in &pattern.headers {
        let actual =
            received.headers.get_all(name.as_str()).into_iter().filter_map(|value| value.to_str().ok());
        let matches = test::is_header_match(name, matcher, received);
        add(format!("header {name}"), described(matcher), joined(actual), matches, 1.0);
    }
    for (name, matcher) in &pattern.path_parameters {
        let matches = test::is_variable_match(pattern, name, matcher, received);
        add(format!("path parameter {name}"), described(matcher), None, matches, 1.0);
    }
    let pairs = [
        ("query parameter", &pattern.query_parameters, received.query()),
        ("form parameter", &pattern.form_parameters, received.form()),
        ("cookie", &pattern.cookies, received.cookies()),
    ];
    for (kind, matchers, pairs) in pairs {
        for (name, matcher) in matchers {
            let actual = pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
            let matches = test::is_pair_match(name, matcher, pairs);
            add(format!("{kind} {name}"), described(matcher), joined(actual), matches, 1.0);
        }
    }
    if let Some(wanted) = &pattern.basic_auth_credentials {
        // The password is not shown to whoever sent a wrong one.
        let expected = format!("basic authentication of {}", wanted.username);
        let given = received.headers.contains_key(http::header::AUTHORIZATION);
        let matches = test::is_authorised(wanted, received);
        add("authorization".into(), expected, given.then(|| "other credentials".to_owned()), matches, 1.0);
    }
    for matcher in &pattern.body_patterns {
        let actual = (!received.body.is_empty()).then(|| shortened(&received.body_text()));
        add("body".into(), described(matcher), actual, test::is_body_match(matcher, received), 1.0);
    }
    fields
}

fn addresses<'r>(url: &UrlMatch, received: &'r Received) -> Option<(String, &'r str)> {
    match url {
        UrlMatch::Any => None,
        UrlMatch::Url(url) => Some((url.clone(), received.url())),
        UrlMatch::UrlPath(path) => Some((path.clone(), received.path())),
        UrlMatch::UrlPattern(pattern) => Some((pattern.source().to_owned(), received.url())),
        UrlMatch::UrlPathPattern(pattern) => Some((pattern.source().to_owned(), received.path())),
        UrlMatch::UrlPathTemplate(template, _) => Some((template.clone(), received.path())),
    }
}

fn joined<'v>(values: impl Iterator<Item = &'v str>) -> Option<String> {
    let values: Vec<&str> = values.collect();
    (!values.is_empty()).then(|| shortened(&values.join(", ")))
}

/// A matcher as people read it; a plain value stands for itself.
fn described(matcher: &Matcher) -> String {
    match matcher {
        Matcher::EqualTo { value, case_insensitive: false } => value.clone(),
        Matcher::EqualToJson { value, .. } => shortened(&value.to_string()),
        other => shortened(&serde_json::to_string(other).unwrap_or_default()),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The edits from one text to the other, of the longer's length.
fn distance(expected: &str, actual: &str) -> f64 {
    let (left, right): (Vec<char>, Vec<char>) =
        (expected.chars().take(SHOWN).collect(), actual.chars().take(SHOWN).collect());
    let longer = left.len().max(right.len());
    if longer == 0 {
        return 0.0;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, &one) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, &other) in right.iter().enumerate() {
            let changed = diagonal + usize::from(one != other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()] as f64 / longer as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_far_apart_as_they_differ() {
        let table = [
            ("abc", "abc", 0.0),
            ("abc", "abd", 1.0 / 3.0),
            ("", "", 0.0),
            ("", "ab", 1.0),
            ("kitten", "sitting", 3.0 / 7.0),
        ];
        for (left, right, expected) in table {
            assert!((distance(left, right) - expected).abs() < 1e-9, "{left} {right}");
        }
    }
}

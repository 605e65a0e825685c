//! An exchange with a real service, and the stubs that repeat it.

use bytes::Bytes;
use indexmap::IndexMap;
use serde_json::Value;
use url::Url;

use crate::mapping::{Base64, HeaderValues, Mapping, Matcher, RequestPattern, ResponseDefinition, UrlMatch};

/// A request that was made, and its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedExchange {
    /// The method.
    pub method: String,
    /// The whole address; nothing when only the path is known.
    pub origin: Option<Url>,
    /// Path and query.
    pub target: String,
    /// The body of the request, if it had one.
    pub request_body: Option<Bytes>,
    /// The status of the answer.
    pub status: u16,
    /// The headers of the answer.
    pub headers: Vec<(String, String)>,
    /// The body of the answer, decoded.
    pub body: Bytes,
}

/// Headers that belong to a connection, or to an encoding that is undone.
const DROPPED: &[&str] = &[
    "connection",
    "content-encoding",
    "content-length",
    "date",
    "keep-alive",
    "proxy-connection",
    "strict-transport-security",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Stubs that answer as the real services did, in the order they did.
pub fn mappings_of(exchanges: &[RecordedExchange]) -> Vec<Mapping> {
    let mut requests: IndexMap<String, (RequestPattern, Vec<ResponseDefinition>)> = IndexMap::new();
    for exchange in exchanges {
        let pattern = pattern_of(exchange);
        let key = serde_json::to_string(&pattern).unwrap_or_default();
        let (_, answers) = requests.entry(key).or_insert_with(|| (pattern, Vec::new()));
        let answer = answer_of(exchange);
        if answers.last() != Some(&answer) {
            answers.push(answer);
        }
    }
    let mut mappings = Vec::new();
    for (number, (pattern, mut answers)) in requests.into_values().enumerate() {
        let method = pattern.method.as_deref().unwrap_or("ANY");
        let url = match &pattern.url {
            UrlMatch::Url(text) | UrlMatch::UrlPath(text) | UrlMatch::UrlPathTemplate(text, _) => {
                text.as_str()
            }
            _ => "/",
        };
        let name = format!("{method} {url}");
        if answers.len() > 1 {
            let steps = Mapping::sequence(&format!("{name} ({number})"), &pattern, answers);
            mappings.extend(steps.into_iter().map(|step| Mapping { name: Some(name.clone()), ..step }));
        } else if let Some(answer) = answers.pop() {
            mappings.push(Mapping { name: Some(name), ..Mapping::new(pattern, answer) });
        }
    }
    mappings
}

fn pattern_of(exchange: &RecordedExchange) -> RequestPattern {
    let body = exchange.request_body.as_ref().filter(|body| !body.is_empty());
    let matcher = body.map(|body| match serde_json::from_slice::<Value>(body) {
        Ok(value) => Matcher::equal_to_json(value),
        Err(_) => match std::str::from_utf8(body) {
            Ok(text) => Matcher::equal_to(text),
            Err(_) => Matcher::BinaryEqualTo(body.clone()),
        },
    });
    let origin = exchange.origin.as_ref();
    RequestPattern {
        host: origin.and_then(Url::host_str).map(Matcher::equal_to),
        port: origin.and_then(Url::port_or_known_default),
        scheme: origin.map(|origin| origin.scheme().to_owned()),
        body_patterns: matcher.into_iter().collect(),
        url: address(&exchange.target),
        ..RequestPattern::to(&exchange.method, "")
    }
}

/// A path with variables is a template; anything else is taken to the letter.
fn address(target: &str) -> UrlMatch {
    let template =
        target.contains('{').then(|| UrlMatch::template(target.split('?').next().unwrap_or(target)));
    template.and_then(Result::ok).unwrap_or_else(|| UrlMatch::Url(target.to_owned()))
}

fn answer_of(exchange: &RecordedExchange) -> ResponseDefinition {
    let mut headers: IndexMap<String, HeaderValues> = IndexMap::new();
    for (name, value) in &exchange.headers {
        if !name.starts_with(':') && !DROPPED.contains(&name.to_ascii_lowercase().as_str()) {
            headers.entry(name.clone()).or_insert_with(|| HeaderValues(Vec::new())).0.push(value.clone());
        }
    }
    let mut answer = ResponseDefinition { headers, ..ResponseDefinition::with_status(exchange.status) };
    if exchange.body.is_empty() {
        return answer;
    }
    match std::str::from_utf8(&exchange.body) {
        Ok(text) => answer.body = Some(text.to_owned()),
        Err(_) => answer.base64_body = Some(Base64(exchange.body.clone())),
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(target: &str, status: u16, body: &str) -> RecordedExchange {
        RecordedExchange {
            method: "GET".into(),
            origin: Some("https://a.test:8443/".parse().unwrap()),
            target: target.into(),
            request_body: None,
            status,
            headers: vec![
                ("Content-Length".into(), "3".into()),
                ("X-A".into(), "1".into()),
                ("X-A".into(), "2".into()),
            ],
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    #[test]
    fn answers_that_change_become_a_scenario_and_equal_ones_one_stub() {
        let recorded = [
            exchange("/a?x=1", 200, "one"),
            exchange("/b", 200, "b"),
            exchange("/a?x=1", 200, "two"),
            exchange("/b", 200, "b"),
        ];
        let mappings = mappings_of(&recorded);
        let shown: Vec<_> = mappings
            .iter()
            .map(|mapping| (mapping.response.body.as_deref().unwrap(), mapping.new_scenario_state.as_deref()))
            .collect();
        assert_eq!(shown, [("one", Some("step 1")), ("two", None), ("b", None)]);
        let written = serde_json::to_value(&mappings[2]).unwrap();
        assert_eq!(
            written,
            serde_json::json!({
                "name": "GET /b",
                "request": {"method": "GET", "url": "/b", "host": {"equalTo": "a.test"}, "port": 8443, "scheme": "https"},
                "response": {"status": 200, "headers": {"X-A": ["1", "2"]}, "body": "b"},
            })
        );
    }
}

//! The parts of a request that templates can name.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::fill::inside;
use crate::mapping::{Mapping, UrlMatch};
use crate::matching::{Received, path_variables};

/// What `request.<path>` stands for.
pub(super) fn part(mapping: &Mapping, received: &Received, path: &[String]) -> Value {
    let Some((name, rest)) = path.split_first() else { return Value::Null };
    match name.as_str() {
        "url" => received.url().into(),
        "method" => received.method.as_str().into(),
        "host" => received.host.as_ref().into(),
        "port" => received.port.into(),
        "scheme" => received.scheme.as_str().into(),
        "baseUrl" => {
            let whole = received.absolute_url();
            whole.strip_suffix(received.url()).unwrap_or(&whole).into()
        }
        "body" => inside(&received.body_text().into_owned().into(), rest),
        "bodyAsBase64" => STANDARD.encode(&received.body).into(),
        "path" => match rest.first() {
            None => received.path().into(),
            Some(step) => {
                segment(received, step).or_else(|| variable(mapping, received, step)).unwrap_or_default()
            }
        },
        "pathSegments" => match rest.first() {
            None => segments(received).map(Value::from).collect(),
            Some(step) => segment(received, step).unwrap_or_default(),
        },
        "query" => {
            named(received.query().iter().map(|(name, value)| (name.as_str(), value.as_str())), rest, false)
        }
        "cookies" => {
            named(received.cookies().iter().map(|(name, value)| (name.as_str(), value.as_str())), rest, false)
        }
        "headers" => {
            let headers = received.headers.iter();
            named(headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?))), rest, true)
        }
        _ => Value::Null,
    }
}

fn segments(received: &Received) -> impl Iterator<Item = &str> {
    received.path().split('/').skip(1)
}

fn segment(received: &Received, step: &str) -> Option<Value> {
    segments(received).nth(step.parse().ok()?).map(Value::from)
}

fn variable(mapping: &Mapping, received: &Received, name: &str) -> Option<Value> {
    let UrlMatch::UrlPathTemplate(template, _) = &mapping.request.url else { return None };
    path_variables(template, received.path())
        .find(|(variable, _)| *variable == name)
        .map(|(_, text)| text.into())
}

/// `<name>` is the first value of that name, `<name>.[1]` the second; no name gives all.
fn named<'r>(pairs: impl Iterator<Item = (&'r str, &'r str)>, path: &[String], any_case: bool) -> Value {
    let Some((wanted, rest)) = path.split_first() else {
        let all = pairs.map(|(name, value)| (name.to_owned(), Value::from(value)));
        return Value::Object(all.collect());
    };
    let is_wanted = |name: &str| name == wanted || any_case && name.eq_ignore_ascii_case(wanted);
    let mut values = pairs.filter(|(name, _)| is_wanted(name)).map(|(_, value)| value);
    let at = rest.first().and_then(|step| step.parse().ok()).unwrap_or(0);
    values.nth(at).map(Value::from).unwrap_or_default()
}

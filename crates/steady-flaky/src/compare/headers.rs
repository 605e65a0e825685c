//! Headers: those that speak of the API are compared, those of the transport are not.

use std::collections::BTreeMap;

use serde_json::Value;
use steady_model::{Place, Response, is_asserted};

use super::variation::{Kind, Variation};

/// Reports the headers that differ, by name.
pub fn compare(responses: &[&Response], variations: &mut Vec<Variation>) {
    let mut names: Vec<&str> = responses
        .iter()
        .flat_map(|response| &response.headers)
        .map(|(name, _)| name.as_str())
        .filter(|name| is_asserted(name))
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let seen: Vec<Vec<String>> = responses.iter().map(|response| values(response, name)).collect();
        let Some(first) = seen.first() else { continue };
        if seen.iter().all(|other| other == first) {
            continue;
        }
        let kind = if seen.iter().any(Vec::is_empty) { Kind::Presence } else { Kind::Value };
        let texts: Vec<String> =
            seen.iter().filter(|values| !values.is_empty()).map(|values| values.join(", ")).collect();
        let place = Place::Header(name.to_owned());
        let quoted = texts.iter().map(|text| Value::from(text.as_str()));
        variations.push(match kind {
            Kind::Value => {
                Variation::text(place, &texts.iter().map(String::as_str).collect::<Vec<_>>(), quoted)
            }
            kind => Variation::new(place, kind, quoted),
        });
    }
}

/// A header's values in a form in which what means the same is the same.
fn values(response: &Response, name: &str) -> Vec<String> {
    let raw = response.headers.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
    match name {
        "set-cookie" => {
            let cookies: BTreeMap<String, String> = raw.map(cookie).collect();
            cookies.into_iter().map(|(name, attributes)| format!("{name}{attributes}")).collect()
        }
        "content-type" => raw.map(content_type).collect(),
        "allow" | "vary" => {
            let mut items: Vec<String> =
                raw.flat_map(|value| value.split(',')).map(|item| item.trim().to_ascii_lowercase()).collect();
            items.sort_unstable();
            items
        }
        _ => raw.map(str::to_owned).collect(),
    }
}

/// A cookie's name and its attributes (RFC 6265 section 4.1); its value and the date it ends are the session's.
fn cookie(value: &str) -> (String, String) {
    let mut parts = value.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().split('=').next().unwrap_or_default().to_owned();
    let mut attributes: Vec<String> = parts
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (key, value) = part.split_once('=').map_or((part, None), |(key, value)| (key, Some(value)));
            let key = key.trim().to_ascii_lowercase();
            match value {
                Some(value) if key != "expires" => format!("; {key}={}", value.trim()),
                _ => format!("; {key}"),
            }
        })
        .collect();
    attributes.sort_unstable();
    (name, attributes.concat())
}

/// A media type in lower case; the boundary of multipart bodies is drawn each time.
fn content_type(value: &str) -> String {
    let parts = value.split(';').map(|part| part.trim().to_ascii_lowercase());
    parts.filter(|part| !part.is_empty() && !part.starts_with("boundary=")).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use steady_model::{SET_HEADERS, TRACING_HEADERS, TRANSPORT_HEADERS};

    use super::*;

    fn response(headers: &[(&str, &str)]) -> Response {
        Response {
            status: 200,
            headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            body: steady_model::Payload::default(),
            truncated: false,
        }
    }

    fn differing(one: &[(&str, &str)], other: &[(&str, &str)]) -> Vec<(String, Kind)> {
        let mut variations = Vec::new();
        compare(&[&response(one), &response(other)], &mut variations);
        variations.into_iter().map(|found| (found.place.to_string(), found.kind)).collect()
    }

    #[test]
    fn transport_and_tracing_headers_are_not_compared() {
        for name in TRANSPORT_HEADERS.iter().chain(&TRACING_HEADERS).chain(&SET_HEADERS) {
            assert!(differing(&[(name, "1")], &[(name, "2")]).is_empty(), "{name}");
        }
    }

    #[test]
    fn other_headers_are_compared_by_value_and_presence() {
        assert_eq!(
            differing(&[("etag", "a"), ("location", "/1")], &[("etag", "b")]),
            [("header:etag".to_owned(), Kind::Value), ("header:location".to_owned(), Kind::Presence)]
        );
    }

    #[test]
    fn cookies_are_compared_by_name_and_attributes() {
        let one = [("set-cookie", "sid=abc; Path=/; HttpOnly; Expires=Tue, 10 Mar 2026 12:00:00 GMT")];
        let fresh = [("set-cookie", "sid=xyz; httponly; path=/; Expires=Tue, 10 Mar 2026 12:00:09 GMT")];
        assert!(differing(&one, &fresh).is_empty());
        let open = [("set-cookie", "sid=xyz; Path=/")];
        assert_eq!(differing(&one, &open), [("header:set-cookie".to_owned(), Kind::Value)]);
    }

    #[test]
    fn what_means_the_same_is_the_same() {
        let one = [("content-type", "Application/JSON;charset=UTF-8"), ("allow", "GET, PUT")];
        let other = [("content-type", "application/json; charset=utf-8"), ("allow", "PUT,GET")];
        assert!(differing(&one, &other).is_empty());
    }
}

//! HTTP archives, as browsers and proxies save them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;
use url::Url;

use super::{RecordedExchange, document};
use crate::mapping::MappingError;

#[derive(Deserialize)]
struct Har {
    log: Log,
}

#[derive(Deserialize)]
struct Log {
    entries: Vec<HarEntry>,
}

#[derive(Deserialize)]
struct HarEntry {
    request: HarRequest,
    response: HarResponse,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HarRequest {
    method: String,
    url: String,
    post_data: Option<PostData>,
}

#[derive(Deserialize)]
struct PostData {
    text: Option<String>,
}

#[derive(Deserialize)]
struct HarResponse {
    status: u16,
    #[serde(default)]
    headers: Vec<HarHeader>,
    #[serde(default)]
    content: Content,
}

#[derive(Deserialize)]
struct HarHeader {
    name: String,
    value: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Content {
    text: Option<String>,
    encoding: Option<String>,
    mime_type: Option<String>,
}

/// The exchanges of an archive; requests that were not answered, and those that are no HTTP, are left out.
pub fn har(text: &str, origin: &str) -> Result<Vec<RecordedExchange>, MappingError> {
    let har: Har = document(text, origin)?;
    Ok(har.log.entries.into_iter().filter_map(exchange).collect())
}

fn exchange(entry: HarEntry) -> Option<RecordedExchange> {
    let url: Url =
        entry.request.url.parse().ok().filter(|url: &Url| matches!(url.scheme(), "http" | "https"))?;
    // A status of 0 stands for a request that was blocked or is under way.
    (100..=999).contains(&entry.response.status).then_some(())?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let target = format!("{}{query}", url.path());
    let content = entry.response.content;
    let text = content.text.unwrap_or_default();
    let body = match content.encoding.as_deref() {
        Some("base64") => Bytes::from(STANDARD.decode(text.as_bytes()).ok()?),
        _ => Bytes::from(text),
    };
    let mut headers: Vec<(String, String)> =
        entry.response.headers.into_iter().map(|header| (header.name, header.value)).collect();
    let typed = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    headers.extend(
        content
            .mime_type
            .filter(|kind| !typed && !kind.is_empty())
            .map(|kind| ("Content-Type".to_owned(), kind)),
    );
    Some(RecordedExchange {
        method: entry.request.method,
        origin: Some(url),
        target,
        request_body: entry.request.post_data.and_then(|data| data.text).map(Bytes::from),
        status: entry.response.status,
        headers,
        body,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::import::mappings_of;

    #[test]
    fn an_archive_becomes_stubs() {
        let archive = json!({"log": {"version": "1.2", "entries": [
            {"request": {"method": "POST", "url": "https://a.test/x?q=1", "postData": {"mimeType": "a/b", "text": "{\"a\":1}"}},
             "response": {"status": 200, "headers": [{"name": "content-encoding", "value": "gzip"}],
                          "content": {"mimeType": "application/json", "text": "eyJiIjoyfQ==", "encoding": "base64"}}},
            {"request": {"method": "GET", "url": "https://a.test/blocked"}, "response": {"status": 0}},
            {"request": {"method": "GET", "url": "wss://a.test/socket"}, "response": {"status": 101}},
        ]}});
        let mappings = mappings_of(&har(&archive.to_string(), "a.har").unwrap());
        assert_eq!(
            serde_json::to_value(mappings).unwrap(),
            json!([{
                "name": "POST /x?q=1",
                "request": {"method": "POST", "url": "/x?q=1", "bodyPatterns": [{"equalToJson": {"a": 1}}],
                            "host": {"equalTo": "a.test"}, "port": 443, "scheme": "https"},
                "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": "{\"b\":2}"},
            }])
        );
    }

    #[test]
    fn what_is_no_archive_is_refused_with_its_place() {
        let error = har("{\"log\": {\"entries\": [\n{\"request\": 7}]}}", "a.har").unwrap_err();
        assert!(matches!(error, MappingError::Invalid { line: 2, .. }), "{error}");
    }
}

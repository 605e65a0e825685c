//! From the text of a file to its mappings.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Mapping, MappingError};

/// A file of several mappings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Several {
    mappings: Vec<Mapping>,
    #[serde(default, rename = "meta")]
    _meta: IgnoredAny,
    #[serde(default, rename = "importOptions")]
    _import_options: IgnoredAny,
}

/// Reads a file with one mapping, or with several in `mappings`; `origin` names it in errors.
pub fn read(text: &str, origin: &str) -> Result<Vec<Mapping>, MappingError> {
    let text = text.trim_start_matches('\u{feff}');
    let invalid = |error: serde_json::Error| MappingError::of_json(origin, text, &error);
    let shape: IndexMap<String, IgnoredAny> = serde_json::from_str(text).map_err(invalid)?;
    if shape.contains_key("mappings") {
        return serde_json::from_str::<Several>(text).map(|several| several.mappings).map_err(invalid);
    }
    read_one(text, origin).map(|mapping| vec![mapping])
}

/// Reads one mapping.
pub fn read_one(text: &str, origin: &str) -> Result<Mapping, MappingError> {
    serde_json::from_str(text).map_err(|error| MappingError::of_json(origin, text, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_mapping_or_several() {
        assert_eq!(read(r#"{"request": {"url": "/a"}}"#, "a.json").unwrap().len(), 1);
        assert_eq!(read(r#"{"mappings": [{}, {}], "meta": {"total": 2}}"#, "a.json").unwrap().len(), 2);
    }

    /// Each text, with the line, the column and the marked text of the error, and how its message begins.
    #[test]
    fn an_error_says_what_and_where() {
        let table: &[(&str, usize, usize, &str, &str)] = &[
            ("{\n  \"request\": {\"methd\": \"GET\"}\n}", 2, 16, "methd", "unknown field `methd`, expected"),
            ("{\"request\": {}\n\"response\": {}}", 2, 1, "\"", "expected `,` or `}`"),
            ("{\"request\": {\"url\": 5}}", 1, 21, "5", "invalid type: integer `5`, expected a string"),
            (
                "{\n\"request\": {\"urlPattern\": \"/é[a\"}}",
                2,
                28,
                "/é[a",
                "`/é[a` is not a regular expression",
            ),
            (
                "{\"request\": {\"bodyPatterns\": [{\"matchesJsonPath\": \"$.[\"}]}}",
                1,
                52,
                "$.[",
                "`$.[` is not a JSONPath",
            ),
            (
                "{\"request\": {\"url\": \"/a\", \"urlPath\": \"/a\"}}",
                1,
                28,
                "urlPath",
                "`urlPath` and `url` in one request",
            ),
            ("{\"response\": {\"status\": 99}}", 1, 25, "99", "`99` is not a status"),
            (
                "{\"response\": {\"fault\": \"SLOW\"}}",
                1,
                25,
                "SLOW",
                "unknown variant `SLOW`, expected one of `EMPTY_RESPONSE`",
            ),
            (
                "{\"response\": {\"proxyBaseUrl\": \"http://a\"}}",
                1,
                16,
                "proxyBaseUrl",
                "WireMock's `proxyBaseUrl` is not supported",
            ),
            (
                "{\"request\": {\"headers\": {\"a\": {\"equalTo\": \"1\", \"matches\": \"2\"}}}}",
                1,
                49,
                "matches",
                "`matches` and `equalTo` in one matcher",
            ),
            ("{\"id\": \"7\"}", 1, 9, "7", "`7` is not a UUID"),
            ("", 1, 1, "", "EOF while parsing a value"),
            ("[]", 1, 1, "[", "invalid type: sequence"),
        ];
        for (text, line, column, marked, begins) in table {
            let error = read(text, "a.json").unwrap_err();
            let MappingError::Invalid { line: at, column: seen, text: shown, span, message, .. } = error
            else {
                panic!("{error}")
            };
            assert!(message.starts_with(begins), "{message}");
            assert_eq!((at, seen, &shown[span]), (*line, *column, *marked), "{message}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = format!("{{\"request\": {{\"host\": {}", "{\"not\": ".repeat(100_000));
        assert!(read(&deep, "a.json").is_err());
    }
}

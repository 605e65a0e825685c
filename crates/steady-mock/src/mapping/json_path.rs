//! JSONPath expressions of mappings: RFC 9535, and the liberties of Jayway's dialect that WireMock's users take.

use std::str::FromStr;
use std::sync::Arc;

use regex::Regex;
use serde_json::Value;
use serde_json_path::JsonPath;

/// A JSONPath expression.
#[derive(Debug, Clone)]
pub struct JsonPathExpression {
    source: String,
    path: Arc<JsonPath>,
    /// Whether it names at most one place.
    definite: bool,
}

/// The text is no JSONPath.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{source_text}` is not a JSONPath expression: {reason}")]
pub struct ParseJsonPathError {
    source_text: String,
    reason: String,
}

impl JsonPathExpression {
    /// The expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What it finds.
    pub fn find<'v>(&self, value: &'v Value) -> Vec<&'v Value> {
        self.path.query(value).all()
    }

    /// Whether it names at most one place.
    pub fn is_definite(&self) -> bool {
        self.definite
    }
}

impl PartialEq for JsonPathExpression {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl FromStr for JsonPathExpression {
    type Err = ParseJsonPathError;

    fn from_str(source: &str) -> Result<Self, Self::Err> {
        let parsed = JsonPath::parse(source).or_else(|error| {
            let standard = standardised(source);
            JsonPath::parse(&standard).map_err(|_| error)
        });
        let path = parsed.map_err(|error| {
            let reason = error.to_string();
            ParseJsonPathError { source_text: source.to_owned(), reason }
        })?;
        let definite = !["..", "*", "?", ":", ","].iter().any(|mark| source.contains(mark));
        Ok(Self { source: source.to_owned(), path: Arc::new(path), definite })
    }
}

/// The expression in the standard's words: `$.` in front, names with hyphens in brackets, `=~ /re/` as a function.
fn standardised(source: &str) -> String {
    let rooted = if source.starts_with('$') { source.to_owned() } else { format!("$.{source}") };
    let replace = |text: &str, pattern: &str, with: &str| match Regex::new(pattern) {
        Ok(regex) => regex.replace_all(text, with).into_owned(),
        Err(_) => text.to_owned(),
    };
    let named = replace(&rooted, r"(?P<dots>\.\.?)(?P<name>[A-Za-z_][\w]*-[\w-]*)", "${dots}['${name}']");
    let named = named.replace(".['", "['").replace(".[", "[");
    let searched = replace(&named, r"(@[\w.\[\]'-]*)\s*=~\s*/((?:[^/\\]|\\.)*)/i", "match($1, '(?i)$2')");
    replace(&searched, r"(@[\w.\[\]'-]*)\s*=~\s*/((?:[^/\\]|\\.)*)/", "match($1, '$2')")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn expressions_find_what_they_name() {
        let value = json!({"a": {"b-c": [1, 2]}, "things": [{"n": "x", "p": 1}, {"n": "yes", "p": 20}]});
        let table = [
            ("$.a['b-c']", json!([[1, 2]])),
            ("$.a.b-c[0]", json!([1])),
            ("a.b-c[1]", json!([2])),
            ("$..p", json!([1, 20])),
            ("$.things[?(@.p > 10)].n", json!(["yes"])),
            ("$.things[?(@.n == 'x')].p", json!([1])),
            ("$.things[?(@.n =~ /y.*/)].p", json!([20])),
            ("$.missing", json!([])),
        ];
        for (source, expected) in table {
            let expression: JsonPathExpression = source.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(json!(expression.find(&value)), expected, "{source}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let message = "$.a[".parse::<JsonPathExpression>().unwrap_err().to_string();
        assert!(message.starts_with("`$.a[` is not a JSONPath expression: "), "{message}");
    }
}

//! When two server errors count as one: same operation, same status, same message up to the data in it.
//!
//! One rule for both tools, and not steady's own: what is counted must not depend on who is counted.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// Enough of a message to distinguish two errors.
const LENGTH: usize = 160;

static TITLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?is)<title[^>]*>(.*?)</title>"));
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<[^>]*>"));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#""[^"]*"|'[^']*'|`[^`]*`"#));
static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-fA-F]{8}[0-9a-fA-F-]*\b|-?\d[\d.]*"));
static SPACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s+"));

/// What the body of a 5xx answer says: the message of a JSON body, the title of a page, else the first line.
pub fn message(body: &str) -> String {
    if let Some(stated) = serde_json::from_str(body).ok().and_then(|document| stated(&document)) {
        return stated;
    }
    if let Some(title) = TITLE.captures(body) {
        return title[1].to_owned();
    }
    TAG.replace_all(body, "").trim().lines().next().unwrap_or_default().to_owned()
}

/// A message without the data in it: quoted text, numbers, identifiers.
pub fn normalised(message: &str) -> String {
    let message = message.replace("&quot;", "\"").replace("&#39;", "'").replace("&apos;", "'");
    let message = QUOTED.replace_all(&message, "…");
    let message = IDENTIFIER.replace_all(&message, "#");
    SPACE.replace_all(&message, " ").trim().chars().take(LENGTH).collect()
}

/// The message of a JSON body, from the usual fields.
fn stated(document: &Value) -> Option<String> {
    match document {
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => ["message", "detail", "description", "title", "reason", "error", "errors"]
            .iter()
            .find_map(|name| stated(fields.get(*name)?)),
        Value::Array(items) => items.first().and_then(stated),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants, used by the tests below")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_found_in_json_in_pages_and_in_plain_text() {
        assert_eq!(message(r#"{"error":{"statusCode":500,"message":"no row"}}"#), "no row");
        assert_eq!(
            message("<html><head><title>Error 500 boom</title></head><body>…</body></html>"),
            "Error 500 boom"
        );
        assert_eq!(message("Internal Server Error\nat line 3"), "Internal Server Error");
    }

    #[test]
    fn data_of_the_request_does_not_make_a_new_error() {
        assert_eq!(normalised("no row 17 in \"users\""), "no row # in …");
        assert_eq!(normalised("no row 17 in \"users\""), normalised("no row -4.5 in &quot;groups&quot;"));
    }

    #[test]
    fn another_message_is_another_error() {
        assert_ne!(normalised("out of range"), normalised("no such table"));
    }
}

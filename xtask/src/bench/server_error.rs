//! When two server errors count as one: same operation, same message up to the data in it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// Enough of a message to tell two errors apart; pages and stack traces go on for long.
const LENGTH: usize = 160;

static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#""[^"]*"|'[^']*'|`[^`]*`"#));
static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-fA-F]{8}[0-9a-fA-F-]*\b|\d+"));
static SPACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s+"));

/// The message of a 5xx answer without what the request put into it.
pub fn normalised(status: u16, body: &str) -> String {
    let message = serde_json::from_str(body).ok().and_then(|document| stated(&document));
    let message = message.unwrap_or_else(|| body.to_owned());
    let message = QUOTED.replace_all(&message, "…");
    let message = IDENTIFIER.replace_all(&message, "#");
    let message = SPACE.replace_all(&message, " ");
    let message: String = message.trim().chars().take(LENGTH).collect();
    format!("{status} {message}")
}

/// The message a JSON body states, wherever APIs usually put it.
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
    fn data_of_the_request_does_not_make_a_new_error() {
        let one = normalised(500, r#"{"error":{"statusCode":500,"message":"no row 17 in \"users\""}}"#);
        let two = normalised(500, r#"{"error":{"statusCode":500,"message":"no row 4 in \"groups\""}}"#);
        assert_eq!(one, "500 no row # in …");
        assert_eq!(one, two);
    }

    #[test]
    fn another_status_or_another_message_is_another_error() {
        assert_ne!(normalised(500, "out of range"), normalised(503, "out of range"));
        assert_ne!(normalised(500, "out of range"), normalised(500, "no such table"));
    }
}

//! Messages without their variable parts: one fault is one message.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use steady_model::{Document, Request};

/// The longest message looked at.
const MAX_MESSAGE: usize = 300;

#[expect(clippy::expect_used, reason = "the expression is a constant, and a test compiles it")]
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
        "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | `[^`]*`      # quoted
        | https?://\S+ | (?:/[\w.%{}~-]+){2,}                  # URLs, paths
        | [0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12} # UUIDs
        | 0x[0-9a-fA-F]+ | \b[0-9a-fA-F]{16,}\b                # addresses, digests
        | @[0-9a-f]{5,}\b                                      # object identities
        | [-+]?\d[\d.,:TZ-]*                                   # numbers, times
    "#,
    )
    .expect("a valid expression")
});

/// The message with quoted parts, numbers, ids, paths and times replaced.
pub fn normalize(message: &str) -> String {
    let clipped: String = message.chars().take(MAX_MESSAGE).collect();
    // Error pages write quotes as entities.
    let clipped = ["&quot;", "&#34;", "&#39;", "&#x27;", "&apos;"]
        .iter()
        .fold(clipped, |text, entity| text.replace(entity, "\""));
    VARIABLE.replace_all(&clipped, "…").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The message without the words the request put into it: what was sent does not make another fault.
pub fn without_request_data(message: &str, request: &Request) -> String {
    let mut values: BTreeSet<String> = BTreeSet::new();
    let query = request.target.split_once('?').map(|(_, query)| query).unwrap_or_default();
    values
        .extend(query.split('&').filter_map(|pair| pair.split_once('=')).map(|(_, value)| value.to_owned()));
    if let Some(body) = request.body.as_ref().and_then(|body| serde_json::from_slice(body.as_bytes()).ok()) {
        collect_texts(&body, &mut values);
    }
    let words: Vec<&str> = message
        .split(' ')
        .map(|word| {
            let bare = word.trim_matches(|character: char| !character.is_alphanumeric());
            // A single letter is as good as none: `unknown pattern letter: x`.
            let sent = !bare.is_empty() && values.contains(bare);
            if bare.chars().count() == 1 || sent { "…" } else { word }
        })
        .collect();
    words.join(" ")
}

fn collect_texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            found.insert(text.clone());
        }
        Value::Object(fields) => {
            for (name, inner) in fields {
                found.insert(name.clone());
                collect_texts(inner, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, found)),
        _ => {}
    }
}

/// What an error response says: its message fields, or its first line.
pub fn message_of(document: &Document) -> String {
    match document {
        Document::Json(value) => json_message(value).unwrap_or_else(|| clip(&value.to_string())),
        Document::Text(text) | Document::OpaqueJson(text) => text_message(text),
        Document::Empty => "(no body)".to_owned(),
        Document::Bytes(_) => "(binary body)".to_owned(),
    }
}

fn json_message(value: &Value) -> Option<String> {
    const FIELDS: [&str; 12] = [
        "exception",
        "type",
        "error",
        "title",
        "message",
        "detail",
        "details",
        "reason",
        "description",
        "msg",
        "errors",
        "error_message",
    ];
    match value {
        Value::Object(fields) => {
            let parts: Vec<String> = FIELDS
                .iter()
                .filter_map(|name| fields.get(*name))
                .filter_map(json_message)
                .filter(|part| !part.is_empty())
                .collect();
            (!parts.is_empty()).then(|| clip(&parts.join(": ")))
        }
        Value::Array(items) => items.first().and_then(json_message),
        Value::String(text) => Some(clip(text)),
        _ => None,
    }
}

/// The title of an HTML error page, or the first line that says something.
fn text_message(text: &str) -> String {
    let lower = text.get(..text.len().min(4000)).unwrap_or(text).to_ascii_lowercase();
    if let (Some(start), Some(end)) = (lower.find("<title>"), lower.find("</title>"))
        && let Some(title) = text.get(start + 7..end)
    {
        return clip(title.trim());
    }
    // The last line of a Python traceback names the error, its first never does.
    let traceback = text.contains("Traceback (most recent call last)");
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = if traceback { lines.next_back() } else { lines.next() };
    clip(line.unwrap_or_default())
}

fn clip(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_fault_become_one() {
        for (left, right) in [
            ("Order 17 not found", "Order 9 not found"),
            ("cannot parse \"a\" as int", "cannot parse \"bb\" as int"),
            ("at 2024-01-01T10:00:00Z failed", "at 2025-02-03T11:30:59Z failed"),
            ("com.x.Foo@1a2b3c4d died", "com.x.Foo@99ffee died"),
            ("no such file /var/lib/a", "no such file /etc/b/c"),
        ] {
            assert_eq!(normalize(left), normalize(right));
        }
        assert_ne!(normalize("null pointer"), normalize("index out of range"));
    }

    #[test]
    fn what_the_request_said_is_not_part_of_the_message() {
        let body = |name: &str| Some(steady_model::Payload::Text(format!("{{\"key\": \"{name}\"}}").into()));
        let request = |name: &str| Request {
            method: steady_model::Method::Post,
            target: "/x".to_owned(),
            headers: Vec::new(),
            body: body(name),
        };
        let (first, second) = (request("abc"), request("zg7pn"));
        assert_eq!(
            without_request_data("No value for abc (in the map)", &first),
            without_request_data("No value for zg7pn (in the map)", &second)
        );
        assert_eq!(
            without_request_data("Unknown letter: x", &first),
            without_request_data("Unknown letter: b", &first)
        );
        let empty = request("");
        assert_eq!(without_request_data("index 0 > 3", &empty), without_request_data("index 0 > 3", &first));
    }
}

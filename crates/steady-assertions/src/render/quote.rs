//! Values as literals of the languages.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use crate::language::Language;

/// Text as a literal in double quotes.
pub(super) fn text(text: &str, language: Language) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '$' if language == Language::Kotlin => quoted.push_str("\\$"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                // Writing to a string does not fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A JSON value as a literal of Python or JavaScript.
pub(super) fn value(value: &Value, language: Language) -> String {
    let python = language == Language::Python;
    match value {
        Value::Null if python => "None".to_owned(),
        Value::Bool(true) if python => "True".to_owned(),
        Value::Bool(false) if python => "False".to_owned(),
        Value::String(string) => text(string, language),
        Value::Array(items) => format!("[{}]", values(items, language)),
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(name, field)| format!("{}: {}", text(name, language), self::value(field, language)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// Values side by side.
pub(super) fn values(items: &[Value], language: Language) -> String {
    items.iter().map(|item| value(item, language)).collect::<Vec<_>>().join(", ")
}

/// A scalar as a literal of Java or Kotlin, of the type RestAssured reads it as: `int`, `long`, `float`.
pub(super) fn scalar(value: &Value, language: Language) -> Option<String> {
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::String(string) => text(string, language),
        Value::Number(number) => self::number(number)?,
        Value::Array(_) | Value::Object(_) => return None,
    })
}

/// A number as a literal of Java or Kotlin.
pub(super) fn number(number: &Number) -> Option<String> {
    match number.as_i64() {
        Some(integer) if i32::try_from(integer).is_ok() => Some(integer.to_string()),
        Some(integer) => Some(format!("{integer}L")),
        None if number.is_f64() => Some(format!("{number}f")),
        None => None,
    }
}

/// A pattern as a raw string of Python where that is possible.
pub(super) fn python_pattern(regex: &str) -> String {
    let raw =
        !regex.contains(['"', '\n', '\r']) && !regex.ends_with('\\') && !regex.chars().any(char::is_control);
    if raw { format!("r\"{regex}\"") } else { text(regex, Language::Python) }
}

/// A pattern as a literal of JavaScript that matches from start to end.
pub(super) fn script_pattern(regex: &str) -> String {
    let mut literal = String::from("/^");
    let grouped = if regex.contains('|') { format!("(?:{regex})") } else { regex.to_owned() };
    let mut escaped = false;
    for c in grouped.chars() {
        match c {
            '/' if !escaped => literal.push_str("\\/"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\u{2028}' => literal.push_str("\\u2028"),
            '\u{2029}' => literal.push_str("\\u2029"),
            c => literal.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    literal.push_str("$/");
    literal
}

//! From text to a JSON value, whichever of JSON and YAML it is.

use serde_json::Value;

use crate::error::{Excerpt, LoadError};
use crate::yaml;

/// Reads text that is JSON or YAML; `name` is for the error.
///
/// What begins like JSON but is not may still be YAML, as with comments or a comma too many. The depth of the value
/// is bounded by both readers, so later code may recurse over it.
pub(crate) fn read(text: &str, name: &str) -> Result<Value, LoadError> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with(['{', '[']) {
        return yaml::read(text).map_err(|error| yaml_error(&error, text, name));
    }
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) => yaml::read(text).map_err(|_| json_error(&error, text, name)),
    }
}

fn json_error(error: &serde_json::Error, text: &str, name: &str) -> LoadError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default().to_owned();
    let excerpt = Excerpt::at(text, error.line(), characters(text, error.line(), error.column()));
    LoadError::Syntax { name: name.to_owned(), format: "JSON", message, excerpt }
}

fn yaml_error(error: &yaml_serde::Error, text: &str, name: &str) -> LoadError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default().to_owned();
    let (line, column) = error.location().map_or((1, 1), |place| (place.line(), place.column()));
    LoadError::Syntax {
        name: name.to_owned(),
        format: "YAML",
        message,
        excerpt: Excerpt::at(text, line, column),
    }
}

/// serde_json counts columns in bytes; people count characters.
fn characters(text: &str, line: usize, column: usize) -> usize {
    let whole = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().as_bytes();
    let before = &whole[..column.saturating_sub(1).min(whole.len())];
    String::from_utf8_lossy(before).chars().count() + 1
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_and_yaml_give_the_same_value() {
        let expected = json!({"a": [1, "x", null, true, 1.5]});
        for text in [
            r#"{"a": [1, "x", null, true, 1.5]}"#,
            "\u{feff}{\"a\": [1, \"x\", null, true, 1.5]}",
            "a: [1, x, null, true, 1.5]",
            "a:\n- 1\n- x\n-\n- true\n- 1.5\n",
            "{\"a\": [1, \"x\", null, true, 1.5,],} # a comment",
        ] {
            assert_eq!(read(text, "t").unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn a_syntax_error_says_where() {
        for (text, format, line, column) in
            [("{\"a\": 1,\n \"é\": ]}", "JSON", 2, 7), ("a: 1\nb: [1, 2\nc: 3\n", "YAML", 3, 2)]
        {
            let error = read(text, "shop").unwrap_err();
            let LoadError::Syntax { format: seen, excerpt, .. } = error else { panic!("{error}") };
            assert_eq!((seen, excerpt.line, excerpt.column), (format, line, column), "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        for text in ["[", "{\"a\":", "- ", "a: [", "? "].map(|nested| nested.repeat(100_000)) {
            assert!(read(&text, "t").is_err());
        }
    }
}

//! Says in plain words what is wrong with a file that cannot be read into a type.
//!
//! serde's messages name Rust types: "invalid type: string \"two\", expected a nonzero usize". The author of the file knows text,
//! numbers, lists and tables.

/// What holds named values, in JSON and YAML.
pub const OBJECT: &str = "an object";
/// The same in TOML.
pub const TABLE: &str = "a table";

/// The message without Rust's words; `object` is what the file's format calls a group of named values.
pub fn plain(message: &str, object: &'static str) -> String {
    let message = message.replace("unknown variant", "unknown value");
    for mark in ["invalid type: ", "invalid value: "] {
        if let Some((before, rest)) = message.split_once(mark)
            && let Some((found, expected)) = rest.split_once(", expected ")
        {
            let (expected, position) = match expected.find(" at line ") {
                Some(at) => expected.split_at(at),
                None => (expected, ""),
            };
            return format!(
                "{before}expected {}, found {}{position}",
                expected_words(expected, object),
                found_words(found, object)
            );
        }
    }
    message
}

/// A few words under the caret; the message above has the details.
pub fn label(message: &str) -> &'static str {
    if message.contains("unknown field") || message.contains("unknown variant") {
        "not known here"
    } else if message.contains("missing field") {
        "incomplete"
    } else if message.contains("invalid type") {
        "of the wrong type"
    } else {
        "here"
    }
}

/// The message without line and column, for where an excerpt shows them.
pub fn without_position(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

/// What a type expects, as its visitor says it.
fn expected_words<'m>(expected: &'m str, object: &'m str) -> &'m str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of at least 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "string" | "path string" | "a character" => "text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" | "map" => object,
        expected if expected.starts_with("a nonzero u") => "a whole number of at least 1",
        expected if expected.starts_with("struct ") => object,
        expected if expected.starts_with("enum ") => "one of its known values",
        expected => expected,
    }
}

/// What stands there, as serde calls it.
fn found_words<'m>(found: &'m str, object: &'m str) -> &'m str {
    for kind in ["string ", "integer ", "floating point ", "boolean ", "character "] {
        if let Some(value) = found.strip_prefix(kind) {
            return value;
        }
    }
    match found {
        "sequence" => "a list",
        "map" => object,
        "unit value" | "null" => "nothing",
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_in_plain_words() {
        for (message, expected) in [
            (
                "invalid type: string \"two\", expected a nonzero usize",
                "expected a whole number of at least 1, found \"two\"",
            ),
            (
                "invalid value: integer `-1`, expected u32",
                "expected a whole number of at least 0, found `-1`",
            ),
            ("invalid type: string \"shop\", expected struct ApiInfo", "expected an object, found \"shop\""),
            ("auth[0]: invalid type: map, expected a sequence", "auth[0]: expected a list, found an object"),
            (
                "invalid type: null, expected a string at line 3 column 4",
                "expected text, found nothing at line 3 column 4",
            ),
            ("unknown variant `x`, expected `a` or `b`", "unknown value `x`, expected `a` or `b`"),
            ("missing field `start`", "missing field `start`"),
        ] {
            assert_eq!(plain(message, OBJECT), expected);
        }
    }
}

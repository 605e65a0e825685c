//! Literals and expressions of Python.

use crate::layout::Code;
use crate::plan::{Json, Piece, Template};
use crate::prose::{escape, is_plain};

/// A string literal, in whichever quotes need less escaping.
pub(super) fn literal(text: &str) -> String {
    let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    format!("{quote}{}{quote}", escaped(text, quote))
}

/// A regular expression, as a raw literal where that spares backslashes.
pub(super) fn regex(pattern: &str) -> String {
    let is_raw = pattern.contains('\\') && !pattern.ends_with('\\') && !pattern.contains('"');
    if is_raw && pattern.chars().all(is_plain) { format!("r\"{pattern}\"") } else { literal(pattern) }
}

/// The inside of a string literal.
fn escaped(text: &str, quote: char) -> String {
    escape(text, |c| match c {
        '\\' => Some("\\\\".to_owned()),
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        c if c == quote => Some(format!("\\{quote}")),
        c if is_plain(c) => None,
        c if u32::from(c) <= 0xff => Some(format!("\\x{:02x}", u32::from(c))),
        c if u32::from(c) <= 0xffff => Some(format!("\\u{:04x}", u32::from(c))),
        c => Some(format!("\\U{:08x}", u32::from(c))),
    })
}

/// A bytes literal.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let mut out = String::from("b\"");
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'"' => out.push_str("\\\""),
            b' '..=b'~' => out.push(char::from(*byte)),
            byte => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out + "\""
}

/// A string expression; `encoded` when it is put into a URL.
pub(super) fn template(template: &Template<'_>, encoded: bool) -> String {
    if let Some(text) = template.as_literal() {
        return literal(text);
    }
    if let [piece] = template.pieces() {
        return expression(piece, encoded, '"');
    }
    let mut out = String::from("f\"");
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => {
                out.push_str(&escaped(text, '"').replace('{', "{{").replace('}', "}}"));
            }
            // Python before 3.12 allows no double quotes within these.
            piece => out.push_str(&format!("{{{}}}", expression(piece, encoded, '\''))),
        }
    }
    out + "\""
}

/// A piece as an expression of its own, with quotes of this kind.
fn expression(piece: &Piece<'_>, encoded: bool, quote: char) -> String {
    let (expression, is_text) = match piece {
        Piece::Literal(text) => (format!("{quote}{}{quote}", escaped(text, quote)), true),
        Piece::Variable(variable) => (variable.name.snake(), variable.is_text),
        Piece::Environment(name) => (format!("env({quote}{}{quote})", escaped(name, quote)), true),
    };
    match (encoded, is_text) {
        (true, _) => format!("path({expression})"),
        (false, true) => expression,
        (false, false) => format!("text({expression})"),
    }
}

pub(super) fn value(json: &Json<'_>) -> Code {
    match json {
        Json::Null => Code::text("None"),
        Json::Boolean(true) => Code::text("True"),
        Json::Boolean(false) => Code::text("False"),
        Json::Number(number) => Code::text(number.to_string()),
        Json::String(text) => Code::string(text, literal),
        Json::Array(items) => Code::list("[", items.iter().map(value).collect(), "]"),
        Json::Object(fields) => {
            let field = |(name, json): &(&str, Json<'_>)| value(json).after(format!("{}: ", literal(name)));
            Code::list("{", fields.iter().map(field).collect(), "}")
        }
        Json::Variable(variable, _) => Code::text(variable.name.snake()),
    }
}

/// Names and values: a dictionary, or a list of pairs when a name comes twice.
pub(super) fn pairs(pairs: &[(&str, Template<'_>)]) -> Code {
    let repeated = pairs.iter().enumerate().any(|(at, (name, _))| pairs[..at].iter().any(|(n, _)| n == name));
    let item = |(name, content): &(&str, Template<'_>)| {
        let (name, content) = (literal(name), template(content, false));
        Code::text(if repeated { format!("({name}, {content})") } else { format!("{name}: {content}") })
    };
    let (open, close) = if repeated { ("[", "]") } else { ("{", "}") };
    Code::list(open, pairs.iter().map(item).collect(), close)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prose::read_back::{HOSTILE, assert_reads_back, read_back};

    #[test]
    fn hostile_text_stays_within_its_literal() {
        assert_eq!(
            literal("a\"'b\\c\n\0{}\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"'b\\c\n\x00{}\u2028😀\U0010ffff""#
        );
        assert_eq!(literal("say \"hello\""), r#"'say "hello"'"#);
        assert_eq!(
            [r"a\.b", r#"a\."b"#, "a\\.\n", r"a\\", "a"].map(regex),
            [r#"r"a\.b""#, r#"'a\\."b'"#, r#""a\\.\n""#, r#""a\\\\""#, r#""a""#]
        );
        assert_eq!(bytes(b"\x00\"\\\xff~"), r#"b"\x00\"\\\xff~""#);
    }

    proptest! {
        #[test]
        fn a_literal_reads_back_as_its_text(text in HOSTILE) {
            assert_reads_back(&literal(&text), &text);
        }

        #[test]
        fn text_around_a_variable_reads_back(text in HOSTILE) {
            let pieces = vec![Piece::Literal(&text), Piece::Environment("A")];
            let expression = template(&Template::new(pieces), false);
            let inside = expression.strip_prefix("f\"").unwrap().strip_suffix("{env('A')}\"").unwrap();
            let braces_undone = inside.replace("{{", "{").replace("}}", "}");
            prop_assert_eq!(inside.matches('{').count() % 2, 0);
            prop_assert_eq!(read_back(&braces_undone, '"'), text);
        }
    }
}

//! Literals and expressions of Python.

use crate::layout::Code;
use steady_model::Encoding;

use crate::plan::{Json, Piece, Setting, Template};
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

/// A string expression.
pub(super) fn template(template: &Template<'_>, setting: Setting) -> String {
    if let Some(text) = template.as_literal() {
        return literal(text);
    }
    if let [piece] = template.pieces() {
        return expression(piece, setting, '"');
    }
    let mut out = String::from("f\"");
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => {
                out.push_str(&escaped(text, '"').replace('{', "{{").replace('}', "}}"));
            }
            // Python before 3.12 allows no double quotes within these.
            piece => out.push_str(&format!("{{{}}}", expression(piece, setting, '\''))),
        }
    }
    out + "\""
}

/// A regular expression in which values may stand.
pub(super) fn pattern(template: &Template<'_>) -> Code {
    let pieces = template.pieces().iter().map(|piece| match piece {
        Piece::Literal(text) => regex(text),
        piece => expression(piece, Setting::Regex, '"'),
    });
    match pieces.collect::<Vec<_>>().as_slice() {
        [] => Code::text(literal("")),
        pieces => Code::text(pieces.join(" + ")),
    }
}

/// A piece as an expression of its own, with quotes of this kind.
fn expression(piece: &Piece<'_>, setting: Setting, quote: char) -> String {
    let (expression, is_text) = match piece {
        Piece::Literal(text) => (format!("{quote}{}{quote}", escaped(text, quote)), true),
        Piece::Variable(variable) => (variable.name.snake(), variable.is_text),
        Piece::Environment(name, encoding) => {
            (encoded(format!("env({quote}{}{quote})", escaped(name, quote)), *encoding), true)
        }
        Piece::Base(part, encoding) => (encoded(format!("base.{part}"), *encoding), true),
    };
    match (setting, is_text) {
        (Setting::Target, _) => format!("path({expression})"),
        (Setting::Regex, true) => format!("escaped({expression})"),
        (Setting::Regex, false) => format!("escaped(text({expression}))"),
        (Setting::Text, true) => expression,
        (Setting::Text, false) => format!("text({expression})"),
    }
}

fn encoded(expression: String, encoding: Encoding) -> String {
    match encoding {
        Encoding::Plain => expression,
        Encoding::Percent => format!("path({expression})"),
        Encoding::Json => format!("json_text({expression})"),
        Encoding::Base64 => format!("base64_text({expression})"),
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
        Json::Text(text) => Code::text(template(text, Setting::Text)),
    }
}

/// Names and values: a dictionary, or a list of pairs when a name comes twice.
pub(super) fn pairs(pairs: &[(&str, Template<'_>)]) -> Code {
    let repeated = pairs.iter().enumerate().any(|(at, (name, _))| pairs[..at].iter().any(|(n, _)| n == name));
    let item = |(name, content): &(&str, Template<'_>)| {
        let (name, content) = (literal(name), template(content, Setting::Text));
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
            let pieces = vec![Piece::Literal(&text), Piece::Environment("A", Encoding::Plain)];
            let expression = template(&Template::new(pieces), Setting::Text);
            let inside = expression.strip_prefix("f\"").unwrap().strip_suffix("{env('A')}\"").unwrap();
            let braces_undone = inside.replace("{{", "{").replace("}}", "}");
            prop_assert_eq!(inside.matches('{').count() % 2, 0);
            prop_assert_eq!(read_back(&braces_undone, '"'), text);
        }
    }
}

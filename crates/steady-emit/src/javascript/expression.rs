//! Literals and expressions of JavaScript.

use serde_json::Number;
use steady_model::Encoding;

use crate::layout::Code;
use crate::plan::{Json, Piece, Setting, Template};
use crate::prose::{escape, is_plain};

/// A string literal, in whichever quotes need less escaping.
pub(super) fn literal(text: &str) -> String {
    let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    format!("{quote}{}{quote}", escape(text, |c| special(c, quote)))
}

fn special(c: char, quote: char) -> Option<String> {
    match c {
        '\\' => Some("\\\\".to_owned()),
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        c if c == quote => Some(format!("\\{quote}")),
        c if is_plain(c) => None,
        c if u32::from(c) <= 0xff => Some(format!("\\x{:02x}", u32::from(c))),
        c => Some(format!("\\u{{{:x}}}", u32::from(c))),
    }
}

/// A string expression.
pub(super) fn template(template: &Template<'_>, setting: Setting) -> String {
    if let Some(text) = template.as_literal() {
        return literal(text);
    }
    if let [piece] = template.pieces() {
        return expression(piece, setting);
    }
    let mut out = String::from("`");
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => out.push_str(&in_template(text)),
            piece => out.push_str(&format!("${{{}}}", expression(piece, setting))),
        }
    }
    out + "`"
}

/// Text between backticks.
pub(super) fn in_template(text: &str) -> String {
    escape(text, |c| special(c, '`')).replace("${", "\\${")
}

/// A piece as an expression of its own.
pub(super) fn expression(piece: &Piece<'_>, setting: Setting) -> String {
    let (expression, is_text) = match piece {
        Piece::Literal(text) => (literal(text), true),
        Piece::Variable(variable) => (variable.name.camel(), variable.is_text),
        Piece::Environment(name, encoding) => (encoded(format!("env({})", literal(name)), *encoding), true),
        Piece::Base(part, encoding) => (encoded(format!("api.base.{part}"), *encoding), true),
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
        Encoding::Json => format!("jsonText({expression})"),
        Encoding::Base64 => format!("base64Text({expression})"),
    }
}

/// A value to compare with or, when `sent`, to send digit by digit.
pub(super) fn value(json: &Json<'_>, sent: bool) -> Code {
    match json {
        Json::Null => Code::text("null"),
        Json::Boolean(value) => Code::text(value.to_string()),
        Json::Number(number) => Code::text(self::number(number, sent)),
        Json::String(text) => Code::string(text, literal),
        Json::Array(items) => Code::list("[", items.iter().map(|item| value(item, sent)).collect(), "]"),
        Json::Object(fields) if fields.is_empty() => Code::text("{}"),
        Json::Object(fields) => {
            let field = |(name, json): &(&str, Json<'_>)| match json {
                Json::Variable(variable, _) if variable.name.camel() == *name => Code::text(*name),
                json => value(json, sent).after(format!("{}: ", key(name))),
            };
            Code::list("{ ", fields.iter().map(field).collect(), " }")
        }
        Json::Variable(variable, _) => Code::text(variable.name.camel()),
        Json::Text(text) => Code::text(template(text, Setting::Text)),
    }
}

/// A number; beyond 2^53, and where it is sent and JavaScript would print it differently, digit by digit.
pub(super) fn number(number: &Number, sent: bool) -> String {
    const SAFE: u64 = (1 << 53) - 1;
    let text = number.to_string();
    let is_large = number.as_u64().is_some_and(|integer| integer > SAFE)
        || number.as_i64().is_some_and(|integer| integer.unsigned_abs() > SAFE);
    match number.as_f64() {
        _ if is_large => format!("exactly(\"{text}\")"),
        Some(_) if number.is_f64() && sent && text.ends_with(".0") => format!("exactly(\"{text}\")"),
        Some(float) if number.is_f64() && !sent && is_large_integer(float) => {
            format!("exactly(\"{float:.0}\")")
        }
        _ => text,
    }
}

/// Whether the support file reads this float as an integer, because it is one that 64 bits hold.
fn is_large_integer(float: f64) -> bool {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    const LIMITS: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0;
    float.fract() == 0.0 && float.abs() > SAFE && LIMITS.contains(&float)
}

/// A property's name, without quotes where they are not needed.
pub(super) fn key(name: &str) -> String {
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match name {
        // As a plain name it would set the prototype.
        "__proto__" => "[\"__proto__\"]".to_owned(),
        name if is_name => name.to_owned(),
        name => literal(name),
    }
}

/// Names and values: an object, or a list of pairs when a name comes twice or would change its place.
pub(super) fn pairs(pairs: &[(&str, Template<'_>)]) -> Code {
    let repeated = pairs.iter().enumerate().any(|(at, (name, _))| pairs[..at].iter().any(|(n, _)| n == name));
    let reordered = pairs.iter().any(|(name, _)| name.starts_with(|c: char| c.is_ascii_digit()));
    if repeated || reordered {
        let item = |(name, content): &(&str, Template<'_>)| {
            Code::text(format!("[{}, {}]", literal(name), template(content, Setting::Text)))
        };
        return Code::list("[", pairs.iter().map(item).collect(), "]");
    }
    let item = |(name, content): &(&str, Template<'_>)| {
        Code::text(format!("{}: {}", key(name), template(content, Setting::Text)))
    };
    Code::list("{ ", pairs.iter().map(item).collect(), " }")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::prose::read_back::{HOSTILE, assert_reads_back, read_back};

    #[test]
    fn hostile_text_stays_within_its_literal() {
        assert_eq!(
            literal("a\"'b\\c\n\0${}`\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"'b\\c\n\x00${}`\u{2028}😀\u{10ffff}""#
        );
        let pieces = vec![Piece::Literal("`${a}\\\r"), Piece::Environment("A", Encoding::Plain)];
        assert_eq!(template(&Template::new(pieces), Setting::Text), "`\\`\\${a}\\\\\\r${env(\"A\")}`");
    }

    #[test]
    fn numbers_keep_every_digit() {
        let value = json!({"a b": 1.0, "big": u64::MAX, "low": i64::MIN, "__proto__": 0.5});
        assert_eq!(
            super::value(&Json::of(&value), true).flat(),
            "{ \"a b\": exactly(\"1.0\"), big: exactly(\"18446744073709551615\"), \
             low: exactly(\"-9223372036854775808\"), [\"__proto__\"]: 0.5 }"
        );
        let large = json!(1e16);
        assert_eq!(super::value(&Json::of(&large), false).flat(), "exactly(\"10000000000000000\")");
        assert_eq!(super::value(&Json::of(&value["a b"]), false).flat(), "1.0");
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
            let inside = expression.strip_prefix('`').unwrap().strip_suffix("${env(\"A\")}`").unwrap();
            let begins_expression = inside.replace("\\${", " ").contains("${");
            prop_assert!(!begins_expression);
            prop_assert_eq!(read_back(inside, '`'), text);
        }
    }
}

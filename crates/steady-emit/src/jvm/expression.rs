//! Literals and expressions, which Java and Kotlin write alike but for their syntax.

use serde_json::Number;
use steady_model::Encoding;

use super::limits::{LONG_TEXT, MOST_VALUES, literal_pieces};
use super::syntax::{Fragment, Syntax};
use crate::layout::Code;
use crate::plan::{Filling, Json, Piece, Setting, Template};
use crate::prose::escape;

/// A string literal, or several joined where one would be too long.
pub(super) fn literal<S: Syntax>(text: &str) -> String {
    let quoted = |piece: &str| format!("\"{}\"", escape(piece, S::special));
    match literal_pieces(text).as_slice() {
        [whole] => quoted(whole),
        pieces => joined(pieces.iter().map(|piece| quoted(piece))),
    }
}

fn joined(pieces: impl Iterator<Item = String>) -> String {
    format!("joined({})", pieces.collect::<Vec<_>>().join(", "))
}

/// A string expression.
pub(super) fn template<S: Syntax>(template: &Template<'_>, setting: Setting) -> String {
    if let Some(text) = template.as_literal() {
        return literal::<S>(text);
    }
    if let [piece] = template.pieces() {
        return expression::<S>(piece, setting);
    }
    // Compilers make one constant of the text around variables.
    let is_long = |piece: &Piece<'_>| matches!(piece, Piece::Literal(text) if text.len() > LONG_TEXT);
    if template.pieces().len() > LONG_TEXT / 10 || template.pieces().iter().any(is_long) {
        return joined(template.pieces().iter().map(|piece| expression::<S>(piece, setting)));
    }
    let fragment = |piece| match piece {
        &Piece::Literal(text) => Fragment::Text(text),
        piece => Fragment::Expression(expression::<S>(piece, setting)),
    };
    S::concatenated(&template.pieces().iter().map(fragment).collect::<Vec<_>>())
}

/// A piece as an expression of its own.
fn expression<S: Syntax>(piece: &Piece<'_>, setting: Setting) -> String {
    let value = match piece {
        Piece::Literal(text) => return literal::<S>(text),
        Piece::Variable(variable) => variable.name.camel(),
        Piece::Environment(name, encoding) => encoded(format!("env({})", literal::<S>(name)), *encoding),
        Piece::Base(part, encoding) => encoded(format!("api.base().{part}()"), *encoding),
    };
    match (setting, piece) {
        (Setting::Target, _) => format!("path({value})"),
        (Setting::Regex, _) => format!("escaped({value})"),
        (Setting::Text, Piece::Variable(variable)) if !variable.is_text => format!("text({value})"),
        (Setting::Text, _) => value,
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

/// A JSON value; a large one as its text.
pub(super) fn value<S: Syntax>(json: &Json<'_>) -> Code {
    if json.count() > MOST_VALUES {
        return parsed::<S>(json);
    }
    match json {
        Json::Null => Code::text("null"),
        Json::Boolean(value) => Code::text(value.to_string()),
        Json::Number(number) => Code::text(self::number::<S>(number)),
        Json::String(text) => Code::string(text, literal::<S>),
        Json::Array(items) => S::array(items.iter().map(value::<S>).collect()),
        Json::Object(fields) => {
            let field = |(name, json): &(&str, Json<'_>)| (literal::<S>(name), value::<S>(json));
            S::object(fields.iter().map(field).collect())
        }
        Json::Variable(variable, _) => Code::text(variable.name.camel()),
        Json::Text(text) => Code::text(template::<S>(text, Setting::Text)),
    }
}

/// JSON text, and the replacement of the value at a pointer.
fn parsed<S: Syntax>(json: &Json<'_>) -> Code {
    let (sample, filled) = json.sample();
    let mut items = vec![Code::text(literal::<S>(&sample.to_string()))];
    for (pointer, filling) in filled {
        let value = match filling {
            Filling::Variable(variable) => variable.name.camel(),
            Filling::Text(text) => template::<S>(text, Setting::Text),
        };
        items.push(Code::text(format!("{}, {value}", literal::<S>(&pointer))));
    }
    Code::list("parsed(", items, ")")
}

fn number<S: Syntax>(number: &Number) -> String {
    let integer = number.as_i64().filter(|_| !number.is_f64());
    let is_int = integer.is_some_and(|integer| i32::try_from(integer).is_ok());
    if number.is_f64() || is_int {
        return number.to_string();
    }
    integer.and_then(S::long).unwrap_or_else(|| format!("integer(\"{number}\")"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::jvm::{Java, Kotlin};

    #[test]
    fn a_large_value_is_json_text() {
        let numbers: Vec<usize> = (0..MOST_VALUES).collect();
        let large = json!({"a/b": numbers});
        let text = format!("parsed({})", literal::<Java>(&large.to_string()));
        assert_eq!(value::<Java>(&Json::of(&large)).flat(), text);
        assert_eq!(value::<Kotlin>(&Json::of(&large)).flat(), text);
    }

    #[test]
    fn integers_are_written_as_what_holds_them() {
        let numbers = json!([1, -2_147_483_649_i64, i64::MIN, u64::MAX, 1.0]);
        assert_eq!(
            value::<Java>(&Json::of(&numbers)).flat(),
            "array(1, -2147483649L, -9223372036854775808L, integer(\"18446744073709551615\"), 1.0)"
        );
        assert_eq!(
            value::<Kotlin>(&Json::of(&numbers)).flat(),
            "listOf(1, -2147483649L, integer(\"-9223372036854775808\"), integer(\"18446744073709551615\"), 1.0)"
        );
    }
}

//! Kotlin for JUnit 5, with REST Assured.

use serde_json::Number;
use steady_model::{Fresh, Place, Take};

use super::calls::{Syntax, api, call, credentials, found};
use super::{class_name, companions, documentation, joined, large, utf16};
use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, fresh_arguments};
use crate::layout::{Code, Style};
use crate::plan::{Condition, Identity, Json, Piece, Plan, Request, Template, Test, TestFile, Variable};
use crate::prose::{escape, is_plain, one_line};

/// Writes Kotlin classes.
#[derive(Debug)]
pub(crate) struct Kotlin;

const STYLE: Style = Style { tab: "    ", trailing_comma: true, breaks_last: true };

impl Language for Kotlin {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        format!("src/test/kotlin/steady/{}.kt", class_name(file))
    }

    fn header(&self, file: &TestFile<'_, '_>) -> String {
        format!(
            "package steady\n\nimport org.junit.jupiter.api.Test\nimport steady.Steady.*\n\n\
             /** {}. {} */\nclass {} : ApiTest() {{\n",
            one_line(file.plan.title),
            file.summary(),
            class_name(file)
        )
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        format!(
            "\n{}    @Test\n    fun `{}`() {{\n{}    }}\n",
            documentation(test.about, 1),
            test.name.spaced(),
            self.steps(&test.steps, 2)
        )
    }

    fn footer(&self) -> &'static str {
        "}\n"
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let mut files = companions(plan, include_str!("../../support/jvm/kotlin.pom.xml"));
        let own = [
            ("ApiTest.kt", include_str!("../../support/jvm/ApiTest.kt")),
            ("Assertions.kt", include_str!("../../support/jvm/Assertions.kt")),
        ];
        for (name, text) in own {
            files.push(EmittedFile::new(format!("src/test/kotlin/steady/{name}"), text));
        }
        files.push(suite_object(plan, self));
        files
    }
}

impl Statements for Kotlin {
    fn style(&self) -> Style {
        STYLE
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code {
        Code::text(format!("val {} = fresh({})", variable.name.camel(), fresh_arguments(value, literal)))
    }

    fn send(&self, request: &Request<'_>, turn: Turn) -> Code {
        let declaration = match turn {
            Turn::Only => "val ",
            Turn::First => "var ",
            Turn::Later => "",
        };
        call(self, &format!("{declaration}response = {}", api(self, request)), request)
    }

    fn cleanup(&self, request: &Request<'_>) -> Code {
        call(self, &format!("{}.cleanup()", api(self, request)), request)
    }

    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code {
        let taken = match take {
            Take::Whole => "value()",
            Take::LastSegment => "lastSegment()",
        };
        Code::text(format!("val {} = {}.{taken}", variable.name.camel(), found(self, from)))
    }

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        let found = found(self, place);
        match condition {
            Condition::Equals(json) => value(json).after(format!("{found} shouldBe ")),
            Condition::Variable(variable) => {
                Code::text(format!("{found} shouldBe {}", variable.name.camel()))
            }
            Condition::MediaType(media_type) => {
                let media_type = literal(&media_type.to_ascii_lowercase());
                Code::text(format!("response.mediaType() shouldBe {media_type}"))
            }
            Condition::Size(size) => Code::text(format!("{found} shouldHaveSize {size}")),
            Condition::Type(json_type) => Code::text(format!("{found} shouldBeA \"{json_type}\"")),
            Condition::Present => Code::text(format!("{found}.shouldBePresent()")),
            Condition::Absent => Code::text(format!("{found}.shouldBeAbsent()")),
        }
    }
}

impl Syntax for Kotlin {
    fn literal(&self, text: &str) -> String {
        literal(text)
    }

    fn template(&self, template: &Template<'_>, encoded: bool) -> String {
        self::template(template, encoded)
    }

    fn value(&self, json: &Json<'_>) -> Code {
        value(json)
    }

    fn end(&self) -> &'static str {
        ""
    }
}

/// A string expression.
fn literal(text: &str) -> String {
    joined(text, |piece| format!("\"{}\"", escape(piece, special)))
}

fn special(c: char) -> Option<String> {
    match c {
        '\\' => Some("\\\\".to_owned()),
        '"' => Some("\\\"".to_owned()),
        '$' => Some("\\$".to_owned()),
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        c if is_plain(c) => None,
        c => Some(utf16(c)),
    }
}

/// A string expression; `encoded` when it is put into a URL.
fn template(template: &Template<'_>, encoded: bool) -> String {
    if let Some(text) = template.as_literal() {
        return literal(text);
    }
    if let [piece] = template.pieces() {
        return expression(piece, encoded);
    }
    let is_long =
        template.pieces().iter().any(|piece| matches!(piece, Piece::Literal(text) if text.len() > 999));
    if is_long {
        let pieces: Vec<String> = template.pieces().iter().map(|piece| expression(piece, encoded)).collect();
        return pieces.join(" + ");
    }
    let mut out = String::from("\"");
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => out.push_str(&escape(text, special)),
            piece => out.push_str(&format!("${{{}}}", expression(piece, encoded))),
        }
    }
    out + "\""
}

/// A piece as an expression of its own.
fn expression(piece: &Piece<'_>, encoded: bool) -> String {
    let value = match piece {
        Piece::Literal(text) => return literal(text),
        Piece::Variable(variable) => variable.name.camel(),
        Piece::Environment(name) => format!("env({})", literal(name)),
    };
    match (encoded, piece) {
        (true, _) => format!("path({value})"),
        (false, Piece::Variable(variable)) if !variable.is_text => format!("text({value})"),
        (false, _) => value,
    }
}

fn value(json: &Json<'_>) -> Code {
    if let Some(large) = large(json, literal) {
        return large;
    }
    match json {
        Json::Null => Code::text("null"),
        Json::Boolean(value) => Code::text(value.to_string()),
        Json::Number(number) => Code::text(self::number(number)),
        Json::String(text) => Code::text(literal(text)),
        Json::Array(items) if items.is_empty() => Code::text("emptyList<Any>()"),
        Json::Array(items) => Code::list("listOf(", items.iter().map(value).collect(), ")"),
        Json::Object(fields) if fields.is_empty() => Code::text("emptyMap<String, Any>()"),
        Json::Object(fields) => {
            let field = |(name, json): &(&str, Json<'_>)| value(json).after(format!("{} to ", literal(name)));
            Code::list("mapOf(", fields.iter().map(field).collect(), ")")
        }
        Json::Variable(variable, _) => Code::text(variable.name.camel()),
    }
}

fn number(number: &Number) -> String {
    match (number.as_i64(), number.is_f64()) {
        (_, true) => number.to_string(),
        (Some(integer), _) if i32::try_from(integer).is_ok() => integer.to_string(),
        // Kotlin has no literal for the smallest long: it reads the digits before the sign.
        (Some(integer), _) if integer != i64::MIN => format!("{integer}L"),
        _ => format!("integer(\"{number}\")"),
    }
}

/// The generated object that knows the API: its address, and who calls it.
fn suite_object(plan: &Plan<'_>, language: &dyn Statements) -> EmittedFile {
    let mut text = format!(
        "package steady\n\nimport steady.Steady.*\n\n\
         /** {}: its address, and who calls it. */\nobject Suite {{\n    val session: Session = Session({})",
        one_line(plan.title),
        literal(plan.url)
    );
    for who in &plan.identities {
        text.push_str(&format!("\n        .identity({}, ::{})", literal(who.key), who.name.camel()));
    }
    text.push('\n');
    for who in &plan.identities {
        text.push_str(&identity(who, language));
    }
    EmittedFile::new("src/test/kotlin/steady/Suite.kt", text + "}\n")
}

/// The function that signs someone in and says what their calls carry.
fn identity(who: &Identity<'_>, language: &dyn Statements) -> String {
    let result = credentials(&Kotlin, "Credentials()", who);
    format!(
        "\n    /** What calls made as {} carry. */\n    private fun {}(api: Api): Credentials {{\n{}        return {result}\n    }}\n",
        one_line(who.key),
        who.name.camel(),
        language.steps(&who.login, 2)
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prose::read_back::{HOSTILE, read_back};

    #[test]
    fn hostile_text_stays_within_its_literal() {
        assert_eq!(
            literal("a\"b\\c\n\0${x}$y\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"b\\c\n\u0000\${x}\$y\u2028😀\udbff\udfff""#
        );
    }

    proptest! {
        #[test]
        fn a_literal_reads_back_as_its_text(text in HOSTILE) {
            let literal = literal(&text);
            let quote = literal.chars().next().unwrap();
            prop_assert!(literal.len() >= 2 && literal.ends_with(quote));
            prop_assert_eq!(read_back(&literal[1..literal.len() - 1], quote), text);
        }

        #[test]
        fn no_dollar_stands_bare(text in HOSTILE) {
            let literal = literal(&text);
            prop_assert_eq!(literal.matches('$').count(), literal.matches("\\$").count());
        }
    }
}

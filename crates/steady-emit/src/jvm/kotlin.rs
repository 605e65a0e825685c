//! Kotlin for JUnit 5, with REST Assured.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Number;
use steady_model::{Fresh, Part, Payload, Place, Take};

use super::{class_name, companions, documentation, joined, utf16};
use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, fresh_arguments};
use crate::layout::{Code, Style};
use crate::plan::{
    Condition, Content, Credential, Identity, Json, Piece, Plan, Request, Template, Test, TestFile, Variable,
};
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
        call(&format!("{declaration}response = {}", api(request)), request)
    }

    fn cleanup(&self, request: &Request<'_>) -> Code {
        call(&format!("{}.cleanup()", api(request)), request)
    }

    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code {
        let taken = match take {
            Take::Whole => "value()",
            Take::LastSegment => "lastSegment()",
        };
        Code::text(format!("val {} = {}.{taken}", variable.name.camel(), found(from)))
    }

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        let found = found(place);
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

/// A call on the client, after `prefix`.
fn call(prefix: &str, request: &Request<'_>) -> Code {
    let mut items = vec![Code::text(template(&request.target, true))];
    for (name, text) in &request.headers {
        items.push(Code::text(format!("header({}, {})", literal(name), template(text, false))));
    }
    items.extend(request.content.as_ref().map(content));
    Code::list(format!("{prefix}.{}(", request.method.as_str().to_ascii_lowercase()), items, ")")
}

fn api(request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("api.actingAs({})", literal(name)),
        None => "api".to_owned(),
    }
}

fn content(content: &Content<'_>) -> Code {
    let body = |body: String, content_type: &str| {
        Code::list("body(", vec![Code::text(body), Code::text(literal(content_type))], ")")
    };
    match content {
        Content::Json(json) => Code::list("json(", vec![value(json)], ")"),
        Content::Form(fields) => {
            let field = |(name, text): &(&str, Template<'_>)| {
                Code::text(format!("{}, {}", literal(name), template(text, false)))
            };
            Code::list("form(", fields.iter().map(field).collect(), ")")
        }
        Content::Multipart(parts) => Code::list("multipart(", parts.iter().map(part).collect(), ")"),
        Content::Text { content_type, text } => body(template(text, false), content_type),
        Content::Bytes { content_type, payload } => body(self::payload(payload), content_type),
    }
}

fn part(part: &Part) -> Code {
    let mut text = format!("part({}, {})", literal(&part.name), payload(&part.content));
    let optional = [("filename", &part.filename), ("contentType", &part.content_type)];
    for (name, value) in optional {
        if let Some(value) = value {
            text.push_str(&format!(".{name}({})", literal(value)));
        }
    }
    Code::text(text)
}

fn payload(payload: &Payload) -> String {
    match payload {
        Payload::Text(text) => literal(text),
        Payload::Bytes(content) => {
            let base64 = STANDARD.encode(content);
            format!("bytes({})", literal(&base64))
        }
    }
}

/// What the response holds at a place.
fn found(place: &Place) -> String {
    match place {
        Place::Status => "response.status()".to_owned(),
        Place::Header(name) => format!("response.header({})", literal(name)),
        Place::Body(pointer) => format!("response.at({})", literal(pointer)),
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
    let mut result = String::from("return Credentials()");
    for credential in &who.credentials {
        result.push_str(&match credential {
            Credential::Header(name, text) => {
                format!(".header({}, {})", literal(name), template(text, false))
            }
            Credential::Query(name, text) => format!(".query({}, {})", literal(name), template(text, false)),
            Credential::Cookies => ".cookies(response)".to_owned(),
        });
    }
    format!(
        "\n    /** What calls made as {} carry. */\n    private fun {}(api: Api): Credentials {{\n{}        {result}\n    }}\n",
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

//! Java for JUnit 5, with REST Assured.

use serde_json::Number;
use steady_model::{Fresh, Place, Take};

use super::calls::{Syntax, api, call, credentials, found};
use super::{class_name, companions, documentation, joined, large, utf16};
use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, fresh_arguments};
use crate::layout::{Code, Style};
use crate::plan::{Condition, Identity, Json, Piece, Plan, Request, Template, Test, TestFile, Variable};
use crate::prose::{escape, is_plain, one_line};

/// Writes Java classes.
#[derive(Debug)]
pub(crate) struct Java;

const STYLE: Style = Style { tab: "    ", trailing_comma: false, breaks_last: true };

impl Language for Java {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        format!("src/test/java/steady/{}.java", class_name(file))
    }

    fn header(&self, file: &TestFile<'_, '_>) -> String {
        format!(
            "package steady;\n\nimport static steady.Steady.*;\n\nimport org.junit.jupiter.api.Test;\n\n\
             /** {}. {} */\nclass {} extends ApiTest {{\n",
            one_line(file.plan.title),
            file.summary(),
            class_name(file)
        )
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        format!(
            "\n{}    @Test\n    void {}() {{\n{}    }}\n",
            documentation(test.about, 1),
            test.name.camel(),
            self.steps(&test.steps, 2)
        )
    }

    fn footer(&self) -> &'static str {
        "}\n"
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let mut files = companions(plan, include_str!("../../support/jvm/java.pom.xml"));
        let base = include_str!("../../support/jvm/ApiTest.java");
        files.push(EmittedFile::new("src/test/java/steady/ApiTest.java", base));
        files.push(suite_class(plan, self));
        files
    }
}

impl Statements for Java {
    fn style(&self) -> Style {
        STYLE
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code {
        Code::text(format!("var {} = fresh({});", variable.name.camel(), fresh_arguments(value, literal)))
    }

    fn send(&self, request: &Request<'_>, turn: Turn) -> Code {
        let declaration = match turn {
            Turn::Only | Turn::First => "var ",
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
        Code::text(format!("var {} = {}.{taken};", variable.name.camel(), found(self, from)))
    }

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        let found = found(self, place);
        match condition {
            Condition::Equals(json) => Code::list(format!("{found}.is("), vec![value(json)], ");"),
            Condition::Variable(variable) => Code::text(format!("{found}.is({});", variable.name.camel())),
            Condition::MediaType(media_type) => {
                let media_type = literal(&media_type.to_ascii_lowercase());
                Code::text(format!("response.mediaType().is({media_type});"))
            }
            Condition::Size(size) => Code::text(format!("{found}.hasSize({size});")),
            Condition::Type(json_type) => Code::text(format!("{found}.isA(\"{json_type}\");")),
            Condition::Present => Code::text(format!("{found}.isPresent();")),
            Condition::Absent => Code::text(format!("{found}.isAbsent();")),
        }
    }
}

impl Syntax for Java {
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
        ";"
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
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        c if is_plain(c) => None,
        // Java reads `\u000a` as the end of a line, even here; an octal escape is only ever a character.
        c if u32::from(c) < 0x20 => Some(format!("\\{:03o}", u32::from(c))),
        c => Some(utf16(c)),
    }
}

/// A string expression; `encoded` when it is put into a URL.
fn template(template: &Template<'_>, encoded: bool) -> String {
    if let Some(text) = template.as_literal() {
        return literal(text);
    }
    let pieces: Vec<String> = template.pieces().iter().map(|piece| expression(piece, encoded)).collect();
    pieces.join(" + ")
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
        // One null would be taken for no array at all.
        Json::Array(items) if matches!(items.as_slice(), [Json::Null]) => Code::text("array((Object) null)"),
        Json::Array(items) => Code::list("array(", items.iter().map(value).collect(), ")"),
        Json::Object(fields) => {
            let field = |(name, json): &(&str, Json<'_>)| value(json).after(format!("{}, ", literal(name)));
            Code::list("object(", fields.iter().map(field).collect(), ")")
        }
        Json::Variable(variable, _) => Code::text(variable.name.camel()),
    }
}

fn number(number: &Number) -> String {
    match (number.as_i64(), number.is_f64()) {
        (_, true) => number.to_string(),
        (Some(integer), _) if i32::try_from(integer).is_ok() => integer.to_string(),
        (Some(integer), _) => format!("{integer}L"),
        (None, _) => format!("integer(\"{number}\")"),
    }
}

/// The generated class that knows the API: its address, and who calls it.
fn suite_class(plan: &Plan<'_>, language: &dyn Statements) -> EmittedFile {
    let mut text = format!(
        "package steady;\n\nimport static steady.Steady.*;\n\n\
         /** {}: its address, and who calls it. */\nfinal class Suite {{\n",
        one_line(plan.title)
    );
    let mut session = format!("    static final Session SESSION = new Session({})", literal(plan.url));
    for who in &plan.identities {
        session.push_str(&format!(
            "\n            .identity({}, Suite::{})",
            literal(who.key),
            who.name.camel()
        ));
    }
    text.push_str(&format!("{session};\n\n    private Suite() {{}}\n"));
    for who in &plan.identities {
        text.push_str(&identity(who, language));
    }
    EmittedFile::new("src/test/java/steady/Suite.java", text + "}\n")
}

/// The method that signs someone in and says what their calls carry.
fn identity(who: &Identity<'_>, language: &dyn Statements) -> String {
    let result = credentials(&Java, "new Credentials()", who);
    format!(
        "\n    /** What calls made as {} carry. */\n    private static Credentials {}(Api api) {{\n{}        return {result};\n    }}\n",
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
            literal("a\"b\\c\\u000a\n\0\u{7f}\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"b\\c\\u000a\n\000\u007f\u2028😀\udbff\udfff""#
        );
    }

    #[test]
    fn a_literal_never_exceeds_what_a_class_file_holds() {
        let long = literal(&"\u{4e2d}".repeat(40_000));
        assert_eq!(long.matches("\", \"").count(), 2);
        assert!(long.starts_with("joined(\""));
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
        fn no_escape_is_read_before_the_literal_is(text in HOSTILE) {
            // Java reads `\\u` after an even number of backslashes wherever it stands.
            let literal = literal(&text);
            for (at, _) in literal.match_indices("\\u") {
                let backslashes = literal[..=at].chars().rev().take_while(|c| *c == '\\').count();
                let code = u32::from_str_radix(literal.get(at + 2..at + 6).unwrap_or("0"), 16).unwrap_or(0);
                prop_assert!(backslashes % 2 == 0 || code >= 0x7f, "{}", literal);
            }
        }
    }
}

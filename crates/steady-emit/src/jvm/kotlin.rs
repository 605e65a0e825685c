//! Kotlin for JUnit 5, with REST Assured.

use super::expression::{literal, template, value};
use super::syntax::{Fragment, Syntax};
use super::utf16;
use super::varying::Statement;
use crate::layout::{Code, Style};
use crate::plan::{Condition, Plan, Setting, Test};
use crate::prose::{escape, is_plain};

/// The Kotlin language.
#[derive(Debug)]
pub(crate) struct Kotlin;

impl Syntax for Kotlin {
    const FOLDER: &'static str = "kotlin";
    const EXTENSION: &'static str = "kt";
    const POM: &'static str = include_str!("../../support/jvm/kotlin.pom.xml");
    const OWN: &'static [(&'static str, &'static str)] = &[
        ("ApiTest.kt", include_str!("../../support/jvm/ApiTest.kt")),
        ("Assertions.kt", include_str!("../../support/jvm/Assertions.kt")),
    ];
    const STYLE: Style =
        Style { tab: "    ", trailing_comma: true, breaks_last: true, lines: ("(", " +", ")") };
    const END: &'static str = "";
    const CONSTANT: &'static str = "val ";
    const CREDENTIALS: &'static str = "Credentials()";

    fn header(about: &str, class: &str) -> String {
        format!(
            "package steady\n\nimport org.junit.jupiter.api.Test\nimport steady.Steady.*\n\n\
             /** {about} */\nclass {class} : ApiTest() {{\n"
        )
    }

    fn test(test: &Test<'_>) -> String {
        format!("fun `{}`()", test.name.spaced())
    }

    fn continuation(name: &str, takes_response: bool, variables: &[String]) -> String {
        let response = takes_response.then(|| "response: Answer".to_owned());
        let variables = variables.iter().map(|name| format!("{name}: Any"));
        format!(
            "private fun {name}({})",
            response.into_iter().chain(variables).collect::<Vec<_>>().join(", ")
        )
    }

    fn suite(plan: &Plan<'_>, about: &str, identities: &str) -> String {
        let mut session = format!("Session({})", literal::<Self>(plan.url));
        for name in plan.environment() {
            session.push_str(&format!("\n        .needs({})", literal::<Self>(name)));
        }
        for who in &plan.identities {
            let (key, method) = (literal::<Self>(who.key), who.name.camel());
            session.push_str(&format!("\n        .identity({key}, ::{method})"));
        }
        format!(
            "package steady\n\nimport steady.Steady.*\n\n/** {about} */\nobject Suite {{\n    \
             val session: Session = {session}\n{identities}}}\n"
        )
    }

    fn identity(name: &str) -> String {
        format!("private fun {name}(api: Api): Credentials")
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

    fn concatenated(pieces: &[Fragment<'_>]) -> String {
        let inside = |piece: &Fragment<'_>| match piece {
            Fragment::Text(text) => escape(text, Self::special),
            Fragment::Expression(expression) => format!("${{{expression}}}"),
        };
        format!("\"{}\"", pieces.iter().map(inside).collect::<String>())
    }

    fn array(items: Vec<Code>) -> Code {
        match items.as_slice() {
            [] => Code::text("emptyList<Any>()"),
            _ => Code::list("listOf(", items, ")"),
        }
    }

    fn object(fields: Vec<(String, Code)>) -> Code {
        let field = |(name, value): (String, Code)| value.after(format!("{name} to "));
        match fields.as_slice() {
            [] => Code::text("emptyMap<String, Any>()"),
            _ => Code::list("mapOf(", fields.into_iter().map(field).collect(), ")"),
        }
    }

    fn long(integer: i64) -> Option<String> {
        // Kotlin has no literal for the smallest long: it reads the digits before the sign.
        (integer != i64::MIN).then(|| format!("{integer}L"))
    }

    fn check(found: &str, condition: &Condition<'_>) -> Code {
        match condition {
            Condition::Equals(json) => value::<Self>(json).after(format!("{found} shouldBe ")),
            Condition::Variable(variable) => {
                Code::text(format!("{found} shouldBe {}", variable.name.camel()))
            }
            Condition::Text(text) => {
                Code::text(format!("{found} shouldBe {}", template::<Self>(text, Setting::Text)))
            }
            Condition::Varying(varying) => match Statement::of::<Self>(varying) {
                Statement { kotlin, is_infix: true, arguments, .. } => {
                    Code::Sequence(arguments).after(format!("{found} {kotlin} "))
                }
                Statement { kotlin, arguments, .. } => {
                    Code::list(format!("{found}.{kotlin}("), arguments, ")")
                }
            },
            Condition::MediaType(media_type) => {
                Code::text(format!("{found} shouldBe {}", literal::<Self>(&media_type.to_ascii_lowercase())))
            }
            Condition::Size(size) => Code::text(format!("{found} shouldHaveSize {size}")),
            Condition::Type(json_type) => Code::text(format!("{found} shouldBeA \"{json_type}\"")),
            Condition::Present => Code::text(format!("{found}.shouldBePresent()")),
            Condition::Absent => Code::text(format!("{found}.shouldBeAbsent()")),
            Condition::Disabled => Code::nothing(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prose::read_back::{HOSTILE, assert_reads_back};

    #[test]
    fn hostile_text_stays_within_its_literal() {
        assert_eq!(
            literal::<Kotlin>("a\"b\\c\n\0${x}$y\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"b\\c\n\u0000\${x}\$y\u2028😀\udbff\udfff""#
        );
    }

    proptest! {
        #[test]
        fn a_literal_reads_back_as_its_text(text in HOSTILE) {
            assert_reads_back(&literal::<Kotlin>(&text), &text);
        }

        #[test]
        fn no_dollar_stands_bare(text in HOSTILE) {
            let literal = literal::<Kotlin>(&text);
            prop_assert_eq!(literal.matches('$').count(), literal.matches("\\$").count());
        }
    }
}

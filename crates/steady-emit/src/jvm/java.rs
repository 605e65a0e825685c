//! Java for JUnit 5, with REST Assured.

use super::expression::{literal, template, value};
use super::syntax::{Fragment, Syntax};
use super::utf16;
use super::varying::Statement;
use crate::layout::{Code, Style};
use crate::plan::{Condition, Plan, Setting, Test};
use crate::prose::is_plain;

/// The Java language.
#[derive(Debug)]
pub(crate) struct Java;

impl Syntax for Java {
    const FOLDER: &'static str = "java";
    const EXTENSION: &'static str = "java";
    const POM: &'static str = include_str!("../../support/jvm/java.pom.xml");
    const OWN: &'static [(&'static str, &'static str)] =
        &[("ApiTest.java", include_str!("../../support/jvm/ApiTest.java"))];
    const STYLE: Style =
        Style { tab: "    ", trailing_comma: false, breaks_last: true, lines: ("", " +", "") };
    const END: &'static str = ";";
    const CONSTANT: &'static str = "var ";
    const CREDENTIALS: &'static str = "new Credentials()";

    fn header(about: &str, class: &str) -> String {
        format!(
            "package steady;\n\nimport static steady.Steady.*;\n\nimport org.junit.jupiter.api.Test;\n\n\
             /** {about} */\nclass {class} extends ApiTest {{\n"
        )
    }

    fn test(test: &Test<'_>) -> String {
        format!("void {}()", test.name.camel())
    }

    fn continuation(name: &str, takes_response: bool, variables: &[String]) -> String {
        let response = takes_response.then(|| "Answer response".to_owned());
        let variables = variables.iter().map(|name| format!("Object {name}"));
        format!(
            "private void {name}({})",
            response.into_iter().chain(variables).collect::<Vec<_>>().join(", ")
        )
    }

    fn suite(plan: &Plan<'_>, about: &str, identities: &str) -> String {
        let mut session = format!("new Session({})", literal::<Self>(plan.url));
        for name in plan.environment() {
            session.push_str(&format!("\n            .needs({})", literal::<Self>(name)));
        }
        for who in &plan.identities {
            let (key, method) = (literal::<Self>(who.key), who.name.camel());
            session.push_str(&format!("\n            .identity({key}, Suite::{method})"));
        }
        format!(
            "package steady;\n\nimport static steady.Steady.*;\n\n/** {about} */\nfinal class Suite {{\n    \
             static final Session SESSION = {session};\n\n    private Suite() {{}}\n{identities}}}\n"
        )
    }

    fn identity(name: &str) -> String {
        format!("private static Credentials {name}(Api api)")
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

    fn concatenated(pieces: &[Fragment<'_>]) -> String {
        let operand = |piece: &Fragment<'_>| match piece {
            Fragment::Text(text) => literal::<Self>(text),
            Fragment::Expression(expression) => expression.clone(),
        };
        pieces.iter().map(operand).collect::<Vec<_>>().join(" + ")
    }

    fn array(items: Vec<Code>) -> Code {
        match items.as_slice() {
            // One null would be taken for no array at all.
            [Code::Text(item)] if item == "null" => Code::text("array((Object) null)"),
            _ => Code::list("array(", items, ")"),
        }
    }

    fn object(fields: Vec<(String, Code)>) -> Code {
        let field = |(name, value): (String, Code)| value.after(format!("{name}, "));
        Code::list("object(", fields.into_iter().map(field).collect(), ")")
    }

    fn long(integer: i64) -> Option<String> {
        Some(format!("{integer}L"))
    }

    fn check(found: &str, condition: &Condition<'_>) -> Code {
        match condition {
            Condition::Equals(json) => Code::list(format!("{found}.is("), vec![value::<Self>(json)], ");"),
            Condition::Variable(variable) => Code::text(format!("{found}.is({});", variable.name.camel())),
            Condition::Text(text) => {
                Code::text(format!("{found}.is({});", template::<Self>(text, Setting::Text)))
            }
            Condition::Varying(varying) => {
                let Statement { java, arguments, .. } = Statement::of::<Self>(varying);
                Code::list(format!("{found}.{java}("), arguments, ");")
            }
            Condition::MediaType(media_type) => {
                Code::text(format!("{found}.is({});", literal::<Self>(&media_type.to_ascii_lowercase())))
            }
            Condition::Size(size) => Code::text(format!("{found}.hasSize({size});")),
            Condition::Type(json_type) => Code::text(format!("{found}.isA(\"{json_type}\");")),
            Condition::Present => Code::text(format!("{found}.isPresent();")),
            Condition::Absent => Code::text(format!("{found}.isAbsent();")),
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
            literal::<Java>("a\"b\\c\\u000a\n\0\u{7f}\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"b\\c\\u000a\n\000\u007f\u2028😀\udbff\udfff""#
        );
    }

    #[test]
    fn a_literal_never_exceeds_what_a_class_file_holds() {
        let long = literal::<Java>(&"\u{4e2d}".repeat(40_000));
        assert_eq!(long.matches("\", \"").count(), 2);
        assert!(long.starts_with("joined(\""));
    }

    proptest! {
        #[test]
        fn a_literal_reads_back_as_its_text(text in HOSTILE) {
            assert_reads_back(&literal::<Java>(&text), &text);
        }

        #[test]
        fn no_escape_is_read_before_the_literal_is(text in HOSTILE) {
            // Java interprets `\\u` after an even number of backslashes everywhere.
            let literal = literal::<Java>(&text);
            for (at, _) in literal.match_indices("\\u") {
                let backslashes = literal[..=at].chars().rev().take_while(|c| *c == '\\').count();
                let code = u32::from_str_radix(literal.get(at + 2..at + 6).unwrap_or("0"), 16).unwrap_or(0);
                prop_assert!(backslashes % 2 == 0 || code >= 0x7f, "{}", literal);
            }
        }
    }
}

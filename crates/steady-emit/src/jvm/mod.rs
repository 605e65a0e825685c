//! The Java virtual machine: JUnit 5 projects in Java and Kotlin.
//!
//! [`Jvm`] writes all of it; a [`Syntax`] holds the differences of the languages.

mod calls;
mod expression;
mod java;
mod kotlin;
mod limits;
mod syntax;
mod varying;

pub(crate) use java::Java;
pub(crate) use kotlin::Kotlin;

use steady_model::{Fresh, Place, Take};

use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, comment, fresh_arguments, readme};
use crate::layout::{Code, Style, WIDTH};
use crate::plan::{Condition, Identity, Name, Plan, Request, Step, Test, TestFile, Variable};
use crate::prose::{one_line, wrapped};
use calls::{api, call, credentials, found};
use expression::literal;
use syntax::Syntax;

/// The support classes, in Java for both languages.
const SUPPORT: [(&str, &str); 14] = [
    ("Answer.java", include_str!("../../support/jvm/Answer.java")),
    ("Api.java", include_str!("../../support/jvm/Api.java")),
    ("Base.java", include_str!("../../support/jvm/Base.java")),
    ("Content.java", include_str!("../../support/jvm/Content.java")),
    ("Credentials.java", include_str!("../../support/jvm/Credentials.java")),
    ("Found.java", include_str!("../../support/jvm/Found.java")),
    ("Jwt.java", include_str!("../../support/jvm/Jwt.java")),
    ("Moment.java", include_str!("../../support/jvm/Moment.java")),
    ("Multipart.java", include_str!("../../support/jvm/Multipart.java")),
    ("Request.java", include_str!("../../support/jvm/Request.java")),
    ("RequestPart.java", include_str!("../../support/jvm/RequestPart.java")),
    ("Session.java", include_str!("../../support/jvm/Session.java")),
    ("Steady.java", include_str!("../../support/jvm/Steady.java")),
    ("Values.java", include_str!("../../support/jvm/Values.java")),
];

/// Writes classes in one of the languages.
#[derive(Debug)]
pub(crate) struct Jvm<S>(pub(crate) S);

impl<S: Syntax> Language for Jvm<S> {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        own_path::<S>(&class_name(file))
    }

    fn header(&self, file: &TestFile<'_, '_>, _tests: &str) -> String {
        let about = format!("{}. {}", one_line(file.plan.title), file.summary());
        S::header(&about, &class_name(file))
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        let mut text = format!("\n{}    @Test\n    {}", documentation(test.about, 1), S::test(test));
        let mut rest = test.steps.as_slice();
        for (index, part) in limits::parts(&test.steps).into_iter().enumerate() {
            if index > 0 {
                // No test has an underscore in its name.
                let name = format!("{}_part{}", test.name.camel(), index + 1);
                let before = &test.steps[..test.steps.len() - rest.len()];
                let (call, signature) = continuation::<S>(&name, before, rest);
                text.push_str(&format!("\n        {call}\n    }}\n\n    {signature}"));
            }
            text.push_str(&format!(" {{\n{}", self.steps(part, 2)));
            rest = &rest[part.len()..];
        }
        text + "    }\n"
    }

    fn footer(&self) -> &'static str {
        "}\n"
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let mut files = vec![
            readme(include_str!("../../support/jvm/README.md"), plan),
            EmittedFile::new("pom.xml", S::POM),
        ];
        for (name, text) in SUPPORT {
            files.push(EmittedFile::new(format!("src/test/java/steady/{name}"), text));
        }
        for (name, text) in S::OWN {
            files.push(EmittedFile::new(format!("src/test/{}/steady/{name}", S::FOLDER), *text));
        }
        let about = format!("{}: its address, and who calls it.", one_line(plan.title));
        let identities: String = plan.identities.iter().map(|who| identity(who, self)).collect();
        files.push(EmittedFile::new(own_path::<S>("Suite"), S::suite(plan, &about, &identities)));
        files
    }

    fn room(&self) -> usize {
        limits::HEAVIEST_CLASS
    }

    fn weight(&self, test: &Test<'_>) -> usize {
        limits::test_weight(test)
    }
}

impl<S: Syntax> Statements for Jvm<S> {
    fn style(&self) -> Style {
        S::STYLE
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code {
        let arguments = fresh_arguments(value, literal::<S>);
        Code::text(format!("{}{} = fresh({arguments}){}", S::CONSTANT, variable.name.camel(), S::END))
    }

    fn send(&self, request: &Request<'_>, turn: Turn) -> Code {
        let declaration = match turn {
            Turn::Only => S::CONSTANT,
            Turn::First => "var ",
            Turn::Later => "",
        };
        call::<S>(&format!("{declaration}response = {}", api::<S>(request)), request)
    }

    fn cleanup(&self, request: &Request<'_>) -> Code {
        call::<S>(&format!("{}.cleanup()", api::<S>(request)), request)
    }

    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code {
        let taken = match take {
            Take::Whole => "value()",
            Take::LastSegment => "lastSegment()",
        };
        let (name, found) = (variable.name.camel(), found::<S>(from));
        Code::text(format!("{}{name} = {found}.{taken}{}", S::CONSTANT, S::END))
    }

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        let found = match condition {
            Condition::MediaType(_) => "response.mediaType()".to_owned(),
            _ => found::<S>(place),
        };
        S::check(&found, condition)
    }
}

/// The call of a method that continues a test, and the head of that method.
fn continuation<S: Syntax>(name: &str, before: &[Step<'_>], rest: &[Step<'_>]) -> (String, String) {
    let takes_response = !matches!(rest.first(), Some(Step::Send(_)));
    let is_used = |variable: &&Variable| rest.iter().any(|step| step.uses(variable));
    let variables: Vec<String> =
        before.iter().filter_map(Step::sets).filter(is_used).map(|variable| variable.name.camel()).collect();
    let response = takes_response.then(|| "response".to_owned());
    let arguments: Vec<String> = response.into_iter().chain(variables.iter().cloned()).collect();
    let call = format!("{name}({}){}", arguments.join(", "), S::END);
    (call, S::continuation(name, takes_response, &variables))
}

/// The method that logs an identity in and returns what its calls carry.
fn identity<S: Syntax>(who: &Identity<'_>, language: &Jvm<S>) -> String {
    format!(
        "\n    /** What calls made as {} carry. */\n    {} {{\n{}        return {}{}\n    }}\n",
        one_line(who.key),
        S::identity(&who.name.camel()),
        language.steps(&who.login, 2),
        credentials::<S>(who),
        S::END
    )
}

/// The path of a class in the language of the tests.
fn own_path<S: Syntax>(class: &str) -> String {
    format!("src/test/{}/steady/{class}.{}", S::FOLDER, S::EXTENSION)
}

/// The name of a file's test class.
fn class_name(file: &TestFile<'_, '_>) -> String {
    format!("{}Test", Name::of(&file.stem("_")).pascal())
}

/// A documentation comment, `depth` steps indented.
fn documentation(text: &str, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    match wrapped(text, WIDTH - indent.len() - 8).as_slice() {
        [line] => format!("{indent}/** {line} */\n"),
        _ => format!("{indent}/**\n{}{indent} */\n", comment(text, &format!("{indent} *"))),
    }
}

/// A character as the UTF-16 escapes both languages have.
fn utf16(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

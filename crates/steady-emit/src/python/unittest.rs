//! Python test cases for unittest.

use steady_model::{Fresh, Place, Take};

use super::{STYLE, call, capture, docstring, found, fresh, import, literal, suite_module, support, value};
use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, readme};
use crate::layout::{Code, Style};
use crate::plan::{Condition, Name, Plan, Request, Test, TestFile, Variable};
use crate::prose::one_line;

/// Writes methods of `unittest.TestCase`.
#[derive(Debug)]
pub(crate) struct Unittest;

impl Language for Unittest {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        format!("test_{}.py", file.stem("_"))
    }

    fn header(&self, file: &TestFile<'_, '_>) -> String {
        let title = one_line(file.plan.title);
        let code: String = file.tests.iter().map(|test| self.test(test, file.plan)).collect();
        let class = Name::of(&file.stem("_")).pascal();
        format!(
            "{}\nfrom steady_case import ApiTestCase\n{}\n\nclass {class}(ApiTestCase):\n{}",
            docstring(&format!("{title}. {}", file.summary()), 0),
            import(&code),
            docstring(file.summary(), 1),
        )
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        let (name, about) = (test.name.snake(), docstring(test.about, 2));
        format!("\n    def test_{name}(self):\n{about}{}", self.steps(&test.steps, 2))
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let readme = readme(include_str!("../../support/python/README-unittest.md"), plan);
        vec![
            readme,
            EmittedFile::new("requirements.txt", "requests>=2.31\n"),
            EmittedFile::new("steady_case.py", include_str!("../../support/python/steady_case.py")),
            support(),
            // The login functions are plain functions in both styles.
            suite_module(plan, &super::Pytest),
        ]
    }
}

impl Statements for Unittest {
    fn style(&self) -> Style {
        STYLE
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code {
        fresh(variable, value)
    }

    fn send(&self, request: &Request<'_>, _turn: Turn) -> Code {
        call(&api(request), request).after("response = ")
    }

    fn cleanup(&self, request: &Request<'_>) -> Code {
        call(&format!("{}.cleanup", api(request)), request)
    }

    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code {
        capture(variable, from, take)
    }

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        let found = found(place);
        let assert =
            |method: &str, arguments: Vec<Code>| Code::list(format!("self.{method}("), arguments, ")");
        match condition {
            Condition::Equals(json) => assert("assertEqual", vec![Code::text(found), value(json)]),
            Condition::Variable(variable) => {
                assert("assertEqual", vec![Code::text(found), Code::text(variable.name.snake())])
            }
            Condition::MediaType(media_type) => assert(
                "assertEqual",
                vec![Code::text("response.media_type"), Code::text(literal(media_type))],
            ),
            Condition::Size(size) => {
                assert("assertSize", vec![Code::text(found), Code::text(size.to_string())])
            }
            Condition::Type(json_type) => {
                assert("assertType", vec![Code::text(found), Code::text(format!("\"{json_type}\""))])
            }
            Condition::Present => assert("assertPresent", vec![Code::text(found)]),
            Condition::Absent => assert("assertAbsent", vec![Code::text(found)]),
        }
    }
}

/// The client, as whoever makes the call.
fn api(request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("self.api.acting_as({})", literal(name)),
        None => "self.api".to_owned(),
    }
}

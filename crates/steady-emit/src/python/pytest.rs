//! Python functions for pytest.

use steady_model::{Fresh, Place, Take};

use super::{STYLE, call, capture, docstring, found, fresh, import, suite_module, support, value};
use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, readme};
use crate::layout::{Code, Style};
use crate::plan::{Condition, Json, Plan, Request, Test, TestFile, Variable};
use crate::prose::one_line;

/// Writes pytest functions.
#[derive(Debug)]
pub(crate) struct Pytest;

impl Language for Pytest {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        format!("test_{}.py", file.stem("_"))
    }

    fn header(&self, file: &TestFile<'_, '_>) -> String {
        let title = one_line(file.plan.title);
        let code: String = file.tests.iter().map(|test| self.test(test, file.plan)).collect();
        let import = import(&code);
        let gap = if import.is_empty() { "" } else { "\n" };
        format!("{}{gap}{import}", docstring(&format!("{title}. {}", file.summary()), 0))
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        let (name, about) = (test.name.snake(), docstring(test.about, 1));
        format!("\n\ndef test_{name}(api):\n{about}{}", self.steps(&test.steps, 1))
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let readme = readme(include_str!("../../support/python/README-pytest.md"), plan);
        vec![
            readme,
            EmittedFile::new("requirements.txt", "pytest>=7\nrequests>=2.31\n"),
            EmittedFile::new("conftest.py", include_str!("../../support/python/conftest.py")),
            support(),
            suite_module(plan, self),
        ]
    }
}

impl Statements for Pytest {
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
        match condition {
            // `== True` and `== None` are what linters warn of.
            Condition::Equals(json @ (Json::Null | Json::Boolean(_))) => {
                Code::list(format!("assert {found}.equals("), vec![value(json)], ")")
            }
            Condition::Equals(json) => value(json).after(format!("assert {found} == ")),
            Condition::Variable(variable) => {
                Code::text(format!("assert {found} == {}", variable.name.snake()))
            }
            Condition::MediaType(media_type) => {
                Code::text(format!("assert response.media_type == {}", super::literal(media_type)))
            }
            Condition::Size(size) => Code::text(format!("assert {found}.size == {size}")),
            Condition::Type(json_type) => Code::text(format!("assert {found}.is_a(\"{json_type}\")")),
            Condition::Present => Code::text(format!("assert {found}.present")),
            Condition::Absent => Code::text(format!("assert {found}.absent")),
        }
    }
}

/// The client, as whoever makes the call.
fn api(request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("api.acting_as({})", super::literal(name)),
        None => "api".to_owned(),
    }
}

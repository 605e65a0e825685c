//! Python functions for pytest.

use super::Framework;
use super::expectation::expectation;
use super::expression::{literal, template, value};
use crate::layout::Code;
use crate::plan::{Condition, Json, Setting, Test, TestFile};

/// pytest.
#[derive(Debug)]
pub(crate) struct Pytest;

impl Framework for Pytest {
    const CLIENT: &'static str = "api";
    const DEPTH: usize = 1;
    const README: &'static str = include_str!("../../support/python/README-pytest.md");
    const REQUIREMENTS: &'static str = "pytest>=7\nrequests>=2.31\n";
    const OWN: (&'static str, &'static str) =
        ("conftest.py", include_str!("../../support/python/conftest.py"));

    fn header(_file: &TestFile<'_, '_>, import: &str) -> String {
        if import.is_empty() { String::new() } else { format!("\n{import}") }
    }

    fn signature(test: &Test<'_>) -> String {
        format!("\n\ndef test_{}(api):\n", test.name.snake())
    }

    fn check(found: &str, condition: &Condition<'_>) -> Code {
        match condition {
            // `== True` and `== None` are what linters warn of.
            Condition::Equals(json @ (Json::Null | Json::Boolean(_))) => {
                Code::list(format!("assert {found}.equals("), vec![value(json)], ")")
            }
            Condition::Equals(json) => value(json).after(format!("assert {found} == ")),
            Condition::Variable(variable) => {
                Code::text(format!("assert {found} == {}", variable.name.snake()))
            }
            Condition::Text(text) => {
                Code::text(format!("assert {found} == {}", template(text, Setting::Text)))
            }
            Condition::Varying(varying) => expectation(varying).after(format!("assert {found} == ")),
            Condition::MediaType(media_type) => {
                Code::text(format!("assert {found} == {}", literal(media_type)))
            }
            Condition::Size(size) => Code::text(format!("assert {found}.size == {size}")),
            Condition::Type(json_type) => Code::text(format!("assert {found}.is_a(\"{json_type}\")")),
            Condition::Present => Code::text(format!("assert {found}.present")),
            Condition::Absent => Code::text(format!("assert {found}.absent")),
            Condition::Disabled => Code::nothing(),
        }
    }
}

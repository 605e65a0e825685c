//! Python test cases for unittest.

use super::expectation::expectation;
use super::expression::{literal, template, value};
use super::{Framework, docstring};
use crate::layout::Code;
use crate::plan::{Condition, Name, Setting, Test, TestFile};

/// Python's own unittest.
#[derive(Debug)]
pub(crate) struct Unittest;

impl Framework for Unittest {
    const CLIENT: &'static str = "self.api";
    const DEPTH: usize = 2;
    const README: &'static str = include_str!("../../support/python/README-unittest.md");
    const REQUIREMENTS: &'static str = "requests>=2.31\n";
    const OWN: (&'static str, &'static str) =
        ("steady_case.py", include_str!("../../support/python/steady_case.py"));

    fn header(file: &TestFile<'_, '_>, import: &str) -> String {
        let class = Name::of(&file.stem("_")).pascal();
        let about = docstring(file.summary(), 1);
        format!("\nfrom steady_case import ApiTestCase\n{import}\n\nclass {class}(ApiTestCase):\n{about}")
    }

    fn signature(test: &Test<'_>) -> String {
        format!("\n    def test_{}(self):\n", test.name.snake())
    }

    fn check(found: &str, condition: &Condition<'_>) -> Code {
        let assert =
            |method: &str, arguments: Vec<Code>| Code::list(format!("self.{method}("), arguments, ")");
        match condition {
            Condition::Equals(json) => assert("assertEqual", vec![Code::text(found), value(json)]),
            Condition::Variable(variable) => {
                assert("assertEqual", vec![Code::text(found), Code::text(variable.name.snake())])
            }
            Condition::Text(text) => {
                assert("assertEqual", vec![Code::text(found), Code::text(template(text, Setting::Text))])
            }
            Condition::Varying(varying) => {
                assert("assertMeets", vec![Code::text(found), expectation(varying)])
            }
            Condition::MediaType(media_type) => {
                assert("assertEqual", vec![Code::text(found), Code::text(literal(media_type))])
            }
            Condition::Size(size) => {
                assert("assertSize", vec![Code::text(found), Code::text(size.to_string())])
            }
            Condition::Type(json_type) => {
                assert("assertType", vec![Code::text(found), Code::text(format!("\"{json_type}\""))])
            }
            Condition::Present => assert("assertPresent", vec![Code::text(found)]),
            Condition::Absent => assert("assertAbsent", vec![Code::text(found)]),
            Condition::Disabled => Code::nothing(),
        }
    }
}

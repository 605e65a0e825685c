//! JavaScript for Jest.

use steady_model::{Fresh, Place, Take};

use super::{Kit, STYLE, capture, check, cleanup, companions, fresh, require, send};
use crate::EmittedFile;
use crate::language::{Language, Statements, Turn};
use crate::layout::{Code, Style};
use crate::plan::{Condition, Plan, Request, Test, TestFile, Variable};
use crate::prose::one_line;

/// Writes Jest tests.
#[derive(Debug)]
pub(crate) struct Jest;

const KIT: Kit = Kit {
    package: include_str!("../../support/javascript/jest.package.json"),
    client: include_str!("../../support/javascript/jest_client.js"),
    exports: "\nmodule.exports = { api: connect(URL, identities) };\n",
};

impl Language for Jest {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        format!("{}.test.js", file.stem("-"))
    }

    fn header(&self, file: &TestFile<'_, '_>) -> String {
        let code: String = file.tests.iter().map(|test| self.test(test, file.plan)).collect();
        format!(
            "// {}. {}\n\nconst {{ api }} = require(\"./steady_suite.js\");\n{}",
            one_line(file.plan.title),
            file.summary(),
            require(&code)
        )
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        super::test(self, test, "")
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let http = include_str!("../../support/javascript/steady_http.js");
        let mut files = companions(plan, self, &KIT);
        files.push(EmittedFile::new("steady_http.js", http));
        files
    }
}

impl Statements for Jest {
    fn style(&self) -> Style {
        STYLE
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code {
        fresh(variable, value)
    }

    fn send(&self, request: &Request<'_>, turn: Turn) -> Code {
        send(request, turn)
    }

    fn cleanup(&self, request: &Request<'_>) -> Code {
        cleanup(request)
    }

    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code {
        capture(variable, from, take)
    }

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        check(place, condition)
    }
}

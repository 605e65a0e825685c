//! Playwright Test: a reporter beside the user's, brought in by the environment variable that editors use.
//!
//! Ids name the file as Playwright does, relative to the folder of all tests, then the titles, then
//! the project in brackets where it has a name: `cart.spec.ts::cart::adds up [chromium]`. Selecting needs 1.56 (`--test-list`). An order
//! means one worker; every test then is a group of its own (`--fully-parallel`), so `beforeAll` runs for each, and the
//! tests of a file or of a serial block stay together.

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_CJS;
use crate::command::{end, js_tool};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, Variable};

/// Playwright Test.
#[derive(Debug)]
pub(crate) struct Playwright;

impl Runner for Playwright {
    fn name(&self) -> &'static str {
        "playwright"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let tool = js_tool(words, "playwright")?;
        (words.get(tool + 1)? == "test").then(|| end(words))
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        inject(invocation);
        invocation.own_results(folder)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        let lines: String = tests.iter().map(lines).collect();
        let path = invocation.file("steady-tests.txt", lines);
        invocation.add(format!("--test-list={path}"));
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        inject(invocation);
        invocation.add("--workers=1");
        invocation.add("--fully-parallel");
        invocation.plan().set_order(order);
        Ok(Keeping::ByBlock)
    }
}

fn inject(invocation: &mut Invocation) {
    invocation.file(PLAN_CJS.0, PLAN_CJS.1);
    let path = invocation.file("steady-playwright.cjs", include_str!("../inject/steady-playwright.cjs"));
    invocation.set("PW_TEST_REPORTER", Variable::Set(path));
}

/// A test as lines of a test list, `[project] › file › title › title`. Whether brackets at the end are the project's
/// or part of the title is unknown; both are listed, and an entry that does not exist selects nothing.
fn lines(test: &TestId) -> String {
    let path = |test: &str| test.replace("::", " \u{203a} ");
    let mut lines = format!("{}\n", path(test.as_str()));
    if let Some((rest, project)) = test.as_str().strip_suffix(']').and_then(|test| test.rsplit_once(" [")) {
        lines.push_str(&format!("[{project}] \u{203a} {}\n", path(rest)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_list_names_the_project_first() {
        let lines = lines(&"a.spec.ts::cart::adds > up [chromium]".into());
        assert_eq!(
            lines,
            "a.spec.ts › cart › adds > up [chromium]\n[chromium] › a.spec.ts › cart › adds > up\n"
        );
    }
}

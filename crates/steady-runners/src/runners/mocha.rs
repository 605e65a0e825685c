//! Mocha, 8 and later: a file brought in by `--require` chooses, orders and reports.
//!
//! The user's reporter stays. Ids are the file and the titles: `test/cart.spec.js::cart::adds up`. Tests of a
//! `describe` block stay together. For an order, files are run in one process (`--no-parallel`).

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_CJS;
use crate::command::{end, js_tool};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported};

/// Mocha.
#[derive(Debug)]
pub(crate) struct Mocha;

impl Runner for Mocha {
    fn name(&self) -> &'static str {
        "mocha"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let tool = js_tool(words, "mocha").or_else(|| js_tool(words, "_mocha"));
        tool.map(|_| end(words))
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        require(invocation);
        invocation.own_results(folder)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        require(invocation);
        invocation.plan().set_select(tests);
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        require(invocation);
        invocation.add("--no-parallel");
        invocation.plan().set_order(order);
        Ok(Keeping::ByBlock)
    }
}

fn require(invocation: &mut Invocation) {
    if invocation.files.contains_key("steady-mocha.cjs") {
        return;
    }
    invocation.file(PLAN_CJS.0, PLAN_CJS.1);
    let path = invocation.file("steady-mocha.cjs", include_str!("../inject/steady-mocha.cjs"));
    invocation.add(format!("--require={path}"));
}

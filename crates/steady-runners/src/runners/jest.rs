//! Jest, 27 and later: steady's sequencer orders files, its runner wraps jest-circus for what is inside a file.
//!
//! Reporters, environments and set-up files stay the user's; a sequencer of their own is replaced when tests are
//! selected or ordered, and jest-jasmine2 gives way to jest-circus. Ids are the file and the titles:
//! `src/cart.test.js::cart::adds up`. Tests of a `describe` block stay together; `test.concurrent` keeps no order.

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_CJS;
use crate::command::{end, js_tool};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported};

/// Jest.
#[derive(Debug)]
pub(crate) struct Jest;

impl Runner for Jest {
    fn name(&self) -> &'static str {
        "jest"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        js_tool(words, "jest").map(|_| end(words))
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        wrap_runner(invocation);
        invocation.own_results(folder)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        wrap_runner(invocation);
        sequence(invocation);
        invocation.plan().set_select(tests);
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        wrap_runner(invocation);
        sequence(invocation);
        if !invocation.has_option("--runInBand") && !invocation.has_option("-i") {
            invocation.add("--runInBand");
        }
        invocation.plan().set_order(order);
        Ok(Keeping::ByBlock)
    }
}

fn wrap_runner(invocation: &mut Invocation) {
    invocation.file(PLAN_CJS.0, PLAN_CJS.1);
    let path = invocation.file("steady-jest-runner.cjs", include_str!("../inject/steady-jest-runner.cjs"));
    add_once(invocation, "--testRunner", &path);
}

fn sequence(invocation: &mut Invocation) {
    let path =
        invocation.file("steady-jest-sequencer.cjs", include_str!("../inject/steady-jest-sequencer.cjs"));
    add_once(invocation, "--testSequencer", &path);
}

fn add_once(invocation: &mut Invocation, option: &str, path: &str) {
    if !invocation.has_option(option) {
        invocation.add(format!("{option}={path}"));
    }
}

//! Vitest, 3 and later: steady's configuration wraps the user's and adds a reporter, a sequencer and a runner.
//!
//! Ids are the file and the titles, `src/cart.test.ts::cart::adds up`, with the project's name in brackets behind it
//! where there are projects: `… [unit]`. Tests of a `describe` block stay together. Projects with configuration files of their
//! own (`test.projects`) report, but cannot be ordered inside a file.

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_CJS;
use crate::command::{end, js_tool};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, Variable};

/// Vitest.
#[derive(Debug)]
pub(crate) struct Vitest;

const REPORTER: (&str, &str) =
    ("steady-vitest-reporter.mjs", include_str!("../inject/steady-vitest-reporter.mjs"));
const RUNNER: (&str, &str) = ("steady-vitest-runner.mjs", include_str!("../inject/steady-vitest-runner.mjs"));
const CONFIG: (&str, &str) = ("steady-vitest.config.mjs", include_str!("../inject/steady-vitest.config.mjs"));

impl Runner for Vitest {
    fn name(&self) -> &'static str {
        "vitest"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let tool = js_tool(words, "vitest")?;
        let command = words.get(tool + 1).map(String::as_str);
        if matches!(command, Some("bench" | "init" | "list" | "typecheck")) {
            return None;
        }
        // A script with a configuration of its own cannot be given another.
        Some(end(words))
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        configure(invocation);
        if invocation.has_option("--reporter") {
            // Given on the command line, reporters replace the configured ones.
            let path = invocation.path(REPORTER.0);
            invocation.add(format!("--reporter={path}"));
        }
        invocation.own_results(folder)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        configure(invocation);
        invocation.plan().select = Some(tests.to_vec());
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        configure(invocation);
        invocation.plan().set_order(order);
        Ok(Keeping::ByBlock)
    }
}

/// Puts steady's configuration in front of the user's.
fn configure(invocation: &mut Invocation) {
    for (name, text) in [PLAN_CJS, REPORTER, RUNNER] {
        invocation.file(name, text);
    }
    if invocation.files.contains_key(CONFIG.0) {
        return;
    }
    let path = invocation.file(CONFIG.0, CONFIG.1);
    if let Some(theirs) = take_config(invocation) {
        invocation.set("STEADY_VITEST_CONFIG", Variable::Set(theirs));
    }
    invocation.add(format!("--config={path}"));
}

/// Takes the user's own `--config` off the command line: Vitest takes one.
fn take_config(invocation: &mut Invocation) -> Option<String> {
    let is = |word: &String| matches!(word.as_str(), "--config" | "-c") || word.starts_with("--config=");
    let at = invocation.args.iter().position(is)?;
    let word = invocation.args.remove(at);
    invocation.slot = invocation.slot.saturating_sub(usize::from(at < invocation.slot));
    if let Some((_, path)) = word.split_once('=') {
        return Some(path.to_owned());
    }
    if at >= invocation.args.len() {
        return None;
    }
    invocation.slot = invocation.slot.saturating_sub(usize::from(at < invocation.slot));
    Some(invocation.args.remove(at))
}

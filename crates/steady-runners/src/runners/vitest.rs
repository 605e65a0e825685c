//! Vitest, 3 and later: steady's configuration wraps the user's and adds a reporter, a sequencer and a runner.
//!
//! Ids are the file and the titles, `src/cart.test.ts::cart::adds up`, followed by the project's name in brackets
//! where there are projects: `… [unit]`. Tests of a `describe` block stay together. Projects with configuration files of their
//! own (`test.projects`) report, but cannot be ordered inside a file. A file that `STEADY_VITEST_SETUP` names runs before the user's set-up
//! files.

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_CJS;
use crate::command::{end, js_tool};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, Variable, What};

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
        Some(end(words))
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        let configured = self.configure(invocation, What::Select).is_ok();
        let given = invocation.has_option("--reporter");
        if !configured && !given {
            invocation.add("--reporter=default");
        }
        // Given on the command line, reporters replace the configured ones.
        if !configured || given {
            let path = invocation.path(REPORTER.0);
            invocation.add(format!("--reporter={path}"));
        }
        invocation.own_results(folder)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        self.configure(invocation, What::Select)?;
        invocation.plan().select = Some(tests.to_vec());
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        self.configure(invocation, order.what())?;
        invocation.plan().set_order(order);
        Ok(Keeping::ByBlock)
    }
}

impl Vitest {
    /// Puts steady's configuration in front of the user's.
    fn configure(&self, invocation: &mut Invocation, what: What) -> Result<(), Unsupported> {
        for (name, text) in [PLAN_CJS, REPORTER, RUNNER] {
            invocation.file(name, text);
        }
        if invocation.files.contains_key(CONFIG.0) {
            return Ok(());
        }
        if invocation.start.is_none() && (invocation.has_option("--config") || invocation.has_option("-c")) {
            let instead =
                "the script has a `--config` of its own; give the script's command instead of its name";
            return Err(Unsupported { runner: self.name(), what, instead });
        }
        let path = invocation.file(CONFIG.0, CONFIG.1);
        if let Some(theirs) = take_config(invocation) {
            invocation.set("STEADY_VITEST_CONFIG", Variable::Set(theirs));
        }
        invocation.add(format!("--config={path}"));
        Ok(())
    }
}

/// Removes the user's own `--config` from the command line: Vitest accepts only one.
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

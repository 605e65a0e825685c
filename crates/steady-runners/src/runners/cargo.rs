//! `cargo test`, Cargo 1.63 and later: test binaries are started by a script of steady's own, `target.….runner`.
//!
//! What the tests print stays as it is. Ids are the package, the test binary where it is not the library, and the
//! test's path: `shop::cart::tests::adds_up`, `shop::integration::adds_up`. A listed order means one process per test; a
//! shuffled one is libtest's own, with its unstable option allowed for the test process only. Documentation tests run as
//! ever and are not reported; a runner in the user's Cargo configuration comes before steady's.

use std::path::Path;

use steady_model::rerun::TestId;

use crate::command::base;
use crate::plan::RESULTS_FILE;
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, Variable};

/// `cargo test`.
#[derive(Debug)]
pub(crate) struct CargoTest;

impl Runner for CargoTest {
    fn name(&self) -> &'static str {
        "cargo"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        if base(words.first()?) != "cargo" {
            return None;
        }
        let command = 1 + words[1..].iter().take_while(|word| word.starts_with(['+', '-'])).count();
        matches!(words.get(command)?.as_str(), "test" | "t").then_some(command + 1)
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        start_binaries(invocation);
        let results = folder.join(RESULTS_FILE).display().to_string();
        invocation.set("STEADY_RESULTS", Variable::Set(results));
        Report::file(folder, RESULTS_FILE)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        start_binaries(invocation);
        let path = invocation.file("steady-select.txt", lines(tests));
        invocation.set("STEADY_SELECT", Variable::Set(path));
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        start_binaries(invocation);
        match order {
            Order::Listed(tests) => {
                let path = invocation.file("steady-order.txt", lines(tests));
                invocation.set("STEADY_ORDER", Variable::Set(path));
                Ok(Keeping::Apart)
            }
            Order::Shuffled(seed) => {
                invocation.set("STEADY_SEED", Variable::Set(seed.to_string()));
                Ok(Keeping::ByBlock)
            }
        }
    }
}

fn start_binaries(invocation: &mut Invocation) {
    if invocation.files.contains_key("steady-cargo.sh") {
        return;
    }
    let script = invocation.file("steady-cargo.sh", include_str!("../inject/steady-cargo.sh"));
    let text = format!("[target.'cfg(all())']\nrunner = [\"sh\", {}]\n", serde_json::Value::from(script));
    let config = invocation.file("steady-cargo.toml", text);
    invocation.add("--config");
    invocation.add(config);
    // One failing binary must not stop the others.
    if !invocation.has_option("--no-fail-fast") {
        invocation.add("--no-fail-fast");
    }
}

fn lines(tests: &[TestId]) -> String {
    tests.iter().map(|test| format!("{test}\n")).collect()
}

//! Python's unittest, Python 3.8 and later: a module of steady's own stands in for `unittest`.
//!
//! It takes the same arguments and prints the same. Ids are unittest's own, `tests.test_cart.TestCart.test_total`. Any
//! order of single tests is possible; class and module fixtures run again where a class is left and entered again.

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_PY;
use crate::command::{end, python_module};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, Variable};

/// `python -m unittest`.
#[derive(Debug)]
pub(crate) struct Unittest;

const MODULE: &str = "steady_unittest";

impl Runner for Unittest {
    fn name(&self) -> &'static str {
        "unittest"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let (module, _) = python_module(words)?;
        (module == "unittest").then(|| end(words))
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        inject(invocation);
        invocation.own_results(folder)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        inject(invocation);
        invocation.plan().set_select(tests);
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        inject(invocation);
        invocation.plan().set_order(order);
        Ok(match order {
            Order::Listed(_) => Keeping::Exactly,
            Order::Shuffled(_) => Keeping::ByBlock,
        })
    }
}

/// Starts steady's module in place of `unittest`.
fn inject(invocation: &mut Invocation) {
    if let (Some(start), Some((_, at))) = (invocation.start, python_module(&invocation.words))
        && let Some(module) = invocation.args.get_mut(start + at - 1)
    {
        *module = MODULE.to_owned();
    }
    invocation.file(PLAN_PY.0, PLAN_PY.1);
    invocation.file("steady_unittest.py", include_str!("../inject/steady_unittest.py"));
    let folder = invocation.folder.display().to_string();
    invocation.set("PYTHONPATH", Variable::PathBefore(folder));
}

//! pytest, 6.2 and later: everything through a plugin of steady's own.
//!
//! The plugin is brought in by `PYTHONPATH` and `PYTEST_ADDOPTS`, so it also works under `make`, `npm` or a shell
//! script. Ids are node ids: `tests/test_cart.py::TestCart::test_total[3]`. Any order of single tests is possible;
//! shuffled, modules and classes stay together so that their fixtures are not set up again and again. For an order
//! pytest-xdist is disabled, and the plugin reorders after pytest-randomly.

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_PY;
use crate::command::{base, end, python_module};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, Variable};

/// pytest.
#[derive(Debug)]
pub(crate) struct Pytest;

impl Runner for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let program = matches!(base(words.first()?), "pytest" | "py.test" | "pytest-3");
        let module = python_module(words).is_some_and(|(module, _)| module == "pytest");
        (program || module).then(|| end(words))
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

/// Brings in the plugin.
pub(super) fn inject(invocation: &mut Invocation) {
    invocation.file(PLAN_PY.0, PLAN_PY.1);
    invocation.file("steady_pytest.py", include_str!("../inject/steady_pytest.py"));
    let folder = invocation.folder.display().to_string();
    invocation.set("PYTHONPATH", Variable::PathBefore(folder));
    invocation.set("PYTEST_ADDOPTS", Variable::WordsAfter("-p steady_pytest".to_owned()));
}

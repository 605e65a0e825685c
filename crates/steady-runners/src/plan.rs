//! The plan that steady's plugins read: which tests to run, in which order, and where to write results.

use std::path::{Path, PathBuf};

use serde::Serialize;
use steady_model::rerun::TestId;

use crate::Order;

/// The file in the results folder that steady's own plugins and reporters write.
pub const RESULTS_FILE: &str = "steady-results.jsonl";

/// The environment variable that names the plan's file.
pub(crate) const VARIABLE: &str = "STEADY_PLAN";

/// The plan's file in the injection folder.
pub(crate) const FILE: &str = "steady-plan.json";

/// The plan as a file, which needs no quoting and has no length limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Plan {
    /// The folder that files in ids are relative to.
    pub(crate) root: PathBuf,
    /// Where to write results.
    pub(crate) results: Option<PathBuf>,
    /// The only tests to run.
    pub(crate) select: Option<Vec<TestId>>,
    /// The tests to run first, in this order.
    pub(crate) order: Option<Vec<TestId>>,
    /// What to shuffle by; text, since JavaScript has no numbers of this size.
    pub(crate) seed: Option<String>,
}

impl Plan {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// Names the only tests to run. Of several tests with one name (numbered `#2` and so on) all are run: the plugins
    /// know the name alone.
    pub(crate) fn set_select(&mut self, tests: &[TestId]) {
        let mut select = tests.to_vec();
        for test in tests {
            if let Some((name, number)) = test.as_str().rsplit_once('#')
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
            {
                select.push(TestId::from(name));
            }
        }
        self.select = Some(select);
    }

    pub(crate) fn set_order(&mut self, order: Order<'_>) {
        match order {
            Order::Listed(tests) => self.order = Some(tests.to_vec()),
            Order::Shuffled(seed) => self.seed = Some(seed.to_string()),
        }
    }
}

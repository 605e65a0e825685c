//! What is wrong with an API: `findings.json`.

mod external;
mod fault;
mod flaky;
mod step;

use serde::{Deserialize, Serialize};

pub use external::External;
pub use fault::{Fault, FaultCode};
pub use flaky::{Flaky, Handling};
pub use step::{ParseStepError, Step};

/// Everything a run found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Findings {
    /// The format's version, [`Self::VERSION`].
    pub version: u32,
    /// Places whose value differs between runs of the same test.
    pub flaky: Vec<Flaky>,
    /// Faults of the API.
    pub faults: Vec<Fault>,
    /// Services the API calls.
    pub externals: Vec<External>,
}

impl Findings {
    /// The version of the format that this steady writes.
    pub const VERSION: u32 = 1;

    /// Removes the mention of tests that there are no more.
    pub fn forget_tests(&mut self, names: &[String]) {
        let tests = self.flaky.iter_mut().map(|flaky| &mut flaky.tests);
        let tests = tests.chain(self.faults.iter_mut().map(|fault| &mut fault.tests));
        tests.for_each(|tests| tests.retain(|test| !names.contains(test)));
    }
}

//! Jest, 27 and later: a test runner around steady's own, which lies around jest-circus.
//!
//! Test files have a realm and modules of their own, but share Node's `http` and `https` with the process: these are wrapped, and see
//! SuperAgent, supertest, axios and others. `fetch` is wrapped in the realm. SuperAgent sends when it is awaited, from
//! where no stack leads back to the test, so its requests record where they were built. Configuration, environments and set-up
//! files stay the user's. Concurrent tests (`test.concurrent`) cannot be distinguished.

use std::path::Path;

use steady_runners::Invocation;

use super::{CORE_CJS, Hook, JAVASCRIPT_CLIENTS, add_file};
use crate::record::error::RecordError;

/// Jest.
#[derive(Debug)]
pub(super) struct Jest;

const RUNNER: (&str, &str) = ("steady-record-jest.cjs", include_str!("../inject/steady-record-jest.cjs"));

impl Hook for Jest {
    fn runner(&self) -> &'static str {
        "jest"
    }

    fn sees(&self) -> &'static str {
        JAVASCRIPT_CLIENTS
    }

    fn attach(&self, invocation: &mut Invocation, _: &Path) -> Result<(), RecordError> {
        add_file(invocation, CORE_CJS);
        add_file(invocation, RUNNER);
        let steadys = format!("--testRunner={}", invocation.folder.join("steady-jest-runner.cjs").display());
        let recorders = format!("--testRunner={}", invocation.folder.join(RUNNER.0).display());
        let Some(option) = invocation.args.iter_mut().find(|word| **word == steadys) else {
            let instead = "it has a `--testRunner` already; leave that out";
            return Err(RecordError::NoPlace { runner: self.runner(), instead });
        };
        *option = recorders;
        Ok(())
    }
}

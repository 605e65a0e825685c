//! Vitest, 3 and later: a set-up file, added by the configuration that steady puts around the user's.
//!
//! It watches the same clients as Jest's recorder, in the realm and the modules of the worker. Projects with configuration files of their own
//! (`test.projects`) are not recorded.

use std::path::Path;

use steady_runners::{Invocation, Variable};

use super::{CORE_CJS, Hook, JAVASCRIPT_CLIENTS, add_file};
use crate::record::error::RecordError;

/// Vitest.
#[derive(Debug)]
pub(super) struct Vitest;

const SETUP: (&str, &str) = ("steady-record-vitest.mjs", include_str!("../inject/steady-record-vitest.mjs"));

impl Hook for Vitest {
    fn runner(&self) -> &'static str {
        "vitest"
    }

    fn sees(&self) -> &'static str {
        JAVASCRIPT_CLIENTS
    }

    fn attach(&self, invocation: &mut Invocation, _: &Path) -> Result<(), RecordError> {
        if !invocation.files.contains_key("steady-vitest.config.mjs") {
            let instead =
                "its script has a `--config` of its own; give the script's command instead of its name";
            return Err(RecordError::NoPlace { runner: self.runner(), instead });
        }
        add_file(invocation, CORE_CJS);
        add_file(invocation, SETUP);
        let path = invocation.folder.join(SETUP.0).display().to_string();
        invocation.variables.insert("STEADY_VITEST_SETUP", Variable::Set(path));
        Ok(())
    }
}

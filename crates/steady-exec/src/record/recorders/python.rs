//! pytest and unittest, with requests and httpx: their clients' `send` is wrapped when they are imported.
//!
//! pytest loads a plugin beside steady's own, through the same variables. unittest is started by steady's module already; the recorder's
//! wraps it. A body that the test reads as a stream is not recorded.

use std::path::Path;

use steady_runners::Invocation;

use super::{Hook, add_file, add_words};
use crate::record::error::RecordError;

/// pytest, with tests of unittest in it too.
#[derive(Debug)]
pub(super) struct Pytest;

/// `python -m unittest`.
#[derive(Debug)]
pub(super) struct Unittest;

const CORE: (&str, &str) = ("steady_record.py", include_str!("../inject/steady_record.py"));
const PYTEST: (&str, &str) = ("steady_record_pytest.py", include_str!("../inject/steady_record_pytest.py"));
const UNITTEST: (&str, &str) =
    ("steady_record_unittest.py", include_str!("../inject/steady_record_unittest.py"));

const CLIENTS: &str = "requests or httpx, or the test client of Flask";

impl Hook for Pytest {
    fn runner(&self) -> &'static str {
        "pytest"
    }

    fn sees(&self) -> &'static str {
        CLIENTS
    }

    fn attach(&self, invocation: &mut Invocation, _: &Path) -> Result<(), RecordError> {
        add_file(invocation, CORE);
        add_file(invocation, PYTEST);
        add_words(invocation, "PYTEST_ADDOPTS", "-p steady_record_pytest");
        Ok(())
    }
}

impl Hook for Unittest {
    fn runner(&self) -> &'static str {
        "unittest"
    }

    fn sees(&self) -> &'static str {
        CLIENTS
    }

    fn attach(&self, invocation: &mut Invocation, _: &Path) -> Result<(), RecordError> {
        add_file(invocation, CORE);
        add_file(invocation, UNITTEST);
        let instead = "it is started by a script; give the script's command instead of its name";
        let Some(module) = invocation.args.iter_mut().find(|word| *word == "steady_unittest") else {
            return Err(RecordError::NoPlace { runner: self.runner(), instead });
        };
        *module = "steady_record_unittest".to_owned();
        Ok(())
    }
}

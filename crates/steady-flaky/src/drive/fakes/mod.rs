//! What the tests of this crate run instead of real APIs and runners.
//!
//! [`FakeSut`] is an API that steady starts, [`FakeTests`] a set of tests; both write what is done to them into one [`Log`].
//! [`LoopbackApi`] answers requests by a script. The rest builds tests and responses.

mod builders;
mod context;
mod loopback_api;
mod sut;
mod tests;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use steady_process::Cancel;
use tokio::time::Instant;

use super::limit::Limit;

pub(crate) use builders::{call, equals, observed, response, test_case};
pub(crate) use context::{context, refused_port};
pub(crate) use loopback_api::{Asked, LoopbackApi, Reply};
pub(crate) use sut::FakeSut;
pub(crate) use tests::FakeTests;

/// No limit.
pub(crate) fn unlimited() -> Limit {
    Limit::new(Cancel::new().expect("a pipe"))
}

/// A limit of the clock that the test may have paused.
pub(crate) fn limited_to(time: Duration) -> Limit {
    unlimited().until(Some((Instant::now() + time).into_std()))
}

/// What was done, in order. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Rc<RefCell<Vec<String>>>);

impl Log {
    pub fn add(&self, line: impl Into<String>) {
        self.0.borrow_mut().push(line.into());
    }

    pub fn lines(&self) -> Vec<String> {
        self.0.borrow().clone()
    }

    /// How often a line was written.
    pub fn count(&self, line: &str) -> usize {
        self.0.borrow().iter().filter(|known| *known == line).count()
    }
}

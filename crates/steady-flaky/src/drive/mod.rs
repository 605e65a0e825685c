//! Runs tests again in every way that may change their answers, and keeps what stays true.
//!
//! An [`ObservedTest`](crate::relax::ObservedTest) is a test and all that was seen of it. [`detect`] runs such tests again: in place,
//! after a reset, after a restart, and with the clock, the time zone, the language, the folder for temporary files and the seeds of
//! hash tables changed, as far as steady starts the API itself ([`SutAccess`]). [`prove`] then runs the tests as they will be
//! written, from a fresh start, and lets those that fail learn from it. [`stabilize`] does both to a suite that exists,
//! [`stabilize_code`] to test code that exists.
//!
//! What the runs mean is decided in the rest of the crate; this part only makes them.

mod code;
mod cost;
mod detect;
mod error;
#[cfg(test)]
pub(crate) mod fakes;
mod limit;
mod machine;
mod plan;
mod prove;
mod run_once;
mod suite;
mod suite_tests;
mod sut_access;
mod test_set;

pub use code::{
    ChangedFile, CodeError, CodeProject, SortedTests, StabilizedCode, TestCode, TestLeft, stabilize_code,
};
pub use cost::{Cost, Spent};
pub use detect::{DetectionPlan, detect};
pub use error::StabilizeError;
pub use limit::Limit;
pub use plan::UnknownChange;
pub use prove::{Unproven, prove};
pub use run_once::RunContext;
pub use suite::{Stabilized, stabilize};
pub use sut_access::{ManagedSut, SutAccess, SutFuture};

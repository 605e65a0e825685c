//! Runs the tests of a suite again in every way that may change their answers, and keeps what stays true.
//!
//! A [`Trial`](steady_flaky::relax::Trial) is a test and all that was seen of it. [`climb`] takes trials up the ladder: again
//! in place, after a reset, after a restart, and with the clock, the time zone, the language, the folder for temporary files
//! and the seeds of hash tables changed, as far as the API is ours to start ([`Footing`]). [`prove`] then runs the tests as they
//! will be written, from a fresh start, and lets those that fail learn from it. [`stabilize`] does both to a suite that exists,
//! [`stabilize_code`] to test code that exists.
//!
//! What the runs mean is decided in `steady-flaky`; this crate only makes them.

mod code;
mod company;
mod cost;
mod error;
mod footing;
mod ladder;
mod limit;
mod machine;
mod prove;
mod rehearse;
mod suite;
mod troupe;

pub use code::{
    ChangedFile, CodeError, CodeProject, SortedTests, StabilizedCode, TestCode, TestLeft, stabilize_code,
};
pub use cost::{Cost, Spent};
pub use error::StabilizeError;
pub use footing::Footing;
pub use ladder::{Ladder, climb};
pub use limit::Limit;
pub use prove::{Unproven, prove};
pub use rehearse::Stage;
pub use suite::{Stabilized, stabilize};

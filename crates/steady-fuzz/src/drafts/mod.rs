//! From what the search found to tests a team would keep.
//!
//! A [`Draft`] is a candidate on its way: re-run alone, [shortened](shorten), made repeatable ([`freshen`], [`with_cleanup`]), run
//! again, and at last [written](write_test) with everything its first run said.

mod absent;
mod assertions;
mod cleanup;
mod draft;
mod fresh;
mod naming;
mod shorten;
mod status_change;

pub use absent::with_absent_ids;
pub use assertions::assertions;
pub use cleanup::with_cleanup;
pub use draft::{Draft, write_test};
pub use fresh::{collide, freshen};
pub use naming::Names;
pub use shorten::shorten;
pub use status_change::StatusChange;

//! Deadlines that a program computed from the shifted clock, shifted back for the kernel.
//!
//! - `correct`: which deadlines are corrected, and how.
//! - `wait`: functions that wait until a time, all alike.
//! - `timer`: timers that are set to a time.

mod correct;
mod timer;
mod wait;

/// Looks up what the shim stands in front of.
pub fn find() {
    timer::find();
    wait::find();
}

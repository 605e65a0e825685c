//! The shifted wall clock.
//!
//! - `shift`: which clocks are shifted, how far, and the arithmetic.
//! - `read`: the functions of the C library that return the time.

mod read;
mod shift;

pub use read::find;
pub use shift::{is_wall, offset, plus};

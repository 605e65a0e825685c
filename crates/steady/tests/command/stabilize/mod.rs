//! `steady stabilize`: only assertions that do not hold every time change, and afterwards all tests pass.

mod bad_input;
mod code;
mod suite;

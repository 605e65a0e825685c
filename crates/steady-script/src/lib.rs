//! Reads JavaScript and TypeScript tests: every wait in them, what kind it is, how long it is and where it is written.
//!
//! [`Script::read`] parses a file and lists its waits as [`Wait`]s. A wait that every run pays for (a sleep) and one that is
//! free when the test passes (the time limit of a polling call) are different [`Kind`]s. Values are read through constants,
//! arithmetic and units; each knows the bytes that hold it. No file is written and no test is run here.

mod wait;

pub use wait::{Form, Kind, Span, Unit, Value, Wait};

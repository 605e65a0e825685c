//! Tunes real projects, with real runners, to a wait that is known.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ground;
mod load;
mod one;
mod shrink;

//! Real programs under the shim: Python, Node, the JVM, Rust and the C library itself (`tests/victims`).

#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod clock;
mod harmless;
mod network;
mod random;
mod victim;
mod waits;

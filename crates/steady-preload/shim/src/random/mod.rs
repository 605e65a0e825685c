//! Random numbers that follow from a seed, where one is set.
//!
//! - `stream`: the numbers, and which thread draws which.
//! - `ask`: the functions that ask the system for them.
//! - `device`: reads of `/dev/urandom` and `/dev/random`.
//! - `openssl`: a program's own OpenSSL, which mixes in the processor's time stamps and therefore needs a method of its own.
//!
//! Out of reach: numbers that never come from the system. `java.util.Random` and `Math.random` of the JVM start from the
//! monotonic clock, `std::random_device` of C++ from an instruction of the processor; `mkstemp` draws inside the C
//! library, which keeps the names of temporary files apart. A `FILE` opened on a device is read inside the C
//! library too.

mod ask;
mod device;
mod openssl;
mod stream;

pub use stream::mixed;

/// Looks up what the shim stands in front of.
pub fn find() {
    ask::find();
    device::find();
}

/// Prepares a program that starts with a seed.
pub fn start() {
    if stream::seed().is_some() {
        openssl::take_over();
    }
}

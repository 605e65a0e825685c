//! A shim that the dynamic linker loads before a program's own libraries (`LD_PRELOAD`, Linux with glibc), so
//! that steady can control what the program sees without changing it.
//!
//! It shifts the **wall clock**, makes **random numbers** follow from a seed, and delays **connections**. Its settings
//! are in one small file that the shim maps and the controller (the crate `steady-preload`) writes: a clock read costs
//! one more load, and everything can change while the program runs.
//!
//! ```text
//! LD_PRELOAD=…/libsteady_preload-….so STEADY_INTERPOSE=…/control-….page python3 app.py
//! ```
//!
//! - `layout`: what the shared page holds; the controller compiles the same file.
//! - `control`: maps the page, once, before `main`.
//! - `program`: an identity for the program that is the same in every run.
//! - `real`: finds the functions that the shim stands in front of.
//! - `kernel`: system calls, for what the C library offers too late or not at all.
//! - `clock`: functions that return the time.
//! - `deadline`: functions that wait until a time. A deadline that was computed from the shifted clock has to be
//!   shifted back, or the wait ends a day late or at once.
//! - `random`: functions that draw random numbers.
//! - `network`: functions that connect.
//!
//! Rules for everything here, since it runs inside programs we know nothing about: the environment is read
//! once and never again; no panic, no allocation, no lock, no descriptor kept open; a function
//! leaves `errno` to the C library; without a page, or with one it does not understand, the shim does nothing.
//!
//! What stays out of reach: static and Go programs, which ask the kernel directly; raw `futex` calls; times of
//! files. A wait that is under way when the shift changes ends when it would have ended.

#![cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![expect(unsafe_code, reason = "the functions of the C library are unsafe to call and to stand in for")]
// Without the standard library the shim is small and needs nothing that an old C library lacks. Builds that unwind
// (lints, tests) need it for its panic handler.
#![no_std]

#[cfg(not(panic = "abort"))]
extern crate std;

mod clock;
mod control;
mod deadline;
mod kernel;
mod layout;
mod network;
mod program;
mod random;
mod real;

/// Runs before `main`, when the dynamic linker has relocated every library.
extern "C" fn start() {
    // SAFETY: the location is valid for as long as the thread.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above; only this thread uses it.
    let before = unsafe { *errno };
    // Found now rather than at the first call: looking a symbol up takes a lock, which a forked child of a
    // threaded program may find held for ever.
    clock::find();
    deadline::find();
    network::find();
    program::find();
    random::find();
    control::map();
    random::start();
    real::forget_error();
    // SAFETY: as above. A program may rely on `errno` being zero at its start.
    unsafe { *errno = before };
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

/// Nothing here panics; the language asks for a handler all the same.
#[cfg(panic = "abort")]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: ending the process has no conditions.
    unsafe { libc::abort() }
}

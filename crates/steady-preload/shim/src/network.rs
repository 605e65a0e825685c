//! Connections that take longer.
//!
//! The wait comes before the connection is made, in the thread that asks for it. Where the socket does not block, that
//! is still so: to report a connection late, the shim would have to stand in front of every function that waits for
//! events. A program with an event loop is therefore blocked for that time; one with threads is not.

use core::sync::atomic::Ordering;

use libc::{c_int, c_void, sa_family_t, sockaddr, socklen_t, timespec};

use crate::real::{Next, missing};
use crate::{clock, control};

type Connect = unsafe extern "C" fn(c_int, *const sockaddr, socklen_t) -> c_int;

// SAFETY: the signature in POSIX.
static CONNECT: Next<Connect> = unsafe { Next::new(c"connect") };

/// Looks up what this file stands in front of.
pub fn find() {
    CONNECT.find();
}

#[unsafe(no_mangle)]
unsafe extern "C" fn connect(socket: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    let Some(next) = CONNECT.get() else { return missing() };
    let delay = control::page().map_or(0, |page| page.connection_delay.load(Ordering::Relaxed));
    // SAFETY: the caller owes the C library an address of this length.
    if delay > 0 && unsafe { is_internet(address, length) } && is_stream(socket) {
        wait(delay);
    }
    // SAFETY: passed on as they came.
    unsafe { next(socket, address, length) }
}

/// # Safety
/// `address` is null or points to as many bytes as `length` says.
unsafe fn is_internet(address: *const sockaddr, length: socklen_t) -> bool {
    if address.is_null() || (length as usize) < size_of::<sa_family_t>() {
        return false;
    }
    // SAFETY: the family is the first field of every address, and there are enough bytes for it.
    let family = unsafe { (&raw const (*address).sa_family).read_unaligned() };
    matches!(c_int::from(family), libc::AF_INET | libc::AF_INET6)
}

/// Connecting a datagram socket sends nothing.
fn is_stream(socket: c_int) -> bool {
    let mut kind: c_int = 0;
    let mut length = size_of::<c_int>() as socklen_t;
    let place = (&raw mut kind).cast::<c_void>();
    // SAFETY: there is room for the answer. An error comes again, and to the program, when it connects.
    let result = unsafe { libc::getsockopt(socket, libc::SOL_SOCKET, libc::SO_TYPE, place, &raw mut length) };
    result == 0 && kind == libc::SOCK_STREAM
}

/// Waits for the whole time: a signal's handler runs, and the wait goes on.
fn wait(nanoseconds: u64) {
    let mut now = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    let end = clock::plus(now, i64::try_from(nanoseconds).unwrap_or(i64::MAX));
    // SAFETY: the structure is ours; the time that is left is not asked for. It reports an error without `errno`.
    while unsafe {
        libc::clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const end,
            core::ptr::null_mut(),
        )
    } == libc::EINTR
    {}
}

//! Reads of `/dev/urandom` and `/dev/random`.
//!
//! A descriptor is recognised when it is read, by the device it leads to: it may have been opened by any function, copied, or
//! inherited from another program. That is one more question to the kernel for every read, as long as a seed is set.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use libc::{c_int, c_long, size_t, ssize_t};

use super::stream::{draw, seed};
use crate::kernel;
use crate::real::{Next, missing};

type Read = unsafe extern "C" fn(c_int, *mut c_void, size_t) -> ssize_t;
type CheckedRead = unsafe extern "C" fn(c_int, *mut c_void, size_t, size_t) -> ssize_t;

// SAFETY: the signature in POSIX.
static READ: Next<Read> = unsafe { Next::new(c"read") };
// SAFETY: the signature in glibc, which programs built with its own checks call.
static CHECKED_READ: Next<CheckedRead> = unsafe { Next::new(c"__read_chk") };

/// Looks up what this file stands in front of.
pub fn find() {
    READ.find();
    CHECKED_READ.find();
}

/// The devices, as the kernel numbers them.
const RANDOM: u64 = libc::makedev(1, 8);
const URANDOM: u64 = libc::makedev(1, 9);

fn is_random(file: c_int) -> bool {
    let mut status = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: there is room for the status.
    let result = unsafe {
        kernel::call(libc::SYS_fstat, [c_long::from(file), status.as_mut_ptr() as c_long, 0, 0, 0, 0])
    };
    if result != 0 {
        return false;
    }
    // SAFETY: the kernel has just written it.
    let status = unsafe { status.assume_init_ref() };
    status.st_mode & libc::S_IFMT == libc::S_IFCHR && matches!(status.st_rdev, RANDOM | URANDOM)
}

/// The seed, where it is to be followed by this read.
#[inline]
fn seed_for(file: c_int, place: *mut c_void) -> Option<u64> {
    seed().filter(|_| !place.is_null() && is_random(file))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn read(file: c_int, place: *mut c_void, length: size_t) -> ssize_t {
    if let Some(seed) = seed_for(file, place) {
        // SAFETY: the caller gave room for them.
        unsafe { draw(seed, place, length) };
        return length as ssize_t;
    }
    // SAFETY: passed on as they came.
    READ.get().map_or_else(|| missing() as ssize_t, |next| unsafe { next(file, place, length) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __read_chk(file: c_int, place: *mut c_void, length: size_t, room: size_t) -> ssize_t {
    if length <= room
        && let Some(seed) = seed_for(file, place)
    {
        // SAFETY: the caller gave room for them.
        unsafe { draw(seed, place, length) };
        return length as ssize_t;
    }
    // SAFETY: passed on as they came.
    CHECKED_READ.get().map_or_else(|| missing() as ssize_t, |next| unsafe { next(file, place, length, room) })
}

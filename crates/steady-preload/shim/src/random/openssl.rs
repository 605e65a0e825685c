//! A program's own OpenSSL.
//!
//! Node.js draws everything from its OpenSSL, `Math.random` included. OpenSSL asks the system for a seed but mixes in
//! time stamps of the processor. The shim therefore installs its own source, through the call that programs use for it.

use core::ffi::c_void;
use core::mem::transmute_copy;

use libc::{c_double, c_int, c_uchar, size_t};

use super::ask::system;
use super::stream::{draw, seed};
use crate::real;

/// `RAND_METHOD` of OpenSSL's `rand.h`.
#[repr(C)]
struct Method {
    seed: unsafe extern "C" fn(*const c_void, c_int) -> c_int,
    bytes: unsafe extern "C" fn(*mut c_uchar, c_int) -> c_int,
    cleanup: unsafe extern "C" fn(),
    add: unsafe extern "C" fn(*const c_void, c_int, c_double) -> c_int,
    pseudorandom: unsafe extern "C" fn(*mut c_uchar, c_int) -> c_int,
    status: unsafe extern "C" fn() -> c_int,
}

static METHOD: Method =
    Method { seed: take_seed, bytes, cleanup: forget, add: take_entropy, pseudorandom: bytes, status: ready };

/// OpenSSL's "yes".
const DONE: c_int = 1;

/// Makes an OpenSSL that came with the program draw from us. One that is loaded later draws for itself.
pub fn take_over() {
    let set = real::of_any_library(c"RAND_set_rand_method");
    if !set.is_null() {
        // SAFETY: this is the signature of `RAND_set_rand_method`.
        let set: unsafe extern "C" fn(*const Method) -> c_int = unsafe { transmute_copy(&set) };
        // SAFETY: the method is there for as long as the program. It may be set at any time, before all else too.
        unsafe { set(&raw const METHOD) };
    }
}

unsafe extern "C" fn bytes(place: *mut c_uchar, length: c_int) -> c_int {
    let Ok(length) = size_t::try_from(length) else { return 0 };
    match seed() {
        // SAFETY: OpenSSL gave room for them.
        Some(seed) => unsafe { draw(seed, place.cast(), length) },
        // The seed was removed.
        // SAFETY: OpenSSL gave room for them.
        None => unsafe { system(place.cast(), length) },
    }
    DONE
}

unsafe extern "C" fn take_seed(_: *const c_void, _: c_int) -> c_int {
    DONE
}

unsafe extern "C" fn take_entropy(_: *const c_void, _: c_int, _: c_double) -> c_int {
    DONE
}

unsafe extern "C" fn forget() {}

unsafe extern "C" fn ready() -> c_int {
    DONE
}

//! The functions that ask the system for random numbers.

use core::ffi::c_void;

use libc::{c_int, c_long, c_uint, size_t, ssize_t};

use super::stream::{draw, drawn, seed};
use crate::kernel;
use crate::real::Next;

type Getrandom = unsafe extern "C" fn(*mut c_void, size_t, c_uint) -> ssize_t;
type Getentropy = unsafe extern "C" fn(*mut c_void, size_t) -> c_int;

// SAFETY: the signature in Linux.
static GETRANDOM: Next<Getrandom> = unsafe { Next::new(c"getrandom") };
// SAFETY: the signature in glibc.
static GETENTROPY: Next<Getentropy> = unsafe { Next::new(c"getentropy") };
// SAFETY: the signature in glibc and in libbsd.
static ARC4RANDOM: Next<unsafe extern "C" fn() -> u32> = unsafe { Next::new(c"arc4random") };
// SAFETY: the signature in glibc and in libbsd.
static ARC4RANDOM_BUF: Next<unsafe extern "C" fn(*mut c_void, size_t)> =
    unsafe { Next::new(c"arc4random_buf") };
// SAFETY: the signature in glibc and in libbsd.
static ARC4RANDOM_UNIFORM: Next<unsafe extern "C" fn(u32) -> u32> =
    unsafe { Next::new(c"arc4random_uniform") };

/// Looks up what this file stands in front of.
pub fn find() {
    GETRANDOM.find();
    GETENTROPY.find();
    ARC4RANDOM.find();
    ARC4RANDOM_BUF.find();
    ARC4RANDOM_UNIFORM.find();
}

/// All that the kernel knows; with another flag it refuses.
const FLAGS: c_uint = libc::GRND_NONBLOCK | libc::GRND_RANDOM | libc::GRND_INSECURE;

/// The most that `getentropy` gives at once.
const MOST_ENTROPY: size_t = 256;

#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(place: *mut c_void, length: size_t, flags: c_uint) -> ssize_t {
    if let Some(seed) = seed().filter(|_| !place.is_null() && flags & !FLAGS == 0) {
        // SAFETY: the caller gave room for them.
        unsafe { draw(seed, place, length) };
        return length as ssize_t;
    }
    match GETRANDOM.get() {
        // SAFETY: passed on as they came.
        Some(next) => unsafe { next(place, length, flags) },
        // SAFETY: passed on as they came.
        None => kernel::returned(unsafe { asked(place, length, flags) }) as ssize_t,
    }
}

/// Asks the kernel itself.
///
/// # Safety
/// As for `getrandom`.
unsafe fn asked(place: *mut c_void, length: size_t, flags: c_uint) -> c_long {
    // SAFETY: as promised by the caller.
    unsafe {
        kernel::call(libc::SYS_getrandom, [place as c_long, length as c_long, c_long::from(flags), 0, 0, 0])
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn getentropy(place: *mut c_void, length: size_t) -> c_int {
    if length > MOST_ENTROPY {
        kernel::failed(libc::EIO);
        return -1;
    }
    if let Some(seed) = seed().filter(|_| !place.is_null()) {
        // SAFETY: the caller gave room for them.
        unsafe { draw(seed, place, length) };
        return 0;
    }
    match GETENTROPY.get() {
        // SAFETY: passed on as they came.
        Some(next) => unsafe { next(place, length) },
        None => {
            // SAFETY: the caller gave room for them.
            unsafe { system(place, length) };
            0
        }
    }
}

/// Writes numbers of the system, however long it takes.
///
/// # Safety
/// There is room for `length` bytes at `place`.
pub unsafe fn system(place: *mut c_void, length: size_t) {
    let mut written = 0;
    while written < length {
        // SAFETY: as promised by the caller, less what is written already.
        let result = unsafe { asked(place.byte_add(written), length - written, 0) };
        match result {
            0.. => written += result as size_t,
            _ if result == -c_long::from(libc::EINTR) => {}
            // SAFETY: ending the process has no conditions. Its secrets must not be zeros.
            _ => unsafe { libc::abort() },
        }
    }
}

/// One number of the system.
fn of_the_system() -> u32 {
    let mut number = 0u32;
    // SAFETY: the number is ours.
    unsafe { system((&raw mut number).cast(), size_of::<u32>()) };
    number
}

#[unsafe(no_mangle)]
unsafe extern "C" fn arc4random() -> u32 {
    match (seed(), ARC4RANDOM.get()) {
        (Some(seed), _) => drawn(seed) as u32,
        // SAFETY: it has no conditions.
        (None, Some(next)) => unsafe { next() },
        (None, None) => of_the_system(),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn arc4random_buf(place: *mut c_void, length: size_t) {
    match (seed(), ARC4RANDOM_BUF.get()) {
        // SAFETY: the caller gave room for them.
        (Some(seed), _) => unsafe { draw(seed, place, length) },
        // SAFETY: passed on as they came.
        (None, Some(next)) => unsafe { next(place, length) },
        // SAFETY: the caller gave room for them.
        (None, None) => unsafe { system(place, length) },
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn arc4random_uniform(bound: u32) -> u32 {
    let number = match (seed(), ARC4RANDOM_UNIFORM.get()) {
        (Some(seed), _) => drawn(seed),
        // SAFETY: it has no conditions.
        (None, Some(next)) => return unsafe { next(bound) },
        (None, None) => u64::from(of_the_system()) << 32 | u64::from(of_the_system()),
    };
    below(bound, number)
}

/// A number below the bound. The modulo bias of 64 bits is too small to notice.
fn below(bound: u32, number: u64) -> u32 {
    ((u128::from(number) * u128::from(bound)) >> 64) as u32
}

/// Programs call this where the C library was too old when they were built. Surplus arguments of a call
/// are ignored by the C library and by the kernel.
#[unsafe(no_mangle)]
unsafe extern "C" fn syscall(
    number: c_long,
    first: c_long,
    second: c_long,
    third: c_long,
    fourth: c_long,
    fifth: c_long,
    sixth: c_long,
) -> c_long {
    if number == libc::SYS_getrandom {
        // SAFETY: passed on as they came.
        return unsafe { getrandom(first as *mut c_void, second as size_t, third as c_uint) } as c_long;
    }
    // SAFETY: passed on as they came.
    kernel::returned(unsafe { kernel::call(number, [first, second, third, fourth, fifth, sixth]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stays_below_its_bound() {
        assert_eq!((below(0, u64::MAX), below(1, u64::MAX)), (0, 0));
        assert_eq!((below(6, 0), below(6, u64::MAX)), (0, 5));
        assert_eq!(below(u32::MAX, u64::MAX), u32::MAX - 1);
    }
}

//! The functions of the C library that return the time.

use libc::{c_int, c_long, c_short, c_ushort, c_void, clockid_t, time_t, timespec, timeval};

use super::shift::{is_wall, offset, plus};
use crate::kernel;
use crate::real::Next;

type ClockGettime = unsafe extern "C" fn(clockid_t, *mut timespec) -> c_int;
type Gettimeofday = unsafe extern "C" fn(*mut timeval, *mut c_void) -> c_int;
type TimespecGet = unsafe extern "C" fn(*mut timespec, c_int) -> c_int;

// SAFETY: the signature in POSIX.
static CLOCK_GETTIME: Next<ClockGettime> = unsafe { Next::new(c"clock_gettime") };
// SAFETY: the signature in glibc.
static GETTIMEOFDAY: Next<Gettimeofday> = unsafe { Next::new(c"gettimeofday") };
// SAFETY: the signature in C11.
static TIMESPEC_GET: Next<TimespecGet> = unsafe { Next::new(c"timespec_get") };

/// Looks up what this file stands in front of.
pub fn find() {
    CLOCK_GETTIME.find();
    GETTIMEOFDAY.find();
    TIMESPEC_GET.find();
}

/// Reads a clock as the kernel has it.
///
/// # Safety
/// `time` is what the C library's function accepts.
#[inline]
unsafe fn unshifted(clock: clockid_t, time: *mut timespec) -> c_int {
    match CLOCK_GETTIME.get() {
        // SAFETY: passed on as it came.
        Some(next) => unsafe { next(clock, time) },
        // SAFETY: passed on as it came; the system call has the same arguments.
        None => kernel::returned(unsafe {
            kernel::call(libc::SYS_clock_gettime, [c_long::from(clock), time as c_long, 0, 0, 0, 0])
        }) as c_int,
    }
}

/// The shifted time of day by a clock that cannot fail.
#[inline]
fn now(clock: clockid_t) -> timespec {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { unshifted(clock, &raw mut time) };
    plus(time, offset())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    // SAFETY: passed on as it came.
    let result = unsafe { unshifted(clock, time) };
    if result == 0 && is_wall(clock) {
        // SAFETY: the C library has just written a time there.
        unsafe { *time = plus(*time, offset()) };
    }
    result
}

#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int {
    if !zone.is_null()
        && let Some(next) = GETTIMEOFDAY.get()
    {
        // SAFETY: passed on as they came. The time is written again below.
        let result = unsafe { next(time, zone) };
        if result != 0 {
            return result;
        }
    }
    if !time.is_null() {
        let now = now(libc::CLOCK_REALTIME);
        // SAFETY: the caller gave room for the time.
        unsafe { *time = timeval { tv_sec: now.tv_sec, tv_usec: now.tv_nsec / 1000 } };
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn time(place: *mut time_t) -> time_t {
    // The kernel's own `time` reads the coarse clock; so the two agree for a program that uses both.
    let seconds = now(libc::CLOCK_REALTIME_COARSE).tv_sec;
    if !place.is_null() {
        // SAFETY: the caller gave room for the time.
        unsafe { *place = seconds };
    }
    seconds
}

/// C11's name for the time of day.
const TIME_UTC: c_int = 1;

#[unsafe(no_mangle)]
unsafe extern "C" fn timespec_get(time: *mut timespec, base: c_int) -> c_int {
    if base == TIME_UTC {
        // SAFETY: the caller gave room for the time.
        unsafe { *time = now(libc::CLOCK_REALTIME) };
        return base;
    }
    // SAFETY: passed on as they came.
    TIMESPEC_GET.get().map_or(0, |next| unsafe { next(time, base) })
}

/// What `ftime` fills.
#[repr(C)]
struct Timeb {
    time: time_t,
    milliseconds: c_ushort,
    timezone: c_short,
    daylight_saving: c_short,
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftime(place: *mut Timeb) -> c_int {
    let now = now(libc::CLOCK_REALTIME);
    let milliseconds = (now.tv_nsec / 1_000_000) as c_ushort;
    // SAFETY: the caller gave room for it. glibc leaves zone and daylight saving zero as well.
    unsafe { *place = Timeb { time: now.tv_sec, milliseconds, timezone: 0, daylight_saving: 0 } };
    0
}

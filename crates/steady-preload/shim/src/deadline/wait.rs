//! Functions that wait until a time: each corrects its deadline and passes everything else on.

use libc::{
    c_char, c_int, c_uint, c_void, clockid_t, mqd_t, pthread_cond_t, pthread_mutex_t, pthread_rwlock_t,
    pthread_t, sem_t, size_t, ssize_t, timespec,
};

use super::correct::{Measured, corrected};
use crate::real::{Next, missing};

/// C11's result for a failure.
const THRD_ERROR: c_int = 2;

/// Writes the functions listed: signature, the argument that is the deadline, what that is measured by, and the result
/// where the C library has no such function.
macro_rules! waits {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty
        => $deadline:ident, $measured:expr, $absent:expr;)*) => {
        #[expect(non_upper_case_globals, reason = "named as the functions they stand for")]
        mod next {
            use super::*;
            $(
                // SAFETY: the signature in the C library's headers.
                pub static $name: Next<unsafe extern "C" fn($($type),*) -> $result> =
                    unsafe { Next::new(as_c_str(concat!(stringify!($name), "\0"))) };
            )*
        }

        /// Looks up what this file stands in front of.
        pub fn find() {
            $(next::$name.find();)*
        }

        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $type),*) -> $result {
                let Some(next) = next::$name.get() else { return $absent };
                // SAFETY: the caller owes the C library a deadline or null.
                let own = unsafe { corrected($deadline, $measured) };
                let $deadline = own.as_ref().map_or($deadline, |time| &raw const *time);
                // SAFETY: passed on as they came, but for the deadline, which is ours and outlives the call.
                unsafe { next($($argument),*) }
            }
        )*
    };
}

/// The name for the dynamic linker; a text without its zero stops the build.
const fn as_c_str(text: &'static str) -> &'static core::ffi::CStr {
    match core::ffi::CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("no zero at the end"),
    }
}

waits! {
    fn pthread_cond_timedwait(
        condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, until: *const timespec,
    ) -> c_int
        => until, Measured::ByItsSize, libc::ENOSYS;
    fn pthread_cond_clockwait(
        condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, clock: clockid_t, until: *const timespec,
    ) -> c_int
        => until, Measured::By(clock), libc::ENOSYS;
    fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int
        => until, Measured::ByWall, libc::ENOSYS;
    fn pthread_mutex_clocklock(mutex: *mut pthread_mutex_t, clock: clockid_t, until: *const timespec) -> c_int
        => until, Measured::By(clock), libc::ENOSYS;
    fn pthread_rwlock_timedrdlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int
        => until, Measured::ByWall, libc::ENOSYS;
    fn pthread_rwlock_timedwrlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int
        => until, Measured::ByWall, libc::ENOSYS;
    fn pthread_rwlock_clockrdlock(lock: *mut pthread_rwlock_t, clock: clockid_t, until: *const timespec) -> c_int
        => until, Measured::By(clock), libc::ENOSYS;
    fn pthread_rwlock_clockwrlock(lock: *mut pthread_rwlock_t, clock: clockid_t, until: *const timespec) -> c_int
        => until, Measured::By(clock), libc::ENOSYS;
    fn pthread_timedjoin_np(thread: pthread_t, result: *mut *mut c_void, until: *const timespec) -> c_int
        => until, Measured::ByWall, libc::ENOSYS;
    fn pthread_clockjoin_np(
        thread: pthread_t, result: *mut *mut c_void, clock: clockid_t, until: *const timespec,
    ) -> c_int
        => until, Measured::By(clock), libc::ENOSYS;
    fn sem_timedwait(semaphore: *mut sem_t, until: *const timespec) -> c_int
        => until, Measured::ByWall, missing();
    fn sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, until: *const timespec) -> c_int
        => until, Measured::By(clock), missing();
    fn cnd_timedwait(condition: *mut c_void, mutex: *mut c_void, until: *const timespec) -> c_int
        => until, Measured::ByWall, THRD_ERROR;
    fn mtx_timedlock(mutex: *mut c_void, until: *const timespec) -> c_int
        => until, Measured::ByWall, THRD_ERROR;
    fn mq_timedsend(
        queue: mqd_t, message: *const c_char, length: size_t, priority: c_uint, until: *const timespec,
    ) -> c_int
        => until, Measured::ByWall, missing();
    fn mq_timedreceive(
        queue: mqd_t, message: *mut c_char, length: size_t, priority: *mut c_uint, until: *const timespec,
    ) -> ssize_t
        => until, Measured::ByWall, missing() as ssize_t;
    fn clock_nanosleep(clock: clockid_t, flags: c_int, until: *const timespec, remaining: *mut timespec) -> c_int
        => until, absolute(flags, clock), libc::ENOSYS;
}

/// A sleep is until a time only where the caller says so.
fn absolute(flags: c_int, clock: clockid_t) -> Measured {
    if flags & libc::TIMER_ABSTIME == 0 { Measured::FromNow } else { Measured::By(clock) }
}

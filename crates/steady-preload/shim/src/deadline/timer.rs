//! Timers that are set to a time. Their clock was chosen when they were made, so the size of the time
//! reveals it.

use libc::{c_int, itimerspec, timer_t};

use super::correct::{Measured, corrected};
use crate::real::{Next, missing};

type TimerSettime = unsafe extern "C" fn(timer_t, c_int, *const itimerspec, *mut itimerspec) -> c_int;
type TimerfdSettime = unsafe extern "C" fn(c_int, c_int, *const itimerspec, *mut itimerspec) -> c_int;

// SAFETY: the signature in POSIX.
static TIMER_SETTIME: Next<TimerSettime> = unsafe { Next::new(c"timer_settime") };
// SAFETY: the signature in Linux.
static TIMERFD_SETTIME: Next<TimerfdSettime> = unsafe { Next::new(c"timerfd_settime") };

/// Looks up what this file stands in front of.
pub fn find() {
    TIMER_SETTIME.find();
    TIMERFD_SETTIME.find();
}

/// The setting to give to the kernel, where it differs from the caller's.
///
/// # Safety
/// `setting` is null or points to a timer's setting.
unsafe fn corrected_setting(setting: *const itimerspec, absolute: bool) -> Option<itimerspec> {
    // SAFETY: as promised by the caller.
    let setting = unsafe { setting.as_ref() }.filter(|_| absolute)?;
    // SAFETY: a reference points to a time.
    let value = unsafe { corrected(&raw const setting.it_value, Measured::ByItsSize) }?;
    Some(itimerspec { it_value: value, it_interval: setting.it_interval })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn timer_settime(
    timer: timer_t,
    flags: c_int,
    setting: *const itimerspec,
    before: *mut itimerspec,
) -> c_int {
    let Some(next) = TIMER_SETTIME.get() else { return missing() };
    // SAFETY: the caller owes the C library a setting or null.
    let own = unsafe { corrected_setting(setting, flags & libc::TIMER_ABSTIME != 0) };
    let setting = own.as_ref().map_or(setting, |own| &raw const *own);
    // SAFETY: passed on as they came, but for the setting, which is ours and outlives the call.
    unsafe { next(timer, flags, setting, before) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn timerfd_settime(
    timer: c_int,
    flags: c_int,
    setting: *const itimerspec,
    before: *mut itimerspec,
) -> c_int {
    let Some(next) = TIMERFD_SETTIME.get() else { return missing() };
    // SAFETY: the caller owes the C library a setting or null.
    let own = unsafe { corrected_setting(setting, flags & libc::TFD_TIMER_ABSTIME != 0) };
    let setting = own.as_ref().map_or(setting, |own| &raw const *own);
    // SAFETY: passed on as they came, but for the setting, which is ours and outlives the call.
    unsafe { next(timer, flags, setting, before) }
}

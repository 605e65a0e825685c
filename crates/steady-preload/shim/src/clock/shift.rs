//! How far the wall clock is shifted.

use core::sync::atomic::Ordering;

use libc::{clockid_t, timespec};

use crate::control;

const NANOSECONDS: i64 = 1_000_000_000;

/// Nanoseconds to add to the wall clock now; zero without a controller.
#[inline]
pub fn offset() -> i64 {
    control::page().map_or(0, |page| page.wall_offset.load(Ordering::Relaxed))
}

/// Whether a clock shows the time of day. The others count from the start of the machine or of the process and are
/// left alone.
#[inline]
pub fn is_wall(clock: clockid_t) -> bool {
    matches!(
        clock,
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_REALTIME_ALARM | libc::CLOCK_TAI
    )
}

/// A time moved by some nanoseconds. Its own nanoseconds must lie within a second.
#[inline]
pub fn plus(time: timespec, nanoseconds: i64) -> timespec {
    let within = time.tv_nsec + nanoseconds.rem_euclid(NANOSECONDS);
    let seconds = nanoseconds.div_euclid(NANOSECONDS) + within / NANOSECONDS;
    timespec { tv_sec: time.tv_sec.saturating_add(seconds), tv_nsec: within % NANOSECONDS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(seconds: i64, nanoseconds: i64, by: i64) -> (i64, i64) {
        let time = plus(timespec { tv_sec: seconds, tv_nsec: nanoseconds }, by);
        (time.tv_sec, time.tv_nsec)
    }

    #[test]
    fn a_time_moves_by_exactly_the_offset() {
        assert_eq!(moved(10, 5, 0), (10, 5));
        assert_eq!(moved(10, 999_999_999, 1), (11, 0));
        assert_eq!(moved(10, 0, -1), (9, 999_999_999));
        assert_eq!(moved(10, 500_000_000, -3_600_000_000_000), (-3590, 500_000_000));
        assert_eq!(moved(10, 600_000_000, 1_500_000_000), (12, 100_000_000));
    }

    #[test]
    fn the_largest_times_and_offsets_do_not_overflow() {
        assert_eq!(moved(i64::MAX, 999_999_999, i64::MAX).0, i64::MAX);
        assert_eq!(moved(i64::MIN, 0, i64::MIN).0, i64::MIN);
    }

    #[test]
    fn only_clocks_that_tell_the_time_of_day_are_shifted() {
        assert!(
            is_wall(libc::CLOCK_REALTIME) && is_wall(libc::CLOCK_REALTIME_COARSE) && is_wall(libc::CLOCK_TAI)
        );
        assert!(!is_wall(libc::CLOCK_MONOTONIC) && !is_wall(libc::CLOCK_BOOTTIME));
        assert!(!is_wall(libc::CLOCK_PROCESS_CPUTIME_ID) && !is_wall(libc::CLOCK_MONOTONIC_RAW));
    }
}

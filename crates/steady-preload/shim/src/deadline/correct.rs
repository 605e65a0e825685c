//! Which deadlines are corrected, and how.

use libc::{clockid_t, timespec};

use crate::clock::{is_wall, offset, plus};
use crate::layout::EARLIEST_WALL_SECOND;

/// What a deadline is measured by.
#[derive(Clone, Copy)]
pub enum Measured {
    /// The time of day, always.
    ByWall,
    /// The clock that the caller names.
    By(clockid_t),
    /// A clock that was chosen when the object was made: the size of the deadline reveals which.
    ByItsSize,
    /// No clock: it is a duration.
    FromNow,
}

/// The deadline to give to the kernel, where it differs from the caller's.
///
/// # Safety
/// `deadline` is null or points to a time.
pub unsafe fn corrected(deadline: *const timespec, measured: Measured) -> Option<timespec> {
    // SAFETY: as promised by the caller.
    let deadline = unsafe { deadline.as_ref() }?;
    let offset = offset();
    (offset != 0).then(|| shifted_back(*deadline, measured, offset)).flatten()
}

/// The same as a plain function: `None` where the deadline needs no correction or is absent.
fn shifted_back(deadline: timespec, measured: Measured, offset: i64) -> Option<timespec> {
    let by_wall = match measured {
        Measured::ByWall => true,
        Measured::By(clock) => is_wall(clock),
        Measured::ByItsSize => deadline.tv_sec >= EARLIEST_WALL_SECOND,
        Measured::FromNow => false,
    };
    // An invalid time is left for the C library to refuse.
    if !by_wall || !(0..1_000_000_000).contains(&deadline.tv_nsec) || deadline.tv_sec < 0 {
        return None;
    }
    let time = plus(deadline, offset.saturating_neg());
    // Negative is refused and zero disarms a timer; a deadline long past is neither.
    Some(if time.tv_sec < 0 { timespec { tv_sec: 0, tv_nsec: 1 } } else { time })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;
    const OFFSET: i64 = DAY * 1_000_000_000;
    const WALL: i64 = 1_800_000_000;

    fn back(seconds: i64, measured: Measured) -> Option<i64> {
        shifted_back(timespec { tv_sec: seconds, tv_nsec: 0 }, measured, OFFSET).map(|time| time.tv_sec)
    }

    #[test]
    fn wall_deadlines_are_shifted_back() {
        assert_eq!(back(WALL, Measured::ByWall), Some(WALL - DAY));
        assert_eq!(back(WALL, Measured::By(libc::CLOCK_REALTIME)), Some(WALL - DAY));
        assert_eq!(back(WALL, Measured::ByItsSize), Some(WALL - DAY));
    }

    #[test]
    fn other_deadlines_are_left_alone() {
        assert_eq!(back(WALL, Measured::By(libc::CLOCK_MONOTONIC)), None);
        assert_eq!(back(50_000, Measured::ByItsSize), None);
        assert_eq!(back(WALL, Measured::FromNow), None);
    }

    #[test]
    fn a_deadline_long_past_stays_past_and_valid() {
        let time = shifted_back(timespec { tv_sec: 1, tv_nsec: 0 }, Measured::ByWall, OFFSET).unwrap();
        assert_eq!((time.tv_sec, time.tv_nsec), (0, 1));
    }

    #[test]
    fn what_is_not_a_time_is_left_for_the_c_library() {
        let invalid = timespec { tv_sec: WALL, tv_nsec: 1_000_000_000 };
        assert!(shifted_back(invalid, Measured::ByWall, OFFSET).is_none());
        assert_eq!(back(-1, Measured::ByWall), None);
    }

    #[test]
    fn the_end_of_time_does_not_wrap() {
        let time = shifted_back(timespec { tv_sec: i64::MAX, tv_nsec: 0 }, Measured::ByWall, -OFFSET);
        assert_eq!(time.unwrap().tv_sec, i64::MAX);
    }
}

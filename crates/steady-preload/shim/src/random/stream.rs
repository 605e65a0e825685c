//! The numbers, and which thread draws which.
//!
//! They are SplitMix64's: the n-th word is a function of the seed, the program and n. Drawing is one addition to
//! a shared counter: no lock, nothing to repair after a fork. They are uniform, not secret.

use core::slice;
use core::sync::atomic::{AtomicU64, Ordering};

use libc::c_void;

use crate::{control, kernel, program};

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// How many words were drawn by the first thread, and by all others. Threads come in any order, but the first one mostly
/// runs the tests: it has numbers of its own.
static DRAWN: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// The seed, where one is set.
#[inline]
pub fn seed() -> Option<u64> {
    let page = control::page()?;
    (page.seeded.load(Ordering::Acquire) != 0).then(|| page.seed.load(Ordering::Relaxed))
}

/// Writes the next numbers of this program.
///
/// # Safety
/// There is room for `length` bytes at `place`.
pub unsafe fn draw(seed: u64, place: *mut c_void, length: usize) {
    if length == 0 {
        return;
    }
    // SAFETY: as promised by the caller; only bytes are written, which have no invalid values.
    let bytes = unsafe { slice::from_raw_parts_mut(place.cast::<u8>(), length) };
    let thread = usize::from(!is_first_thread());
    let words = length.div_ceil(size_of::<u64>()) as u64;
    let first = DRAWN[thread].fetch_add(words, Ordering::Relaxed);
    let start = mixed(mixed(seed) ^ program::identity()) ^ thread as u64;
    write(start.wrapping_add(first.wrapping_mul(STEP)), bytes);
}

/// One number.
pub fn drawn(seed: u64) -> u64 {
    let mut number = 0u64;
    // SAFETY: the number is ours.
    unsafe { draw(seed, (&raw mut number).cast(), size_of::<u64>()) };
    number
}

/// Writes the numbers that follow a state.
fn write(mut state: u64, bytes: &mut [u8]) {
    for chunk in bytes.chunks_mut(size_of::<u64>()) {
        state = state.wrapping_add(STEP);
        let word = mixed(state).to_le_bytes();
        for (byte, drawn) in chunk.iter_mut().zip(word) {
            *byte = drawn;
        }
    }
}

/// Spreads every bit over all: the last step of SplitMix64.
pub const fn mixed(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn is_first_thread() -> bool {
    // SAFETY: the call takes no arguments and cannot fail; the C library's own function for it is recent.
    let thread = unsafe { kernel::call(libc::SYS_gettid, [0; 6]) };
    // SAFETY: it has no conditions.
    thread == i64::from(unsafe { libc::getpid() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut bytes = [0; 24];
        write(1_234_567, &mut bytes);
        let words = bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert!(words.eq(expected));
    }

    #[test]
    fn a_shorter_draw_is_the_beginning_of_a_longer_one() {
        let (mut short, mut long) = ([0; 11], [0; 16]);
        write(7, &mut short);
        write(7, &mut long);
        assert_eq!(short, long[..11]);
    }

    #[test]
    fn what_is_drawn_later_is_something_else() {
        assert_ne!(drawn(1), drawn(1));
    }
}

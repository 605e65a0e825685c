//! An identity for the program that is the same in every run of the tests.
//!
//! Process ids and times differ, therefore a program is identified by its name and by how many of that name were started
//! before it; a fork by its parent and by how many forks came before.

use core::sync::atomic::{AtomicU64, Ordering};

use libc::pid_t;

use crate::layout::{Page, STARTS};
use crate::random::mixed;
use crate::real::{Next, missing};

// SAFETY: the signature in POSIX.
static FORK: Next<unsafe extern "C" fn() -> pid_t> = unsafe { Next::new(c"fork") };

static IDENTITY: AtomicU64 = AtomicU64::new(0);
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Looks up what this file stands in front of.
pub fn find() {
    FORK.find();
}

/// A number that no other program under the same controller has, unless by chance.
#[inline]
pub fn identity() -> u64 {
    IDENTITY.load(Ordering::Relaxed)
}

/// Takes a number for this program; one that may not write the page shares it with others of its name.
pub fn identify(page: &Page, writable: bool) {
    let name = hash(&name());
    let starts = &page.starts[name as usize % STARTS];
    let earlier = if writable { starts.fetch_add(1, Ordering::Relaxed) } else { 0 };
    IDENTITY.store(mixed(name ^ mixed(earlier)), Ordering::Relaxed);
}

/// The name that the kernel knows the program by: its file's, cut to 15 letters and zeros.
fn name() -> [u8; 16] {
    let mut name = [0; 16];
    // SAFETY: there is room for the sixteen bytes that the kernel writes.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    name
}

/// FNV-1a, which is short and enough for names.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Without a number of its own, a child would draw again what its parent draws.
#[unsafe(no_mangle)]
unsafe extern "C" fn fork() -> pid_t {
    let Some(next) = FORK.get() else { return missing() };
    let earlier = FORKS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: it has no conditions that the caller does not know of.
    let process = unsafe { next() };
    if process == 0 {
        IDENTITY.store(mixed(identity() ^ mixed(earlier)).wrapping_add(1), Ordering::Relaxed);
    }
    process
}

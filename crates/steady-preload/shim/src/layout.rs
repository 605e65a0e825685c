//! The page that controller and shim share. Both compile this file, so there is one description of it.
//!
//! The file is one page long. A field keeps its place for ever; new ones take room from `reserved`, which reads as
//! zero, so zero must mean "do nothing". A change that breaks this rule, or that an older shim would wrongly pass over,
//! raises [`VERSION`], and a shim leaves a page of another version alone.

use core::mem::size_of;
use core::sync::atomic::{AtomicI64, AtomicU64};

/// The environment variable that names the page's file.
pub const VARIABLE: &str = "STEADY_INTERPOSE";

/// What the file starts with.
pub const MAGIC: [u8; 8] = *b"steadyip";

/// The version of this layout.
pub const VERSION: u64 = 2;

/// Wall deadlines are distinguished by their size: fewer seconds than these (2001-09-09) count from the start of
/// the machine. The shifted clock may therefore not go below them.
pub const EARLIEST_WALL_SECOND: i64 = 1_000_000_000;

/// How many counters of starts there are. Programs whose names share a counter still differ by their names.
pub const STARTS: usize = 256;

/// The page.
#[repr(C)]
pub struct Page {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u64,
    /// Nanoseconds to add to the wall clock.
    pub wall_offset: AtomicI64,
    /// How many programs have mapped the page; each counts itself once, where it may write.
    pub programs: AtomicU64,
    /// Whether random numbers follow from `seed`: zero is no.
    pub seeded: AtomicU64,
    /// What random numbers follow from.
    pub seed: AtomicU64,
    /// Nanoseconds that a connection waits before it is made.
    pub connection_delay: AtomicU64,
    /// How many programs have mapped the page, by name: two of one name draw different numbers.
    pub starts: [AtomicU64; STARTS],
    /// Zero.
    pub reserved: [u8; 4096 - 56 - 8 * STARTS],
}

const _: () = assert!(size_of::<Page>() == 4096);

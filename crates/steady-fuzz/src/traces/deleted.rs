//! Things that the run deleted, by the address they had.

use steady_model::Method;
use xxhash_rust::xxh3::xxh3_64;

use super::half_life::HalfLife;
use super::says_absent;
use crate::execution::Executed;

/// Addresses in one half of the memory.
const MOST: usize = 25_000;

/// The addresses, by their hashes.
#[derive(Debug)]
pub struct Deleted(HalfLife<u64>);

impl Default for Deleted {
    fn default() -> Self {
        Self(HalfLife::new(MOST))
    }
}

impl Deleted {
    pub fn learn(&mut self, executed: &Executed) {
        if executed.request.method == Method::Delete {
            self.0.insert(xxh3_64(path(executed).as_bytes()));
        }
    }

    /// Whether one of these calls was refused at such an address, where none before it had changed anything.
    pub fn is_missed_in(&self, calls: &[Executed]) -> bool {
        calls.iter().enumerate().any(|(index, call)| {
            let touched = |before: &Executed| {
                before.succeeded() && !before.request.method.is_safe() && path(before) == path(call)
            };
            says_absent(call)
                && self.0.contains(&xxh3_64(path(call).as_bytes()))
                && !calls[..index].iter().any(touched)
        })
    }
}

fn path(executed: &Executed) -> &str {
    executed.request.target.split('?').next().unwrap_or_default()
}

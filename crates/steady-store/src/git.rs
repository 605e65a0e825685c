//! Caches git histories of projects.

use std::error::Error;
use std::time::Duration;

use jiff::Timestamp;
use steady_history::HistoryCache;

use crate::Store;

const NAMESPACE: &str = "git";
/// How long an unused answer is kept.
const MAX_AGE: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How much is kept, in bytes; the least recently used goes first.
const MAX_BYTES: u64 = 128 << 20;

/// A [`HistoryCache`] in a store; see [`Store::git_cache`].
#[derive(Debug)]
pub struct GitCache<'a> {
    store: &'a mut Store,
    now: Timestamp,
}

impl Store {
    /// A cache of git histories in this store.
    pub fn git_cache(&mut self, now: Timestamp) -> GitCache<'_> {
        GitCache { store: self, now }
    }
}

impl HistoryCache for GitCache<'_> {
    fn get(&mut self, key: &str) -> Result<Option<Vec<u8>>, Box<dyn Error + Send + Sync>> {
        Ok(self.store.cached(NAMESPACE, key, self.now)?)
    }

    fn put(&mut self, key: &str, content: &[u8]) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.store.keep(NAMESPACE, key, content, self.now)?;
        self.store.evict(NAMESPACE, MAX_AGE, MAX_BYTES, self.now)?;
        Ok(())
    }
}

//! The requests received, as many as fit.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::{Entry, lock};
use crate::mapping::StubId;
use crate::matching::Received;

/// How much a journal keeps; the oldest requests make room for new ones.
#[derive(Debug, Clone, Copy)]
pub struct JournalLimits {
    /// How many requests; 0 keeps none.
    pub requests: usize,
    /// How many bytes they take together.
    pub bytes: usize,
}

impl Default for JournalLimits {
    fn default() -> Self {
        Self { requests: 10_000, bytes: 16 << 20 }
    }
}

/// The requests received.
#[derive(Debug)]
pub struct Journal {
    limits: JournalLimits,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: VecDeque<Arc<Entry>>,
    bytes: usize,
    received: u64,
}

impl Journal {
    /// An empty journal.
    pub fn new(limits: JournalLimits) -> Self {
        Self { limits, kept: Mutex::default() }
    }

    pub(crate) fn add(&self, received: &Received, stub: Option<StubId>, status: u16) {
        if self.limits.requests == 0 {
            return;
        }
        let mut entry = Entry::new(0, received, stub, status);
        let mut kept = lock(&self.kept);
        kept.received += 1;
        entry.id = StubId::of_number(kept.received);
        kept.bytes += entry.size();
        kept.entries.push_back(Arc::new(entry));
        while kept.entries.len() > self.limits.requests
            || kept.bytes > self.limits.bytes && kept.entries.len() > 1
        {
            let oldest = kept.entries.pop_front();
            kept.bytes -= oldest.map_or(0, |oldest| oldest.size());
        }
    }

    /// The requests kept, the oldest first.
    pub fn entries(&self) -> Vec<Arc<Entry>> {
        lock(&self.kept).entries.iter().cloned().collect()
    }

    /// Forgets all requests, or those that `forget` names.
    pub fn clear(&self) {
        let mut kept = lock(&self.kept);
        kept.entries.clear();
        kept.bytes = 0;
    }

    /// Forgets some requests and returns them.
    pub fn remove(&self, forget: impl Fn(&Entry) -> bool) -> Vec<Arc<Entry>> {
        let mut kept = lock(&self.kept);
        let (gone, left): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut kept.entries).into_iter().partition(|entry| forget(entry));
        kept.bytes = left.iter().map(|entry| entry.size()).sum();
        kept.entries = left;
        gone.into()
    }

    /// Whether requests are kept at all.
    pub fn is_enabled(&self) -> bool {
        self.limits.requests > 0
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, Method};

    use super::*;
    use crate::matching::Scheme;

    fn received(body: usize) -> Received {
        let service = (Scheme::Http, Arc::from("a"), 80);
        let body = Bytes::from(vec![b'x'; body]);
        Received::new(Method::GET, service, "/".parse().unwrap(), HeaderMap::new(), body)
    }

    fn bodies(journal: &Journal) -> Vec<usize> {
        journal.entries().iter().map(|entry| entry.received().unwrap().body.len()).collect()
    }

    #[test]
    fn the_oldest_requests_make_room() {
        let journal = Journal::new(JournalLimits { requests: 3, bytes: 10_000 });
        for size in 1..=5 {
            journal.add(&received(size), None, 200);
        }
        assert_eq!(bodies(&journal), [3, 4, 5]);
        journal.add(&received(9_900), None, 200);
        assert_eq!(bodies(&journal), [9_900]);
        journal.add(&received(20_000), None, 200);
        assert_eq!(bodies(&journal), [20_000]);
        journal.add(&received(1), None, 200);
        assert_eq!(bodies(&journal), [1]);
    }
}

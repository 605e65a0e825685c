//! Where to ask for versions while others are still being found.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};

use crate::versions::files::BlobRequest;

/// So many are handed over together: to wake the reader for each costs more than to read it.
const TOGETHER: usize = 64;

/// Takes requests, each once.
pub(crate) struct BlobRequests {
    reader: Sender<Vec<BlobRequest>>,
    state: Mutex<State>,
}

struct State {
    /// The blobs that were asked for, whatever came of it.
    known: BTreeSet<String>,
    pending: Vec<BlobRequest>,
}

impl BlobRequests {
    /// A place to ask for all but those that are known, and where the requests arrive.
    pub(crate) fn new(known: BTreeSet<String>) -> (Self, Receiver<Vec<BlobRequest>>) {
        let (reader, asked) = mpsc::channel();
        (Self { reader, state: Mutex::new(State { known, pending: Vec::new() }) }, asked)
    }

    pub(crate) fn ask(&self, asked: BlobRequest) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.known.contains(&asked.blob) {
            state.known.insert(asked.blob.clone());
            state.pending.push(asked);
        }
        if state.pending.len() == TOGETHER {
            // The reader takes requests until there are no more.
            let _ = self.reader.send(std::mem::take(&mut state.pending));
        }
    }

    /// Hands over the last; gives back all that are known.
    pub(crate) fn finish(self) -> BTreeSet<String> {
        let State { known, pending } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let _ = self.reader.send(pending);
        known
    }
}

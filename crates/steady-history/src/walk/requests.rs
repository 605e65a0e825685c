//! The queue of versions to read.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};

use crate::versions::files::BlobRequest;

/// Requests are sent in groups: waking the reader for each costs more than reading it.
const TOGETHER: usize = 64;

/// Accepts requests, each blob once.
pub(crate) struct BlobRequests {
    reader: Sender<Vec<BlobRequest>>,
    state: Mutex<State>,
}

struct State {
    /// The blobs that were requested, found or not.
    known: BTreeSet<String>,
    pending: Vec<BlobRequest>,
}

impl BlobRequests {
    /// A queue that ignores the known blobs, and its receiving end.
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
            // The send fails only when the reader has stopped with an error, which its thread returns.
            let _ = self.reader.send(std::mem::take(&mut state.pending));
        }
    }

    /// Sends the remaining requests; returns all known blobs.
    pub(crate) fn finish(self) -> BTreeSet<String> {
        let State { known, pending } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let _ = self.reader.send(pending);
        known
    }
}

//! Where to ask for versions while others are still being found.

use std::cell::RefCell;
use std::sync::mpsc::{self, Receiver, Sender};

use crate::files::Asked;

/// So many are handed over together: to wake the reader for each costs more than to read it.
const TOGETHER: usize = 64;

/// Takes requests; the last are handed over when it is dropped.
pub(crate) struct Requests {
    reader: Sender<Vec<Asked>>,
    pending: RefCell<Vec<Asked>>,
}

impl Requests {
    /// A place to ask, and where the requests arrive.
    pub(crate) fn new() -> (Self, Receiver<Vec<Asked>>) {
        let (reader, asked) = mpsc::channel();
        (Self { reader, pending: RefCell::default() }, asked)
    }

    pub(crate) fn ask(&self, asked: Asked) {
        let mut pending = self.pending.borrow_mut();
        pending.push(asked);
        if pending.len() == TOGETHER {
            // The reader takes requests until there are no more.
            let _ = self.reader.send(std::mem::take(&mut pending));
        }
    }
}

impl Drop for Requests {
    fn drop(&mut self) {
        let _ = self.reader.send(self.pending.take());
    }
}

//! Other work on the processor, as long as a [`Load`] is held.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Busy threads; they end when it is dropped.
#[derive(Debug)]
pub struct Load {
    enough: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Keeps this many threads per core busy.
    pub fn per_core(threads: u32) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let enough = Arc::new(AtomicBool::new(false));
        let threads = (0..cores * threads as usize)
            .map(|_| {
                let enough = Arc::clone(&enough);
                thread::spawn(move || work(&enough))
            })
            .collect();
        Self { enough, threads }
    }
}

fn work(enough: &AtomicBool) {
    let mut number = 1_u64;
    while !enough.load(Ordering::Relaxed) {
        for _ in 0..10_000 {
            number = black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A thread that only multiplies cannot panic.
            let _ = thread.join();
        }
    }
}

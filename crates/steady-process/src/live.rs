//! The runs of this process that have not ended.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::process::Pid;

use crate::system::{self, Reaped};
use crate::tree;

static LIVE: Mutex<Live> = Mutex::new(Live { starting: 0, runs: BTreeMap::new(), leaving: false });

/// The runs, by the id of the process that was started. It is not reaped before its run has left the list, so the id cannot be
/// another's.
#[derive(Debug)]
pub(crate) struct Live {
    /// Runs whose process may exist already but is not in the list yet.
    pub(crate) starting: usize,
    /// The mark of each run.
    pub(crate) runs: BTreeMap<i32, String>,
    /// Whether everything is being killed because this process exits.
    leaving: bool,
}

/// The list, locked.
pub(crate) fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One run on the list.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) pid: Pid,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "environments are read on Linux only"))]
    pub(crate) mark: String,
}

impl Run {
    /// Starts a process and puts it on the list, with nobody able to see it in between.
    pub(crate) fn start<T>(
        mark: String,
        start: impl FnOnce() -> io::Result<(Pid, T)>,
    ) -> io::Result<(Self, T)> {
        live().starting += 1;
        let started = start();
        let mut live = live();
        live.starting -= 1;
        let (pid, result) = started?;
        live.runs.insert(pid.as_raw_pid(), mark.clone());
        Ok((Self { pid, mark }, result))
    }

    /// Takes the status of the first process and takes the run off the list. Both at once: nobody on the list is without its
    /// process, and nobody else reaps it.
    ///
    /// When this process exits without waiting, nobody hears of an end any more: they would tell of it, or end first, with another status.
    pub(crate) fn reap(&self) -> Option<Reaped> {
        let mut live = live();
        if live.leaving {
            drop(live);
            loop {
                thread::park();
            }
        }
        live.runs.remove(&self.pid.as_raw_pid());
        system::reap(self.pid)
    }
}

/// Kills everything at once, before this process exits without waiting.
pub(crate) fn kill_everything() {
    let runs: Vec<Run> = {
        let mut live = live();
        live.leaving = true;
        let pids = live.runs.iter().filter_map(|(pid, mark)| Some((Pid::from_raw(*pid)?, mark.clone())));
        pids.map(|(pid, mark)| Run { pid, mark }).collect()
    };
    for run in &runs {
        tree::kill_now(run);
    }
}

//! The runs of this process that have not ended.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::system::{self, Reaped};
use crate::tree;

/// How long processes are looked for that were just killed, before this process exits.
const LAST_LOOK: Duration = Duration::from_millis(300);
/// How often.
const LOOK_EVERY: Duration = Duration::from_millis(2);

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
pub(crate) struct LiveProcess {
    pub(crate) pid: Pid,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "environments are read on Linux only"))]
    pub(crate) mark: String,
}

impl LiveProcess {
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

/// Kills everything at once, before this process exits without waiting for its own work.
pub(crate) fn kill_everything() {
    live().leaving = true;
    let until = Instant::now() + LAST_LOOK;
    // A process whose parent ends while it is looked for comes to us after our children were listed, and is no longer below its parent: one
    // look may miss it, the next does not.
    let mut empty = 0;
    while empty < 2 && Instant::now() < until {
        empty = if kill_running() == 0 { empty + 1 } else { 0 };
        thread::sleep(LOOK_EVERY);
    }
}

/// Kills what runs now, and says how many processes that were. Whoever waits for them hears of their end.
pub(crate) fn kill_running() -> usize {
    let runs: Vec<LiveProcess> = {
        let live = live();
        let pids = live.runs.iter().filter_map(|(pid, mark)| Some((Pid::from_raw(*pid)?, mark.clone())));
        pids.map(|(pid, mark)| LiveProcess { pid, mark }).collect()
    };
    // One that was reaped in the meantime has an id that may be another's by now.
    let is_listed = |run: &&LiveProcess| live().runs.contains_key(&run.pid.as_raw_pid());
    runs.iter().filter(is_listed).map(tree::kill_now).sum()
}

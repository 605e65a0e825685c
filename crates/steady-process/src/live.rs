//! The live processes: commands of this process that have not ended.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::system::{self, Reaped};
use crate::tree;

/// How long to look for processes that were just killed, before this process exits.
const LAST_LOOK: Duration = Duration::from_millis(300);
/// How often.
const LOOK_EVERY: Duration = Duration::from_millis(2);

static LIVE: Mutex<Live> = Mutex::new(Live { starting: 0, runs: BTreeMap::new(), leaving: false });

/// The live processes, by process id. A process is not reaped before it has left the list, so its id cannot belong to
/// another.
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

/// An entry of the list.
#[derive(Debug, Clone)]
pub(crate) struct LiveProcess {
    pub(crate) pid: Pid,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "environments are read on Linux only"))]
    pub(crate) mark: String,
}

impl LiveProcess {
    /// Starts a process and adds it to the list; no other thread sees the state in between.
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

    /// Reaps the first process and removes its entry. Both under one lock: every entry has its process, and nothing else
    /// reaps it.
    ///
    /// While this process exits without waiting, ends are no longer reported: a caller would report them, or exit first with another status.
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
    // A process whose parent dies during the survey is re-parented to this process after its children were listed, so one survey may miss it; the
    // next one finds it.
    let mut empty = 0;
    while empty < 2 && Instant::now() < until {
        empty = if kill_running() == 0 { empty + 1 } else { 0 };
        thread::sleep(LOOK_EVERY);
    }
}

/// Kills what runs now; returns how many processes that were. Callers that wait for them see their end.
pub(crate) fn kill_running() -> usize {
    let runs: Vec<LiveProcess> = {
        let live = live();
        let pids = live.runs.iter().filter_map(|(pid, mark)| Some((Pid::from_raw(*pid)?, mark.clone())));
        pids.map(|(pid, mark)| LiveProcess { pid, mark }).collect()
    };
    // A process that was reaped meanwhile has an id that another may use.
    let is_listed = |run: &&LiveProcess| live().runs.contains_key(&run.pid.as_raw_pid());
    runs.iter().filter(is_listed).map(tree::kill_now).sum()
}

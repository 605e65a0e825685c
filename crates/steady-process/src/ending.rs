//! Ends processes: SIGTERM first, then SIGKILL.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::processes::{Handle, Process};

/// How long a killed process may take to go. Only one that hangs in the kernel needs longer, and it may need forever.
const KILL_LIMIT: Duration = Duration::from_secs(5);
/// How many processes are waited for at a time: each takes a file descriptor.
const MOST_HANDLES: usize = 64;

/// Ends every process that `survey` finds, repeatedly, until it finds none: SIGTERM, after `grace` SIGKILL.
/// Returns how many are left, because they belong to another user or hang in the kernel.
pub(crate) fn end_all(
    mut survey: impl FnMut() -> Vec<Process>,
    mut group: Option<Pid>,
    grace: Duration,
) -> usize {
    let polite_until = Instant::now() + grace;
    let mut asked = BTreeSet::new();
    while Instant::now() < polite_until {
        let mut living = survey();
        if living.is_empty() {
            return 0;
        }
        let mut handles = Vec::new();
        // The group is signalled once: some programs take a second SIGTERM as an order to exit without cleaning up.
        let in_group = group.take().map(|group| {
            let _ = kill_process_group(group, Signal::TERM);
            let _ = kill_process_group(group, Signal::CONT);
            group.as_raw_pid()
        });
        living.sort_by_key(|process| process.start);
        for process in living {
            let Some(handle) = Handle::open(&process) else { continue };
            if asked.insert((process.pid, process.start)) && Some(process.group) != in_group {
                handle.signal(Signal::TERM);
                // A stopped process receives the signal only when it continues.
                handle.signal(Signal::CONT);
            }
            keep(&mut handles, handle);
        }
        wait_for(&handles, polite_until);
    }
    kill_all(survey)
}

/// Kills every process that `survey` finds, until it finds only those that cannot be killed.
fn kill_all(mut survey: impl FnMut() -> Vec<Process>) -> usize {
    let until = Instant::now() + KILL_LIMIT;
    let mut untouchable = BTreeSet::new();
    loop {
        let mut living = survey();
        living.retain(|process| !untouchable.contains(&(process.pid, process.start)));
        if living.is_empty() || Instant::now() >= until {
            return living.len() + untouchable.len();
        }
        let mut handles = Vec::new();
        for process in living {
            let Some(handle) = Handle::open(&process) else { continue };
            if handle.signal(Signal::KILL) {
                keep(&mut handles, handle);
            } else {
                untouchable.insert((process.pid, process.start));
            }
        }
        wait_for(&handles, until);
    }
}

/// Waits for processes that may end by themselves.
pub(crate) fn wait_for_all(processes: &[Process], until: Instant) {
    let handles: Vec<_> = processes.iter().filter_map(Handle::open).take(MOST_HANDLES).collect();
    wait_for(&handles, until);
}

/// Kills without waiting, for when there is no time left.
pub(crate) fn kill_now(processes: &[Process]) {
    for handle in processes.iter().filter_map(Handle::open) {
        handle.signal(Signal::KILL);
    }
}

fn keep(handles: &mut Vec<Handle>, handle: Handle) {
    if handles.len() < MOST_HANDLES {
        handles.push(handle);
    }
}

fn wait_for(handles: &[Handle], until: Instant) {
    for handle in handles {
        handle.wait(until);
    }
}

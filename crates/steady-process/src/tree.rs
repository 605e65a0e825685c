//! All processes of a run, including those that left its group or session.
//!
//! This process is a subreaper: a process that loses its parent is re-parented to it instead of init. The processes of a run are
//! therefore descendants of its first process or children of this process; of the latter, a run owns those in its session and those with its mark
//! in their environment. A child with neither (it left the session and cleared its environment) cannot be assigned to a run:
//! it is ended with the last one. Children started by other code of this process share its session and are not touched; that code must not
//! give them a session of their own.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid};

use crate::ending;
use crate::live::{LiveProcess, live};
use crate::processes::{Process, children};

/// Whether [`left_running`] can see them.
pub(crate) const SEES_LEFT_RUNNING: bool = true;

/// Makes this process adopt orphans.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// How long the children of a command that has exited may take to follow it.
const SETTLE: Duration = Duration::from_millis(50);

/// Names of the processes that are left when the first one has exited. Those about to end get the time for it.
pub(crate) fn left_running(run: &LiveProcess) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let living = survey(run, &mut seen);
    if living.is_empty() {
        return Vec::new();
    }
    ending::wait_for_all(&living, Instant::now() + SETTLE);
    survey(run, &mut seen).into_iter().map(|process| process.name).collect()
}

/// Ends all processes of a run. The first one stays a zombie, for its status. Returns how many could not be ended.
pub(crate) fn end(run: &LiveProcess, grace: Duration) -> usize {
    let mut seen = BTreeSet::new();
    ending::end_all(|| survey(run, &mut seen), Some(run.pid), grace)
}

/// The living processes of a run that do not carry its mark, by id and start time.
pub(crate) fn unmarked(run: &LiveProcess) -> Vec<(i32, u64)> {
    let living = survey(run, &mut BTreeSet::new());
    let unmarked = living.into_iter().filter(|process| !has_mark(process, &run.mark));
    unmarked.map(|process| (process.pid, process.start)).collect()
}

/// Kills all processes of a run without waiting for their end, and says how many there were.
pub(crate) fn kill_now(run: &LiveProcess) -> usize {
    let living = survey(run, &mut BTreeSet::new());
    ending::kill_now(&living);
    living.len()
}

/// The live processes of a run; `seen` collects them across surveys. Reaps adopted children that have ended.
fn survey(run: &LiveProcess, seen: &mut BTreeSet<i32>) -> Vec<Process> {
    let mut found: Vec<Process> = Process::read(run.pid.as_raw_pid()).into_iter().collect();
    found.extend(adopted(run, seen));
    let mut visited: BTreeSet<i32> = found.iter().map(|process| process.pid).collect();
    let mut next = 0;
    while next < found.len() {
        for child in children(found[next].pid) {
            if visited.insert(child) {
                found.extend(Process::read(child));
            }
        }
        next += 1;
    }
    found.retain(Process::is_alive);
    seen.extend(found.iter().map(|process| process.pid));
    found
}

/// Our own children that belong to the run, except its first.
fn adopted(run: &LiveProcess, seen: &mut BTreeSet<i32>) -> Vec<Process> {
    let first = run.pid.as_raw_pid();
    let us = getpid().as_raw_pid();
    // The session id is 0 when the session began outside of our container; rustix's getsid rejects that value.
    let our_session = Process::read(us).map_or(0, |process| process.session);
    let live = live();
    let alone = live.starting == 0 && live.runs.keys().all(|pid| *pid == first);
    let mut ours = Vec::new();
    for child in children(us) {
        if live.runs.contains_key(&child) {
            continue;
        }
        let Some(process) = Process::read(child).filter(|process| process.session != our_session) else {
            continue;
        };
        if process.is_zombie() {
            // A child that is being started is reaped by the code that starts it, if the start fails.
            if process.session == first || seen.remove(&child) || live.starting == 0 {
                reap(child);
            }
        } else if alone || process.session == first || has_mark(&process, &run.mark) {
            ours.push(process);
        }
    }
    ours
}

fn has_mark(process: &Process, mark: &str) -> bool {
    process.mark().is_some_and(|value| value.split(|byte| *byte == b':').any(|part| part == mark.as_bytes()))
}

fn reap(zombie: i32) {
    if let Some(pid) = Pid::from_raw(zombie) {
        // If it is already gone, another thread was faster.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

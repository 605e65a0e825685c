//! The processes of a run where there is neither `/proc` nor a subreaper: only those that stayed in its group.

use std::io;
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::exit_notice::exit_notice;
use crate::live::LiveProcess;
use crate::poll::wait_readable;

/// Whether [`left_running`] can see them.
pub(crate) const SEES_LEFT_RUNNING: bool = false;

/// Orphans go to init here.
#[expect(clippy::unnecessary_wraps, reason = "it can fail where there is something to do")]
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// The members of a group cannot be listed.
pub(crate) fn left_running(_run: &LiveProcess) -> Vec<String> {
    Vec::new()
}

/// Environments are not read here.
pub(crate) fn unmarked(_run: &LiveProcess) -> Vec<(i32, u64)> {
    Vec::new()
}

/// Ends the group of a run. The first process stays a zombie, for its status. Says how many could not be ended.
pub(crate) fn end(run: &LiveProcess, grace: Duration) -> usize {
    let _ = kill_process_group(run.pid, Signal::TERM);
    if let Ok(notice) = exit_notice(run.pid) {
        use std::os::fd::AsFd as _;
        wait_readable(&[notice.as_fd()], Some(Instant::now() + grace));
    }
    let _ = kill_now(run);
    let ended = waitid(WaitId::Pid(run.pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    usize::from(ended.is_err())
}

/// Kills the group of a run. The number of processes is unknown, so they are not searched again.
pub(crate) fn kill_now(run: &LiveProcess) -> usize {
    let _ = kill_process_group(run.pid, Signal::KILL);
    0
}

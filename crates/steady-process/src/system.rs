//! The two places that need `unsafe`: code between fork and exec, and the wait that returns memory use.

use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus};

use rustix::process::{Pid, nice, setsid};

/// Makes the command start in a session of its own and end when this process is killed.
///
/// A session rather than a group: the command cannot take over the terminal, and a Ctrl-C there reaches only this process.
#[expect(unsafe_code, reason = "nothing safe runs code between fork and exec")]
pub(crate) fn prepare(command: &mut Command, niceness: Option<i32>, busy_threads: Option<u32>) {
    let owner = rustix::process::getpid();
    let session_niceness = busy_threads.map(|threads| niceness_beside(threads).to_string().into_bytes());
    let hook = move || {
        setsid()?;
        if let Some(niceness) = &session_niceness {
            share_less(niceness);
        }
        die_with(owner)?;
        if let Some(niceness) = niceness {
            nice(niceness)?;
        }
        Ok(())
    };
    // SAFETY: after fork only async-signal-safe calls are allowed. The hook makes plain system calls through rustix, allocates
    // nothing, takes no lock and captures only numbers and the bytes of one.
    unsafe { command.pre_exec(hook) };
}

/// The niceness that leaves a session the part of one thread beside this many: each step is a part of 1.25 less (`sched(7)`).
fn niceness_beside(threads: u32) -> u32 {
    let steps = f64::from(threads.max(1)).ln() / 1.25_f64.ln();
    (steps.round() as u32).min(19)
}

/// Sets the niceness of the whole session where Linux shares the processor between sessions. Elsewhere there is nothing to set.
fn share_less(niceness: &[u8]) {
    let file =
        rustix::fs::open(c"/proc/self/autogroup", rustix::fs::OFlags::WRONLY, rustix::fs::Mode::empty());
    if let Ok(file) = file {
        // Linux refuses a second change within a tenth of a second; the run then feels less load.
        let _ = rustix::io::write(file, niceness);
    }
}

/// SIGTERM rather than SIGKILL: runners pass it on to what they started.
#[cfg(target_os = "linux")]
fn die_with(owner: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    // The owner may have died before the request was made.
    if rustix::process::getppid() != Some(owner) {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with(_owner: Pid) -> io::Result<()> {
    Ok(())
}

/// How a child ended.
pub(crate) struct Reaped {
    pub(crate) status: ExitStatus,
    /// Bytes.
    pub(crate) max_memory: u64,
}

/// Reaps a child of this process that has ended. `None` when it still runs, or is no longer a child.
#[expect(unsafe_code, reason = "rustix has no wait that fills in the resource usage")]
pub(crate) fn reap(child: Pid) -> Option<Reaped> {
    let mut status = 0;
    // SAFETY: `rusage` is plain numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to locals that live through the call.
    let pid = unsafe { libc::wait4(child.as_raw_pid(), &raw mut status, libc::WNOHANG, &raw mut usage) };
    // Linux counts in KiB, macOS in bytes.
    let unit = if cfg!(target_os = "linux") { 1024 } else { 1 };
    let max_memory = u64::try_from(usage.ru_maxrss).unwrap_or(0) * unit;
    (pid == child.as_raw_pid()).then(|| Reaped { status: ExitStatus::from_raw(status), max_memory })
}

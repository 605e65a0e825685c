//! Child processes that end with the benchmark.
//!
//! Each child leads a process group of its own, so everything it starts ends with it: when its [`Running`] is
//! dropped, or when the benchmark itself is interrupted.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpid};
use tokio::signal::unix::{SignalKind, signal};

use crate::step::written;

/// Groups that have not ended yet.
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// How often a child is looked at; far below anything measured here.
const POLL: Duration = Duration::from_millis(25);
/// How long a child may take to end when asked to.
const GRACE: Duration = Duration::from_secs(4);

/// A child process and its group.
#[derive(Debug)]
pub struct Running {
    child: Child,
    group: Pid,
    log: PathBuf,
    started: Instant,
    peak_memory: u64,
}

/// How a child ended by itself.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// How long it ran.
    pub seconds: f64,
    /// The most memory it held, in bytes.
    pub peak_memory: u64,
}

impl Running {
    /// Starts a command whose output goes to `log`.
    pub fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let output = File::create(log).with_context(|| format!("could not create {}", log.display()))?;
        let errors = output.try_clone().with_context(|| format!("could not share {}", log.display()))?;
        command.stdin(Stdio::null()).stdout(output).stderr(errors).process_group(0);
        // Held until the group is known: a signal must not arrive in between.
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn().with_context(|| format!("could not start `{}`", written(command)))?;
        let group = Pid::from_child(&child);
        groups.push(group);
        Ok(Self { child, group, log: log.to_path_buf(), started: Instant::now(), peak_memory: 0 })
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        self.peak_memory = self.peak_memory.max(peak_memory(self.child.id()).unwrap_or(0));
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for it to end by itself; ends it and fails when that takes longer than `limit`.
    pub fn wait(mut self, limit: Duration) -> Result<Ended> {
        while self.is_alive() {
            if self.started.elapsed() > limit {
                bail!("did not end within {} s; {}", limit.as_secs(), last_words(&self.log));
            }
            thread::sleep(POLL);
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let status = self.child.wait().context("could not wait for a child process")?;
        Ok(Ended { code: status.code(), seconds, peak_memory: self.peak_memory })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Errors mean that the group is gone already, which is what is wanted.
        let _ = kill_process_group(self.group, Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(POLL);
        }
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.wait();
        groups.retain(|group| *group != self.group);
    }
}

/// The end of a child's output, for error messages.
pub fn last_words(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    format!("{}:\n{}", log.display(), lines[lines.len().saturating_sub(8)..].join("\n"))
}

/// From now on, an interrupted benchmark takes its children with it.
pub fn end_all_on_signals() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("could not set up signal handling")?;
    let guard = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt()).context("could not listen for SIGINT")?;
    let mut terminate = signal(SignalKind::terminate()).context("could not listen for SIGTERM")?;
    let mut hang_up = signal(SignalKind::hangup()).context("could not listen for SIGHUP")?;
    drop(guard);
    thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            }
        });
        let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        for group in groups.iter() {
            let _ = kill_process_group(*group, Signal::KILL);
            let _ = waitpid(Some(*group), WaitOptions::empty());
        }
        eprintln!("interrupted");
        std::process::exit(130);
    });
    Ok(())
}

/// The high-water mark of a process's resident memory, where the system reports it.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell that starts a grandchild, says its process id and waits for it.
    fn family(log: &Path) -> (Running, i32) {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; sleep 600 & echo $!; wait"]);
        let running = Running::start(&mut command, log).unwrap();
        loop {
            let text = fs::read_to_string(log).unwrap();
            if let Some(line) = text.strip_suffix('\n') {
                return (running, line.parse().unwrap());
            }
            thread::yield_now();
        }
    }

    fn is_there(process: i32) -> bool {
        // A dead process that its parent has not reaped yet counts as gone.
        fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[test]
    fn a_dropped_child_takes_its_own_children_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let (running, grandchild) = family(&folder.path().join("log"));
        drop(running);
        // A killed process is gone a moment later, when the system gets to it.
        let limit = Instant::now() + Duration::from_secs(60);
        while is_there(grandchild) {
            assert!(Instant::now() < limit, "process {grandchild} is still there");
            thread::yield_now();
        }
    }

    #[test]
    fn a_child_that_does_not_end_in_time_is_an_error_naming_its_output() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let (running, _) = family(&log);
        let error = running.wait(Duration::ZERO).unwrap_err().to_string();
        assert!(error.contains(&*log.to_string_lossy()), "{error}");
    }

    #[test]
    fn the_exit_code_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let running =
            Running::start(Command::new("sh").args(["-c", "exit 3"]), &folder.path().join("log")).unwrap();
        assert_eq!(running.wait(Duration::from_secs(60)).unwrap().code, Some(3));
    }
}

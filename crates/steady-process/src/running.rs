//! A command between its start and its end.

use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cancel::Cancel;
use crate::finished::{Exit, Finished};
use crate::live::LiveProcess;
use crate::output::Output;
use crate::poll::wait_readable;
use crate::ports::Ports;
use crate::reader::Reader;
use crate::tree;

/// A running command. Dropping it ends it, with everything it started.
#[derive(Debug)]
pub struct Running {
    pub(crate) run: LiveProcess,
    /// Readable when the first process has ended.
    pub(crate) notice: OwnedFd,
    pub(crate) reader: Reader,
    pub(crate) started: Instant,
    pub(crate) ports: Arc<Ports>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) ended: bool,
}

impl Running {
    /// The id of the process that was started; also the id of its group and session.
    pub fn pid(&self) -> u32 {
        self.run.pid.as_raw_pid().unsigned_abs()
    }

    /// What `{port}`, `{port1}`… stand for.
    pub fn ports(&self) -> &[u16] {
        self.ports.numbers()
    }

    /// Waits for the command's exit until the deadline; returns whether it exited. The timeout and leftover processes are
    /// ignored: this is for servers, which should not exit.
    pub fn exits_before(&self, deadline: Instant) -> bool {
        wait_readable(&[self.notice.as_fd()], Some(deadline))[0]
    }

    /// What the command printed so far.
    pub fn output_so_far(&self) -> Output {
        self.reader.so_far()
    }

    /// Id and start time of its processes whose environment does not say that they are its own.
    pub(crate) fn unmarked(&self) -> Vec<(i32, u64)> {
        tree::unmarked(&self.run)
    }

    /// Waits for the end of the command, its timeout or cancellation, and ends what is still running then.
    pub fn wait(mut self, cancel: &Cancel) -> Finished {
        let deadline = self.timeout.and_then(|timeout| self.started.checked_add(timeout));
        let ready = wait_readable(&[self.notice.as_fd(), cancel.as_fd()], deadline);
        let reason = match ready.as_slice() {
            [true, _] => None,
            [_, true] => Some(Exit::Stopped),
            _ => Some(Exit::TimedOut),
        };
        self.finish(reason, self.grace)
    }

    /// Ends the command: SIGTERM, and SIGKILL when it is still there after `grace`.
    pub fn stop(mut self, grace: Duration) -> Finished {
        self.finish(Some(Exit::Stopped), grace)
    }

    /// Ends everything and gathers what is known. Without a reason the command has exited by itself.
    fn finish(&mut self, reason: Option<Exit>, grace: Duration) -> Finished {
        self.ended = true;
        let duration = self.started.elapsed();
        let left_running = if reason.is_none() { tree::left_running(&self.run) } else { Vec::new() };
        // Where leftover processes cannot be listed, they are ended anyway.
        let anything = reason.is_some() || !left_running.is_empty() || !tree::SEES_LEFT_RUNNING;
        let survivors = if anything { tree::end(&self.run, grace) } else { 0 };
        let output = self.reader.finish();
        let reaped = self.run.reap();
        let own = reaped.as_ref().map(|reaped| exit_of(reaped.status));
        Finished {
            // Without a reason there is a status: the notice came.
            exit: reason.or(own).unwrap_or(Exit::Stopped),
            output,
            duration,
            max_memory: reaped.map_or(0, |reaped| reaped.max_memory),
            left_running,
            survivors,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            self.finish(Some(Exit::Stopped), self.grace);
        }
    }
}

fn exit_of(status: ExitStatus) -> Exit {
    status.code().map_or_else(|| Exit::Signal(status.signal().unwrap_or(0)), Exit::Code)
}

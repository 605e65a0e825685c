//! What `/proc` says about processes.

use std::fs;
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use crate::owner::RUN_VARIABLE;
use crate::poll::wait_readable;

/// Larger environments cannot be given to a process.
const LARGEST_ENVIRONMENT: u64 = 8 * 1024 * 1024;
/// How long a process may take to become another program, on a machine with much to do.
const EXEC: Duration = Duration::from_secs(1);

/// A process as it was a moment ago.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// In clock ticks since boot; identifies a process together with its id.
    pub(crate) start: u64,
    /// The first 15 bytes of the program's name.
    pub(crate) name: String,
    state: char,
}

impl Process {
    /// `None` when there is no such process.
    pub(crate) fn read(pid: i32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::parse(pid, &String::from_utf8_lossy(&stat))
    }

    /// The name stands in parentheses and may contain any byte, so the fields are counted from the last one.
    fn parse(pid: i32, stat: &str) -> Option<Self> {
        let (head, fields) = stat.rsplit_once(')')?;
        let (_, name) = head.split_once('(')?;
        let mut fields = fields.split_ascii_whitespace();
        let state = fields.next()?.chars().next()?;
        let mut number = || fields.next()?.parse::<i64>().ok();
        let parent = i32::try_from(number()?).ok()?;
        let group = i32::try_from(number()?).ok()?;
        let session = i32::try_from(number()?).ok()?;
        let start = fields.nth(15)?.parse().ok()?;
        Some(Self { pid, parent, group, session, start, name: name.to_owned(), state })
    }

    /// Whether it still runs; a zombie does not.
    pub(crate) fn is_alive(&self) -> bool {
        !self.is_zombie() && self.state != 'X'
    }

    pub(crate) fn is_zombie(&self) -> bool {
        self.state == 'Z'
    }

    /// The value of [`RUN_VARIABLE`] it was started with. Some programs overwrite their environment with a title.
    pub(crate) fn mark(&self) -> Option<Vec<u8>> {
        let environment = self.environment()?;
        let entries = environment.split(|byte| *byte == 0);
        let mut values = entries
            .filter_map(|entry| entry.strip_prefix(RUN_VARIABLE.as_bytes())?.strip_prefix(b"="))
            .map(<[u8]>::to_vec);
        values.next()
    }

    /// Its environment as `/proc` shows it. During exec a process has neither environment nor arguments
    /// for a moment; it is read again until it has.
    fn environment(&self) -> Option<Vec<u8>> {
        let deadline = Instant::now() + EXEC;
        loop {
            let environment = self.bytes("environ")?;
            let is_between =
                environment.is_empty() && self.bytes("cmdline")?.is_empty() && self.has_program();
            if !is_between || Instant::now() > deadline || !Self::read(self.pid)?.is_alive() {
                return Some(environment);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Threads of the kernel have none.
    fn has_program(&self) -> bool {
        fs::read_link(format!("/proc/{}/exe", self.pid)).is_ok()
    }

    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = fs::File::open(format!("/proc/{}/{name}", self.pid)).ok()?;
        file.take(LARGEST_ENVIRONMENT).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// Every process there is.
pub(crate) fn all() -> Vec<i32> {
    numbers_in("/proc")
}

/// The children of a process, zombies included.
pub(crate) fn children(pid: i32) -> Vec<i32> {
    let mut found = Vec::new();
    for thread in numbers_in(&format!("/proc/{pid}/task")) {
        match fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")) {
            Ok(listed) => found.extend(listed.split_ascii_whitespace().flat_map(str::parse::<i32>)),
            // Some kernels are built without this file; when only the thread has gone, it has no children.
            Err(_)
                if fs::exists(format!("/proc/self/task/{}/children", std::process::id()))
                    .unwrap_or(false) => {}
            Err(_) => {
                let processes = all().into_iter().filter_map(Process::read);
                return processes
                    .filter(|process| process.parent == pid)
                    .map(|process| process.pid)
                    .collect();
            }
        }
    }
    found
}

fn numbers_in(folder: &str) -> Vec<i32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// A process that can be signalled without hitting another one that got its id.
#[derive(Debug)]
pub(crate) struct Handle {
    pid: Pid,
    fd: Option<OwnedFd>,
}

impl Handle {
    /// `None` when the process has gone.
    pub(crate) fn open(process: &Process) -> Option<Self> {
        let pid = Pid::from_raw(process.pid)?;
        let fd = match pidfd_open(pid, PidfdFlags::empty()) {
            Err(Errno::SRCH) => return None,
            fd => fd.ok(),
        };
        // The descriptor is for the process that has the id now: it must still be the one that was seen.
        let now = Process::read(process.pid)?;
        (now.start == process.start && now.is_alive()).then_some(Self { pid, fd })
    }

    /// Whether the signal could be sent. Not to a process of another user, such as one started by sudo.
    pub(crate) fn signal(&self, signal: Signal) -> bool {
        let sent = match &self.fd {
            Some(fd) => pidfd_send_signal(fd, signal),
            None => kill_process(self.pid, signal),
        };
        sent != Err(Errno::PERM)
    }

    /// Waits for its end.
    pub(crate) fn wait(&self, deadline: Instant) {
        match &self.fd {
            Some(fd) => wait_readable(&[fd.as_fd()], Some(deadline)),
            // Before Linux 5.3 there is no notification for a process that is not a child.
            None => wait_readable(&[], Some(deadline.min(Instant::now() + Duration::from_millis(5)))),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_parentheses_and_spaces() {
        let stat = "7 (a) (b) S) R 1 2 3 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";
        let process = Process::parse(7, stat).unwrap();
        assert_eq!(
            (process.parent, process.group, process.session, process.start, process.name.as_str()),
            (1, 2, 3, 4711, "a) (b) S")
        );
        assert!(process.is_alive());
    }

    #[test]
    fn a_broken_line_is_no_process() {
        for stat in ["", "7", "7 (a", "7 (a)", "7 (a) S", "7 (a) S 1 2", "7 (a) S x y z"] {
            assert_eq!(Process::parse(7, stat), None, "{stat}");
        }
    }

    #[test]
    fn a_child_is_found_by_its_parent_and_a_reused_id_is_not_opened() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        assert!(children(i32::try_from(std::process::id()).unwrap()).contains(&pid));
        let process = Process::read(pid).unwrap();
        assert!(Handle::open(&process).is_some());
        let earlier = Process { start: process.start - 1, ..process };
        assert!(Handle::open(&earlier).is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

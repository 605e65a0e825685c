//! A file descriptor that becomes readable when a child has ended. It does not reap the child.

use std::io;
use std::os::fd::OwnedFd;
use std::thread;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// A pidfd where the kernel has them (Linux 5.3), else a thread that waits.
pub(crate) fn exit_notice(child: Pid) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    if let Ok(notice) = rustix::process::pidfd_open(child, rustix::process::PidfdFlags::empty()) {
        return Ok(notice);
    }
    waiting_thread(child)
}

fn waiting_thread(child: Pid) -> io::Result<OwnedFd> {
    let (reader, writer) = io::pipe()?;
    thread::Builder::new().name("steady-wait".to_owned()).spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(child), options), Err(rustix::io::Errno::INTR)) {}
        drop(writer);
    })?;
    Ok(reader.into())
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd as _;
    use std::process::Command;

    use super::*;
    use crate::poll::wait_readable;

    #[test]
    fn both_kinds_tell_the_end_and_leave_the_status() {
        for notice in [exit_notice, waiting_thread] {
            let mut child = Command::new("sh").args(["-c", "exit 5"]).spawn().unwrap();
            let notice = notice(Pid::from_child(&child)).unwrap();
            assert_eq!(wait_readable(&[notice.as_fd()], None), [true]);
            assert_eq!(child.wait().unwrap().code(), Some(5));
        }
    }
}

//! Waiting for file descriptors, with a deadline.

use std::os::fd::BorrowedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Waits until a descriptor can be read or is closed, and returns which; none at the deadline.
pub(crate) fn wait_readable(fds: &[BorrowedFd<'_>], deadline: Option<Instant>) -> Vec<bool> {
    let mut polled: Vec<_> = fds.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        // A timeout beyond the kernel's type means no timeout.
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut polled, timeout.as_ref()) {
            Err(Errno::INTR) => {}
            // Out of memory is the only other way to fail; to the caller nothing is readable.
            Err(_) => return vec![false; fds.len()],
            Ok(_) => return polled.iter().map(|fd| !fd.revents().is_empty()).collect(),
        }
    }
}

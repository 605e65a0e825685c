//! The few calls to the system that the standard library does not have.

#![expect(unsafe_code, reason = "a page shared with other processes, and questions that only libc can ask")]

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr::{self, NonNull};

use crate::layout::Page;

/// A page that other processes map as well.
#[derive(Debug)]
pub(crate) struct SharedPage {
    start: NonNull<Page>,
}

// SAFETY: a mapping belongs to the process, not to a thread.
unsafe impl Send for SharedPage {}
// SAFETY: what changes in a page is atomic.
unsafe impl Sync for SharedPage {}

impl SharedPage {
    /// Maps a file that is as long as a page.
    pub(crate) fn map(file: &File) -> io::Result<Self> {
        if file.metadata()?.len() != size_of::<Page>() as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let descriptor = file.as_raw_fd();
        // SAFETY: a new mapping at a place of the kernel's choice disturbs nothing.
        let start = unsafe {
            libc::mmap(ptr::null_mut(), size_of::<Page>(), access, libc::MAP_SHARED, descriptor, 0)
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        NonNull::new(start.cast())
            .map(|start| Self { start })
            .ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    pub(crate) fn get(&self) -> &Page {
        // SAFETY: mapped and aligned until dropped; any bytes are a valid page, and what changes in it is atomic.
        unsafe { self.start.as_ref() }
    }
}

impl Drop for SharedPage {
    fn drop(&mut self) {
        // SAFETY: our mapping, which has no borrows left.
        unsafe { libc::munmap(self.start.as_ptr().cast(), size_of::<Page>()) };
    }
}

/// The user and the group that this process acts as.
pub(crate) fn effective_user_and_group() -> (u32, u32) {
    // SAFETY: neither call has conditions.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

/// Whether a file gives capabilities to the program in it.
pub(crate) fn has_capabilities(file: &Path) -> bool {
    const ATTRIBUTE: &CStr = c"security.capability";
    let Ok(file) = CString::new(file.as_os_str().as_bytes()) else { return false };
    #[cfg(target_os = "linux")]
    // SAFETY: both texts end with a zero; without room for the value, only its length is asked for.
    return unsafe { libc::getxattr(file.as_ptr(), ATTRIBUTE.as_ptr(), ptr::null_mut(), 0) } > 0;
    #[cfg(not(target_os = "linux"))]
    return false;
}

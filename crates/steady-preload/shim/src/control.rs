//! Maps the page that the controller writes.

use core::mem::size_of;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use libc::{c_char, c_int};

use crate::layout::{MAGIC, Page, VARIABLE, VERSION};
use crate::program;

/// Null until a page is mapped. The mapping then stays for the life of the process.
static PAGE: AtomicPtr<Page> = AtomicPtr::new(ptr::null_mut());

/// The page, where there is one.
#[inline]
pub fn page() -> Option<&'static Page> {
    // SAFETY: a pointer that is not null was put there by `map`: a whole page, checked, never unmapped. Relaxed
    // is enough, since it is set before the program has a second thread.
    unsafe { PAGE.load(Ordering::Relaxed).as_ref() }
}

/// Maps the page named in the environment. If that fails, the shim does nothing and prints nothing: its output would
/// mix with that of the program under test.
pub fn map() {
    // A variable's name and its end, for C, without allocating.
    let mut name = [0u8; VARIABLE.len() + 1];
    name[..VARIABLE.len()].copy_from_slice(VARIABLE.as_bytes());
    // SAFETY: the name ends with a zero; no other thread can change the environment yet.
    let path = unsafe { libc::getenv(name.as_ptr().cast()) };
    if path.is_null() {
        return;
    }
    // SAFETY: `getenv` returns a string that ends with a zero.
    if let Some(page) = unsafe { open(path) } {
        PAGE.store(page.cast_mut(), Ordering::Relaxed);
    }
}

/// Maps the file, checks that it holds a known page, and counts this program.
///
/// # Safety
/// The path ends with a zero.
unsafe fn open(path: *const c_char) -> Option<*const Page> {
    const HARMLESS: c_int = libc::O_CLOEXEC | libc::O_NOCTTY | libc::O_NONBLOCK;
    // SAFETY: as promised by the caller.
    let mut file = unsafe { libc::open(path, libc::O_RDWR | HARMLESS) };
    let writable = file >= 0;
    if !writable {
        // Another user's program may only look.
        // SAFETY: as above.
        file = unsafe { libc::open(path, libc::O_RDONLY | HARMLESS) };
    }
    if file < 0 {
        return None;
    }
    let access = if writable { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_READ };
    let mapped = if is_page_long(file) {
        // SAFETY: a new mapping at a place of the kernel's choice disturbs nothing.
        unsafe { libc::mmap(ptr::null_mut(), size_of::<Page>(), access, libc::MAP_SHARED, file, 0) }
    } else {
        libc::MAP_FAILED
    };
    // SAFETY: the descriptor is ours; a mapping does not need it any more.
    unsafe { libc::close(file) };
    if mapped == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: mapped, aligned to a page and as long as the file, which the controller never shortens. What changes in
    // it is atomic; the rest is written before the file's name is known to any program.
    let page = unsafe { &*mapped.cast::<Page>() };
    if page.magic != MAGIC || page.version != VERSION {
        // SAFETY: our mapping, and the last use of it.
        unsafe { libc::munmap(mapped, size_of::<Page>()) };
        return None;
    }
    program::identify(page, writable);
    if writable {
        page.programs.fetch_add(1, Ordering::Relaxed);
        // From here on the program cannot change the page, not even by mistake.
        // SAFETY: our mapping, which is only read from now on.
        unsafe { libc::mprotect(mapped, size_of::<Page>(), libc::PROT_READ) };
    }
    Some(page)
}

/// Reading beyond a mapped file's end would kill the program.
fn is_page_long(file: c_int) -> bool {
    // SAFETY: it touches the descriptor's position only. `fstat` would ask for a newer C library.
    unsafe { libc::lseek(file, 0, libc::SEEK_END) == size_of::<Page>() as libc::off_t }
}

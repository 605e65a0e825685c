//! Finds the functions that the shim stands in front of.

use core::ffi::CStr;
use core::marker::PhantomData;
use core::mem::{size_of, transmute_copy};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use libc::{c_char, c_void};

use crate::kernel;

// glibc 2.34 moved `dlsym` into libc and gave it a new version. The old name is still there, and asking for
// that one lets the shim load in older systems too.
#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(".symver dlsym, dlsym@GLIBC_2.2.5");
#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(".symver dlsym, dlsym@GLIBC_2.17");

/// A function of the next library that has it, of type `F`.
pub struct Next<F> {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
    function: PhantomData<F>,
}

impl<F: Copy> Next<F> {
    /// # Safety
    /// `F` is a function pointer with the signature that the C library's function has.
    pub const unsafe fn new(name: &'static CStr) -> Self {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        Self { name, address: AtomicPtr::new(ptr::null_mut()), function: PhantomData }
    }

    /// The function, unless this C library is too old to have it.
    #[inline]
    pub fn get(&self) -> Option<F> {
        let mut address = self.address.load(Ordering::Relaxed);
        if address.is_null() {
            // Another library's start-up code may call before ours has run.
            address = self.find();
        }
        // SAFETY: the creator of `self` promised that this is the function's type; the sizes are equal.
        (!address.is_null()).then(|| unsafe { transmute_copy(&address) })
    }

    /// Looks the function up.
    #[cold]
    pub fn find(&self) -> *mut c_void {
        let address = find(self.name);
        self.address.store(address, Ordering::Relaxed);
        address
    }
}

/// Without a version, some C libraries give the oldest `pthread_cond_timedwait`, which takes another structure.
const VERSIONED: (&CStr, &CStr) = (c"pthread_cond_timedwait", c"GLIBC_2.3.2");

fn find(name: &CStr) -> *mut c_void {
    if name == VERSIONED.0 {
        let address = find_versioned(VERSIONED.0, VERSIONED.1);
        if !address.is_null() {
            return address;
        }
    }
    // SAFETY: the name ends with a zero.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

type VersionedLookup = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;

/// `dlvsym` is looked up rather than linked, since not every C library has it.
fn find_versioned(name: &CStr, version: &CStr) -> *mut c_void {
    let lookup = of_any_library(c"dlvsym");
    if lookup.is_null() {
        return lookup;
    }
    // SAFETY: this is the signature of `dlvsym`.
    let lookup: VersionedLookup = unsafe { transmute_copy(&lookup) };
    // SAFETY: both texts end with a zero.
    unsafe { lookup(libc::RTLD_NEXT, name.as_ptr(), version.as_ptr()) }
}

/// A function of whichever library has it; null where none does.
pub fn of_any_library(name: &CStr) -> *mut c_void {
    // SAFETY: the name ends with a zero.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// Clears what a failed lookup left, so that the program's first `dlerror` does not show it.
pub fn forget_error() {
    let clear = of_any_library(c"dlerror");
    if !clear.is_null() {
        // SAFETY: this is the signature of `dlerror`.
        let clear: unsafe extern "C" fn() -> *mut c_char = unsafe { transmute_copy(&clear) };
        // SAFETY: it has no conditions.
        unsafe { clear() };
    }
}

/// Sets `errno` for a function that this C library does not have and returns what such a function returns.
pub fn missing() -> libc::c_int {
    kernel::failed(libc::ENOSYS);
    -1
}

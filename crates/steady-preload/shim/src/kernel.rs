//! System calls, without the C library: its `syscall` is one of the functions that the shim stands in front of.

use core::arch::asm;

use libc::{c_int, c_long};

/// Numbers below zero and above this are errors.
const LAST_ERROR: c_long = -4095;

/// Calls the kernel; an error is its number, negative.
///
/// # Safety
/// The arguments are what the kernel expects of this call.
#[cfg(target_arch = "x86_64")]
#[inline]
pub unsafe fn call(number: c_long, arguments: [c_long; 6]) -> c_long {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    let result;
    // SAFETY: the kernel's calling convention; what the call itself needs is the caller's promise.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") first, in("rsi") second, in("rdx") third, in("r10") fourth, in("r8") fifth, in("r9") sixth,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// Calls the kernel; an error is its number, negative.
///
/// # Safety
/// The arguments are what the kernel expects of this call.
#[cfg(target_arch = "aarch64")]
#[inline]
pub unsafe fn call(number: c_long, arguments: [c_long; 6]) -> c_long {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    let result;
    // SAFETY: the kernel's calling convention; what the call itself needs is the caller's promise.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") first => result,
            in("x1") second, in("x2") third, in("x3") fourth, in("x4") fifth, in("x5") sixth,
            options(nostack),
        );
    }
    result
}

/// What the C library makes of a result: -1, with the error in `errno`.
pub fn returned(result: c_long) -> c_long {
    if !(LAST_ERROR..0).contains(&result) {
        return result;
    }
    failed(-result as c_int);
    -1
}

/// Leaves an error to the program.
pub fn failed(error: c_int) {
    // SAFETY: the location is valid for as long as the thread.
    unsafe { *libc::__errno_location() = error };
}

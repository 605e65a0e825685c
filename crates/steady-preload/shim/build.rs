//! Lets the shim load where the C library is older than the one it was linked with.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        // Before glibc 2.34, `dlsym` lives in this library; since then it is an empty one that is still there.
        println!("cargo::rustc-cdylib-link-arg=-Wl,--push-state,--no-as-needed,-l:libdl.so.2,--pop-state");
    }
}

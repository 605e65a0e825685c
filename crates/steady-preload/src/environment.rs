//! The variables that bring the shim into a program.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::install::STEM;
use crate::{Control, Preload, layout};

/// Names the libraries that the dynamic linker loads first.
pub const PRELOAD_VARIABLE: &str = "LD_PRELOAD";

/// Names the file through which the shim is controlled.
pub const CONTROL_VARIABLE: &str = layout::VARIABLE;

impl Preload {
    /// The variables to start a program with, so that it follows the control. `inherited` is the value of
    /// [`PRELOAD_VARIABLE`] that the program would have otherwise: what it names is still loaded, and first.
    pub fn environment(&self, control: &Control, inherited: Option<&OsStr>) -> [(&'static str, OsString); 2] {
        let libraries = appended(inherited.unwrap_or_default(), self.library());
        [(PRELOAD_VARIABLE, libraries), (CONTROL_VARIABLE, control.file().into())]
    }
}

/// The list with our library at its end, once. The shim of an outer steady is removed: two of them would
/// shift the clock twice.
fn appended(inherited: &OsStr, library: &Path) -> OsString {
    let mut list = OsString::new();
    let others = inherited.as_bytes().split(|byte| matches!(byte, b':' | b' ')).map(OsStr::from_bytes);
    let is_shim = |path: &OsStr| {
        Path::new(path).file_name().is_some_and(|name| name.as_bytes().starts_with(STEM.as_bytes()))
    };
    for other in others.filter(|path| !path.is_empty() && !is_shim(path)) {
        list.push(other);
        list.push(":");
    }
    list.push(library);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(inherited: &str) -> OsString {
        appended(OsStr::new(inherited), Path::new("/run/libsteady_preload-1.so"))
    }

    #[test]
    fn other_libraries_stay_and_come_first() {
        assert_eq!(with(""), "/run/libsteady_preload-1.so");
        assert_eq!(with("/a.so"), "/a.so:/run/libsteady_preload-1.so");
        assert_eq!(with("/a.so  b.so:"), "/a.so:b.so:/run/libsteady_preload-1.so");
    }

    #[test]
    fn no_two_shims_are_loaded() {
        let inherited = "/x/libsteady_preload-0.so:/a.so:/run/libsteady_preload-1.so";
        assert_eq!(with(inherited), "/a.so:/run/libsteady_preload-1.so");
    }
}

//! The shim as a file that the dynamic linker can load.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// The shim, built by this crate's build script; empty on systems that have none.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/shim.so"));

/// What every version's file name starts with; the rest says which content it has.
pub(crate) const STEM: &str = "libsteady_preload-";

/// Whether this build of steady carries a shim: it does on Linux with glibc.
pub fn is_available() -> bool {
    !LIBRARY.is_empty()
}

/// The shim cannot be put into a folder.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are in the messages")]
pub enum InstallError {
    /// There is no shim for this system.
    #[error("this build of steady carries no preload shim; there is one for Linux with glibc")]
    Unavailable,
    /// `LD_PRELOAD` separates paths by spaces and colons and has no way to quote them.
    #[error("`{}` cannot be preloaded from: choose a folder without space, colon or `$` in its path", folder.display())]
    Path { folder: PathBuf },
    /// The file system said no.
    #[error("cannot write the preload shim to `{}`", folder.display())]
    Write { folder: PathBuf, source: io::Error },
}

/// The installed shim.
#[derive(Debug, Clone)]
pub struct Preload {
    library: PathBuf,
}

impl Preload {
    /// Puts the shim into a folder, which is created if need be. The file's name follows from its content: it is
    /// written once, whole, and shared by every run that uses the same folder.
    ///
    /// # Errors
    /// When there is no shim for this system, the folder's path does not fit into `LD_PRELOAD`, or it cannot be written to.
    pub fn install(folder: &Path) -> Result<Self, InstallError> {
        if !is_available() {
            return Err(InstallError::Unavailable);
        }
        let failed = |source| InstallError::Write { folder: folder.to_path_buf(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        // Programs may start in other folders.
        let absolute = fs::canonicalize(folder).map_err(failed)?;
        if absolute
            .as_os_str()
            .as_bytes()
            .iter()
            .any(|byte| matches!(byte, b':' | b'$') || byte.is_ascii_whitespace())
        {
            return Err(InstallError::Path { folder: absolute });
        }
        let library = absolute.join(format!("{STEM}{:016x}.so", xxh3_64(LIBRARY)));
        // A file cut short, by a full disk or a crash of the machine, is replaced.
        if fs::read(&library).is_ok_and(|found| found == LIBRARY) {
            return Ok(Self { library });
        }
        write_whole(&absolute, &library).map_err(failed)?;
        Ok(Self { library })
    }

    /// The installed file.
    pub fn library(&self) -> &Path {
        &self.library
    }
}

fn write_whole(folder: &Path, library: &Path) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(LIBRARY)?;
    // Tests may run as another user.
    file.as_file().set_permissions(Permissions::from_mode(0o755))?;
    file.persist(library)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installing_again_keeps_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let nested = folder.path().join("not/there/yet");
        let first = Preload::install(&nested).unwrap();
        let written = fs::metadata(first.library()).unwrap().modified().unwrap();
        let second = Preload::install(&nested).unwrap();
        assert_eq!(first.library(), second.library());
        assert_eq!(fs::metadata(second.library()).unwrap().modified().unwrap(), written);
        assert_eq!(fs::read_dir(&nested).unwrap().count(), 1);
    }

    #[test]
    fn the_shim_asks_for_no_recent_c_library() {
        // The first version of glibc on x86-64, the one on AArch64, and one that is looked up if it is there.
        let old = ["GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.3.2"];
        let text = String::from_utf8_lossy(LIBRARY);
        let asked = text.match_indices("GLIBC_").map(|(place, _)| {
            let end = text[place..].find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.'));
            &text[place..place + end.unwrap()]
        });
        let asked: Vec<_> = asked.collect();
        assert!(!asked.is_empty() && asked.iter().all(|version| old.contains(version)), "{asked:?}");
    }

    #[test]
    fn a_damaged_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let first = Preload::install(folder.path()).unwrap();
        fs::write(first.library(), b"half").unwrap();
        Preload::install(folder.path()).unwrap();
        assert_eq!(fs::read(first.library()).unwrap(), LIBRARY);
    }

    #[test]
    fn a_path_that_ld_preload_cannot_hold_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["my project", "a:b", "$ORIGIN"] {
            let error = Preload::install(&folder.path().join(name)).unwrap_err();
            assert!(matches!(error, InstallError::Path { .. }), "{error}");
        }
    }

    #[test]
    fn a_folder_that_is_a_file_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Preload::install(file.path()).unwrap_err();
        assert!(error.to_string().contains(file.path().to_str().unwrap()), "{error}");
    }
}

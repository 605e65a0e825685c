//! Writes a file's new text, all of it or nothing.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file that was not written; it is as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Somebody else wrote to it in the meantime.
    #[error("{}: the file has changed since it was read; nothing is written, run again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("{}: cannot {action}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

/// Writes a file's new text if it still has the text that was read. It has either text at every moment; its permissions stay,
/// and where it is a symbolic link, the link stays, too.
pub fn write(path: &Path, expected_old: &str, new: &str) -> Result<(), WriteError> {
    let failed = |action| move |source| WriteError::Io { path: path.to_owned(), action, source };
    let target = fs::canonicalize(path).map_err(failed("find it"))?;
    let found = fs::read(&target).map_err(failed("read it"))?;
    if found != expected_old.as_bytes() {
        return Err(WriteError::Changed { path: path.to_owned() });
    }
    let permissions = fs::metadata(&target).map_err(failed("read its permissions"))?.permissions();
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".steady-")
        .tempfile_in(folder)
        .map_err(failed("create a file beside it"))?;
    file.write_all(new.as_bytes())
        .and_then(|()| file.as_file().set_permissions(permissions))
        .and_then(|()| file.as_file().sync_all())
        .map_err(failed("write a file beside it"))?;
    file.persist(&target).map_err(|error| failed("replace it")(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        fs::write(&path, "theirs\n").unwrap();
        assert!(matches!(write(&path, "ours\n", "new\n"), Err(WriteError::Changed { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn writing_keeps_permissions_and_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.py"), folder.path().join("link.py"));
        fs::write(&path, "old\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, "old\n", "new\n").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_missing_file_is_an_error_with_its_path() {
        let error = write(Path::new("no/such/file.py"), "", "x").unwrap_err();
        assert_eq!(error.to_string(), "no/such/file.py: cannot find it");
    }
}

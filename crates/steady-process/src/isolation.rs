//! A working copy of the project for every job.
//!
//! Everything is copied, `.git`, `node_modules` and build folders included: a test that commits, a bundler that caches in
//! `node_modules` and a build that writes must not interfere with other jobs. On file systems that share blocks between files (btrfs, XFS) it
//! costs little. Where it costs too much, [`Isolation::link`] names what all jobs may share, as symbolic links to the original, and
//! [`Isolation::skip`] what no job needs. Copies keep permissions and times, so builds see what is up to date. They are outside of the
//! project: inside, tools that search parent folders for settings would find those of the original.
//!
//! Absolute paths to the original still lead to the original, for instance in a virtual environment's editable installs.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use crate::cancel::Cancel;

/// steady's own files in a project; never copied.
const OWN_FOLDER: &str = ".steady";

/// Which folder is copied for every job, and what of it is not.
#[derive(Debug, Clone)]
pub struct Isolation {
    source: PathBuf,
    link: Vec<OsString>,
    skip: Vec<OsString>,
}

/// A working copy could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A file or folder cannot be copied.
    #[error("cannot copy `{}` for a job; check permissions and disk space, or leave it out", path.display())]
    Copy {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Cancellation came before the copy was complete.
    #[error("stopped while the project was being copied")]
    Stopped,
}

impl Isolation {
    /// Copies this folder.
    pub fn copy(source: impl AsRef<Path>) -> io::Result<Self> {
        let source = source.as_ref().canonicalize()?;
        Ok(Self { source, link: Vec::new(), skip: vec![OWN_FOLDER.into()] })
    }

    /// Files and folders of this name are shared with the original, wherever they are in it.
    #[must_use]
    pub fn link(mut self, name: impl Into<OsString>) -> Self {
        self.link.push(name.into());
        self
    }

    /// Files and folders of this name are not in the copy.
    #[must_use]
    pub fn skip(mut self, name: impl Into<OsString>) -> Self {
        self.skip.push(name.into());
        self
    }

    /// Where a folder of the original is in the copy; a folder elsewhere stays where it is.
    pub(crate) fn moved(&self, folder: &Path, copy: &Path) -> PathBuf {
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        // The name may lead through symbolic links; with a placeholder in it, it is not there yet.
        let real = absolute.canonicalize().unwrap_or(absolute);
        real.strip_prefix(&self.source).map_or_else(|_| folder.to_owned(), |inside| copy.join(inside))
    }

    /// Copies the folder into an existing, empty one.
    pub fn copy_to(&self, copy: &Path, cancel: &Cancel) -> Result<(), CopyError> {
        self.copy_folder(&self.source, copy, copy, cancel)
    }

    fn copy_folder(&self, from: &Path, to: &Path, copy: &Path, cancel: &Cancel) -> Result<(), CopyError> {
        let failed = |path: &Path, source| CopyError::Copy { path: path.to_owned(), source };
        for entry in fs::read_dir(from).map_err(|error| failed(from, error))? {
            if cancel.is_requested() {
                return Err(CopyError::Stopped);
            }
            let entry = entry.map_err(|error| failed(from, error))?;
            let (name, path) = (entry.file_name(), entry.path());
            if self.skip.contains(&name) || path == copy {
                continue;
            }
            let target = to.join(&name);
            let kind = entry.file_type().map_err(|error| failed(&path, error))?;
            if kind.is_dir() && !self.link.contains(&name) {
                fs::create_dir(&target).map_err(|error| failed(&path, error))?;
                self.copy_folder(&path, &target, copy, cancel)?;
                continue;
            }
            let copied = if self.link.contains(&name) {
                symlink(&path, &target)
            } else if kind.is_symlink() {
                fs::read_link(&path).and_then(|link| symlink(self.link_target(from, &link, copy), &target))
            } else if kind.is_file() {
                fs::copy(&path, &target).and_then(|_| keep_time(&path, &target))
            } else {
                // Sockets, pipes and devices belong to the process that made them.
                Ok(())
            };
            match copied {
                // Deleted since the folder was listed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                copied => copied.map_err(|error| failed(&path, error))?,
            }
        }
        // Set last: a folder may be read-only, and every write into it changes its time.
        let permissions = fs::metadata(from).map(|metadata| metadata.permissions());
        permissions
            .and_then(|permissions| keep_time(from, to).and_then(|()| fs::set_permissions(to, permissions)))
            .map_err(|error| failed(from, error))
    }

    /// The target of a link in the copy: links inside the project stay inside, others keep their target.
    fn link_target(&self, folder: &Path, link: &Path, copy: &Path) -> PathBuf {
        let leads_to = plain(&folder.join(link));
        match leads_to.strip_prefix(&self.source) {
            Ok(_) if link.is_relative() => link.to_owned(),
            Ok(inside) => copy.join(inside),
            Err(_) => leads_to,
        }
    }
}

fn keep_time(from: &Path, to: &Path) -> io::Result<()> {
    File::open(to)?.set_modified(fs::metadata(from)?.modified()?)
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            component => plain.push(component),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn project() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (source, copy) = (root.join("project"), root.join("copy"));
        fs::create_dir_all(source.join("src/deep")).unwrap();
        fs::create_dir(&copy).unwrap();
        fs::write(source.join("src/deep/a.txt"), "a").unwrap();
        (folder, source, copy)
    }

    #[test]
    fn files_keep_content_permissions_and_times() {
        let (_folder, source, copy) = project();
        let script = source.join("src/run.sh");
        fs::write(&script, "#!/bin/sh").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o555)).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
        File::open(&script).unwrap().set_modified(time).unwrap();

        Isolation::copy(&source).unwrap().copy_to(&copy, &Cancel::new().unwrap()).unwrap();
        assert_eq!(fs::read_to_string(copy.join("src/deep/a.txt")).unwrap(), "a");
        let metadata = fs::metadata(copy.join("src/run.sh")).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o555);
        assert_eq!(metadata.modified().unwrap(), time);
    }

    #[test]
    fn links_inside_stay_inside_and_links_outside_stay_right() {
        let (_folder, source, copy) = project();
        let outside = source.parent().unwrap().join("outside.txt");
        fs::write(&outside, "o").unwrap();
        symlink("src/deep/a.txt", source.join("relative")).unwrap();
        symlink(source.join("src/deep/a.txt"), source.join("absolute")).unwrap();
        symlink("../../outside.txt", source.join("src/out")).unwrap();
        symlink("nowhere", source.join("dangling")).unwrap();

        Isolation::copy(&source).unwrap().copy_to(&copy, &Cancel::new().unwrap()).unwrap();
        fs::write(copy.join("relative"), "changed").unwrap();
        assert_eq!(fs::read_to_string(source.join("src/deep/a.txt")).unwrap(), "a");
        assert_eq!(fs::read_link(copy.join("absolute")).unwrap(), copy.join("src/deep/a.txt"));
        assert_eq!(fs::read_link(copy.join("src/out")).unwrap(), outside);
        assert_eq!(fs::read_link(copy.join("dangling")).unwrap(), Path::new("nowhere"));
    }

    #[test]
    fn what_is_shared_is_linked_and_what_is_skipped_is_missing() {
        let (_folder, source, copy) = project();
        for folder in ["node_modules/x", "build", ".steady"] {
            fs::create_dir_all(source.join(folder)).unwrap();
        }
        let isolation = Isolation::copy(&source).unwrap().link("node_modules").skip("build");
        isolation.copy_to(&copy, &Cancel::new().unwrap()).unwrap();
        assert_eq!(fs::read_link(copy.join("node_modules")).unwrap(), source.join("node_modules"));
        assert!(!copy.join("build").exists() && !copy.join(".steady").exists());
    }

    #[test]
    fn a_copy_inside_the_project_does_not_copy_itself() {
        let (_folder, source, _) = project();
        let copy = source.join("tmp");
        fs::create_dir(&copy).unwrap();
        Isolation::copy(&source).unwrap().copy_to(&copy, &Cancel::new().unwrap()).unwrap();
        assert!(copy.join("src").exists() && !copy.join("tmp").exists());
    }

    #[test]
    fn the_working_folder_moves_with_the_copy() {
        let (folder, source, copy) = project();
        let isolation = Isolation::copy(&source).unwrap();
        assert_eq!(isolation.moved(&source.join("src"), &copy), copy.join("src"));
        assert_eq!(isolation.moved(&source.join("job-{job}"), &copy), copy.join("job-{job}"));
        assert_eq!(isolation.moved(folder.path(), &copy), folder.path());
    }

    #[test]
    fn a_stop_ends_the_copying() {
        let (_folder, source, copy) = project();
        let cancel = Cancel::new().unwrap();
        cancel.request();
        let error = Isolation::copy(&source).unwrap().copy_to(&copy, &cancel).unwrap_err();
        assert!(matches!(error, CopyError::Stopped));
    }
}

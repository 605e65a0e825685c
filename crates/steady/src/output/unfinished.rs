//! Files that appear complete or not at all.

use std::fs;
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tempfile::NamedTempFile;

use super::error::OutputError;

/// What unfinished files and folders begin with; the next run removes those that a killed one left.
pub(super) const UNFINISHED: &str = ".steady-unfinished-";

/// A file that is still being written, under another name.
#[derive(Debug)]
pub struct UnfinishedFile {
    file: NamedTempFile,
    target: PathBuf,
    /// Says at the end whether a file of the output folder goes into a subfolder, and its name there.
    beside: Option<(Arc<OnceLock<&'static str>>, &'static str)>,
}

impl UnfinishedFile {
    /// A file anywhere. Fails at once when it could not appear there later, and when anything but a regular file has its name: a
    /// rename would replace a device or a pipe. A link to a file stays, and what it points to is replaced.
    pub fn create(target: &Path) -> Result<Self, OutputError> {
        let target = match fs::metadata(target) {
            Ok(found) if !found.is_file() => return Err(OutputError::NotAFile { path: target.to_owned() }),
            Ok(_) => fs::canonicalize(target)
                .map_err(|source| OutputError::Write { path: target.to_owned(), source })?,
            Err(_) => target.to_owned(),
        };
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let file = unfinished_in(parent.unwrap_or(Path::new(".")))
            .map_err(|source| OutputError::Write { path: target.clone(), source })?;
        Ok(Self { file, target, beside: None })
    }

    /// A file with a name of its own in `folder`, which will become `target`.
    pub(super) fn create_in(folder: &Path, target: PathBuf) -> Result<Self, OutputError> {
        let file =
            unfinished_in(folder).map_err(|source| OutputError::Write { path: folder.to_owned(), source })?;
        Ok(Self { file, target, beside: None })
    }

    /// Lets the file go into the subfolder that is decided on by the time it is finished.
    pub(super) fn beside(mut self, beside: &Arc<OnceLock<&'static str>>, name: &'static str) -> Self {
        self.beside = Some((Arc::clone(beside), name));
        self
    }

    /// What was written so far.
    pub fn content(&mut self) -> io::Result<String> {
        io::read_to_string(fs::File::open(self.file.path())?)
    }

    /// Writes something else instead.
    pub fn replace(&mut self, content: &[u8]) -> io::Result<()> {
        let file = self.file.as_file_mut();
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(content)
    }

    /// Makes the file appear under its name.
    pub fn finish(self) -> Result<(), OutputError> {
        let Self { file, mut target, beside } = self;
        if let Some((subfolder, name)) =
            beside.as_ref().and_then(|(beside, name)| Some((beside.get()?, name)))
        {
            let folder = target.with_file_name(subfolder);
            fs::create_dir_all(&folder)
                .map_err(|source| OutputError::Write { path: folder.clone(), source })?;
            target = folder.join(name);
        }
        match file.persist(&target) {
            Ok(_) => Ok(()),
            Err(error) => Err(OutputError::Write { path: target, source: error.error }),
        }
    }
}

impl Write for UnfinishedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn unfinished_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    // Temporary files are private by default; these are for everyone the umask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The name of the temporary file means nothing to the reader of the error.
    builder.tempfile_in(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(io::ErrorKind::NotFound, "the folder does not exist"),
        kind => kind.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(target: &Path) -> Result<(), OutputError> {
        let mut file = UnfinishedFile::create(target)?;
        file.write_all(b"new").unwrap();
        file.finish()
    }

    #[test]
    fn a_pipe_and_a_folder_are_refused_and_stay() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for target in [pipe.as_path(), folder.path(), Path::new("/dev/null")] {
            assert!(matches!(written(target), Err(OutputError::NotAFile { .. })), "{}", target.display());
        }
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_link_to_a_file_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("report.xml"), folder.path().join("link.xml"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        written(&link).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}

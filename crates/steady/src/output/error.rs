//! Why something cannot be written.

use std::io;
use std::path::PathBuf;

use crate::error::UserError;

/// The output folder, or a file named on the command line, cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Something that is no folder stands there.
    #[error("the output folder `{}` is not a folder", path.display())]
    NotAFolder {
        /// The folder.
        path: PathBuf,
    },
    /// Another steady works in it.
    #[error("another steady is writing into `{}`", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// A file that steady did not write has the name of one it wants to write.
    #[error("`{}` exists and was not written by steady", path.display())]
    Clash {
        /// The file.
        path: PathBuf,
        /// Where the result is instead, when there is one.
        saved: Option<PathBuf>,
    },
    /// A device, a pipe or a folder has the name of a file to write.
    #[error("`{}` is not a regular file", path.display())]
    NotAFile {
        /// What stands there.
        path: PathBuf,
    },
    /// The list of steady's own files cannot be read.
    #[error("`{}` does not list the files steady wrote", path.display())]
    Manifest {
        /// The list.
        path: PathBuf,
        /// Why not.
        source: serde_json::Error,
    },
    /// It cannot be written to.
    #[error("cannot write to `{}`", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file would lie outside of the folder.
    #[error("`{path}` does not lie in the output folder")]
    Outside {
        /// The path asked for.
        path: String,
    },
}

impl UserError for OutputError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotAFolder { .. } => "name another folder with `--out DIR`".to_owned(),
            Self::Locked { .. } => "wait for it to end, or name another folder with `--out DIR`".to_owned(),
            Self::Clash { saved: None, .. } => {
                "move the file, or name another folder with `--out DIR`".to_owned()
            }
            Self::Clash { saved: Some(folder), .. } => format!(
                "the result is in `{}`; move the file, or name another folder with `--out DIR` next time",
                folder.display()
            ),
            Self::NotAFile { .. } => "name a file; to print it, write to a file and show that one".to_owned(),
            Self::Manifest { .. } => {
                "move what you want to keep, delete the list, or name another folder with `--out DIR`"
                    .to_owned()
            }
            Self::Write { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "free some space, or name a folder on another disk with `--out DIR`".to_owned()
            }
            Self::Write { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "make the folder first, or name another place".to_owned()
            }
            Self::Write { .. } => "make the place writable, or name another one".to_owned(),
            Self::Outside { .. } => return None,
        })
    }
}

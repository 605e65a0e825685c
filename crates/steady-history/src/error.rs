//! Errors of reading the history, and what to do about them.

use std::io;
use std::path::PathBuf;

/// The history could not be read. An answer that is only incomplete is not an error: [`Past::notes`](crate::Past::notes) says what is missing.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are in the messages")]
pub enum HistoryError {
    /// git is not installed.
    #[error("git was not found; install it (e.g. apt install git), or continue without history")]
    NoGit,
    /// git cannot be started, or its pipes fail.
    #[error("cannot run git {action}")]
    Run { action: &'static str, source: io::Error },
    /// git exited with an error.
    #[error("git {action} failed: {detail}")]
    Failed { action: &'static str, detail: String },
    /// git did not finish before the deadline and was killed.
    #[error("git {action} took too long and was ended; is the disk overloaded?")]
    TooSlow { action: &'static str },
    /// git does not trust the repository, usually because another user owns it.
    #[error("git cannot read the repository at {}: {detail}", folder.display())]
    Refused { folder: PathBuf, detail: String },
    /// The commit is not in the repository.
    #[error("there is no commit `{commit}` in {}; is the clone shallow? `git fetch --unshallow` fetches the rest", repository.display())]
    UnknownCommit { commit: String, repository: PathBuf },
    /// The folder or file is not in the work tree.
    #[error("{} is not in the repository {}", path.display(), root.display())]
    Outside { path: PathBuf, root: PathBuf },
    /// A file of the work tree cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

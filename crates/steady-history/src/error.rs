//! What can go wrong when asking git, and what to do about it.

use std::io;
use std::path::PathBuf;

/// The history could not be read. What is merely incomplete is no error, but a note in [`Past::notes`](crate::Past::notes).
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are in the messages")]
pub enum HistoryError {
    /// There is no git.
    #[error("git was not found; install it (e.g. apt install git), or go on without history")]
    NoGit,
    /// There is a git, but it cannot be started, or not be talked to.
    #[error("cannot run git {action}")]
    Run { action: &'static str, source: io::Error },
    /// Git ended with an error.
    #[error("git {action} failed: {detail}")]
    Failed { action: &'static str, detail: String },
    /// Git was still busy when its time was up; it was ended.
    #[error("git {action} took too long and was ended; is the disk overloaded?")]
    TooSlow { action: &'static str },
    /// Git does not trust the repository, mostly because it belongs to somebody else.
    #[error("git cannot read the repository at {}: {detail}", folder.display())]
    Refused { folder: PathBuf, detail: String },
    /// The commit is not in the repository.
    #[error("there is no commit `{commit}` in {}; is the clone shallow? `git fetch --unshallow` brings the rest", repository.display())]
    UnknownCommit { commit: String, repository: PathBuf },
    /// The folder or file is not in the work tree.
    #[error("{} is not in the repository {}", path.display(), root.display())]
    Outside { path: PathBuf, root: PathBuf },
    /// A file of the work tree cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

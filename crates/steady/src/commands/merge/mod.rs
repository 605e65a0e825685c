//! `steady merge`: what the folders hold decides how they are joined.

mod args;
mod fuzz;
mod read;
mod rerun;

use std::path::{Path, PathBuf};

pub use args::MergeArgs;

use super::rerun::REPORT;
use crate::error::{CommandError, UsageError, UserError};
use crate::session::{Ended, Session};
use crate::suite::files::SUITE;

/// Folders that cannot be joined.
#[derive(Debug, thiserror::Error)]
enum FolderError {
    #[error("`{}` contains neither {} nor {}", path.display(), REPORT, SUITE)]
    Empty { path: PathBuf },
    #[error("`{}` contains results of both `steady rerun` and `steady fuzz`", path.display())]
    Both { path: PathBuf },
    #[error("`{}` was written by `steady {}`, but `{}` by `steady {}`", first.display(), kind.command(), other.display(), other_kind.command())]
    Different { first: PathBuf, kind: Kind, other: PathBuf, other_kind: Kind },
}

impl UserError for FolderError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Empty { .. } => {
                "give the folders that `steady rerun` or `steady fuzz` wrote with `--out DIR`; did that run finish?".to_owned()
            }
            Self::Both { .. } => "use a separate `--out DIR` for each command".to_owned(),
            Self::Different { .. } => "merge them separately, each into its own `--out DIR`".to_owned(),
        })
    }
}

/// What a folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rerun,
    Fuzz,
}

impl Kind {
    fn of(folder: &Path) -> Result<Self, FolderError> {
        let holds = |name: &str| folder.join(name).exists();
        match (holds(REPORT), holds(SUITE)) {
            (true, false) => Ok(Self::Rerun),
            (false, true) => Ok(Self::Fuzz),
            (true, true) => Err(FolderError::Both { path: folder.to_owned() }),
            (false, false) => Err(FolderError::Empty { path: folder.to_owned() }),
        }
    }

    fn command(self) -> &'static str {
        match self {
            Self::Rerun => "rerun",
            Self::Fuzz => "fuzz",
        }
    }
}

/// Joins the results of shards.
pub fn run(session: &mut Session, args: &MergeArgs) -> Result<Ended, CommandError> {
    match common_kind(&args.folders)? {
        Kind::Rerun if !args.emit.is_empty() => Err(not_for("--emit", Kind::Rerun).into()),
        Kind::Rerun => rerun::run(session, args),
        Kind::Fuzz if args.junit.is_some() => Err(not_for("--junit", Kind::Fuzz).into()),
        Kind::Fuzz if args.sarif.is_some() => Err(not_for("--sarif", Kind::Fuzz).into()),
        Kind::Fuzz => fuzz::run(session, args),
    }
}

fn common_kind(folders: &[PathBuf]) -> Result<Kind, CommandError> {
    let kinds = folders.iter().map(|folder| Kind::of(folder)).collect::<Result<Vec<_>, _>>()?;
    let (Some(first), Some(kind)) = (folders.first(), kinds.first().copied()) else {
        return Err(no_folder().into());
    };
    match folders.iter().zip(&kinds).find(|(_, other)| **other != kind) {
        Some((other, other_kind)) => Err(FolderError::Different {
            first: first.clone(),
            kind,
            other: other.clone(),
            other_kind: *other_kind,
        }
        .into()),
        None => Ok(kind),
    }
}

fn no_folder() -> UsageError {
    UsageError {
        message: "no folder is given".to_owned(),
        hint: "name the output folders of the shards".to_owned(),
    }
}

fn not_for(option: &str, kind: Kind) -> UsageError {
    UsageError {
        message: format!("`{option}` does not apply to results of `steady {}`", kind.command()),
        hint: format!("remove `{option}`"),
    }
}

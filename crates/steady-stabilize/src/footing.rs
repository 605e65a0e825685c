//! Whether the API is ours to stop and start.

use std::fmt;
use std::path::Path;

use steady_model::rerun::{Condition, Perturbation};
use steady_sut::Sut;

use crate::error::StabilizeError;

/// What may be done with the API besides calling it.
pub enum Footing<'a> {
    /// Somebody else runs it: nothing.
    Foreign,
    /// It may be reset and restarted, under other conditions too.
    Ours(&'a mut Sut),
}

/// The folders of the files that a command line names: where a program lies is the machine's affair.
fn program_folders(line: &str) -> Vec<String> {
    let words = line.split(|character: char| character.is_whitespace() || ":='\"".contains(character));
    let files = words.map(Path::new).filter(|path| path.is_absolute() && path.exists());
    let mut folders: Vec<String> =
        files.filter_map(|path| Some(path.parent()?.to_str()?.to_owned())).collect();
    // The root and the folders right below it are on every machine.
    folders.retain(|folder| folder.matches('/').count() > 1);
    folders.sort();
    folders.dedup();
    folders
}

impl fmt::Debug for Footing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("Foreign"),
            Self::Ours(sut) => f.debug_tuple("Ours").field(&sut.url()).finish(),
        }
    }
}

impl Footing<'_> {
    /// Whether it may be restarted.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Ours(_))
    }

    /// Texts in its answers that are this machine's or its process's: its port, the machine's name, its folder.
    pub(crate) fn own(&self) -> Vec<String> {
        let Self::Ours(sut) = self else { return Vec::new() };
        let port = sut.address("{port}").ok();
        let host = rustix::system::uname().nodename().to_str().ok().map(str::to_owned);
        let folder = sut.folder().canonicalize().ok().map(|folder| folder.display().to_string());
        let mut own: Vec<String> = [port, host, folder].into_iter().flatten().collect();
        own.extend(program_folders(sut.start_line()));
        own
    }

    /// Starts it anew.
    pub(crate) async fn restart(&mut self, condition: &Condition) -> Result<(), StabilizeError> {
        match self {
            Self::Foreign => Ok(()),
            Self::Ours(sut) => Ok(sut.restart(condition).await?),
        }
    }

    /// Takes it back to how it was at the start, if that can be done without a restart; says whether it was.
    pub(crate) async fn reset(&mut self) -> Result<bool, StabilizeError> {
        match self {
            Self::Ours(sut) if sut.resets_in_place() => sut.reset().await.map(|()| true).map_err(Into::into),
            Self::Foreign | Self::Ours(_) => Ok(false),
        }
    }

    /// The conditions to try for these perturbations, as far as they can be had: the first of each, of the clock all.
    ///
    /// No one shift moves the hour, the month and summer time at once; a date written out has its month and year as words of their own.
    pub(crate) fn conditions(&self, wanted: &[Perturbation]) -> Vec<(Perturbation, Condition)> {
        let Self::Ours(sut) = self else { return Vec::new() };
        let possible = sut.perturbations();
        let of = |perturbation: &Perturbation| {
            let perturbation = *perturbation;
            let limit = if perturbation == Perturbation::Clock { usize::MAX } else { 1 };
            let fitting = possible.iter().filter(move |condition| condition.0.contains_key(&perturbation));
            fitting.take(limit).map(move |condition| (perturbation, condition.clone()))
        };
        wanted.iter().flat_map(of).collect()
    }
}

//! Whether steady may stop and start the API.

use std::fmt;
use std::path::Path;
use std::pin::Pin;

use crate::infer::Fact;
use steady_model::rerun::{Condition, Perturbation};
use steady_sut::{Sut, SutError};

use crate::drive::error::StabilizeError;
use crate::drive::machine;

/// What starting, resetting or moving an API comes to. Boxed because starting takes a large future, and the future of every call
/// that may need it would hold it again.
pub type SutFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, SutError>> + 'a>>;

/// An API that steady starts: [`Sut`], or one that a test scripts.
pub trait ManagedSut {
    /// Where it is, without a slash at the end.
    fn url(&self) -> &str;

    /// The port in its address, where steady chose it.
    fn port(&self) -> Option<String>;

    /// The folder it runs in.
    fn folder(&self) -> &Path;

    /// The command line that starts it.
    fn start_line(&self) -> &str;

    /// The ids of its processes, while it runs.
    fn pids(&self) -> Vec<u32>;

    /// The conditions it can be under, one change each.
    fn perturbations(&self) -> Vec<Condition>;

    /// Whether a reset leaves its process as it is.
    fn resets_in_place(&self) -> bool;

    /// Restores its first state.
    fn reset(&mut self) -> SutFuture<'_, ()>;

    /// Ends it and starts it under a condition.
    fn restart<'a>(&'a mut self, condition: &'a Condition) -> SutFuture<'a, ()>;

    /// Ends it and chooses another port for its next start; says whether that is possible.
    fn relocate(&mut self) -> SutFuture<'_, bool>;
}

impl ManagedSut for Sut {
    fn url(&self) -> &str {
        self.url()
    }

    fn port(&self) -> Option<String> {
        self.address("{port}").ok()
    }

    fn folder(&self) -> &Path {
        self.folder()
    }

    fn start_line(&self) -> &str {
        self.start_line()
    }

    fn pids(&self) -> Vec<u32> {
        self.pids()
    }

    fn perturbations(&self) -> Vec<Condition> {
        self.perturbations()
    }

    fn resets_in_place(&self) -> bool {
        self.resets_in_place()
    }

    fn reset(&mut self) -> SutFuture<'_, ()> {
        Box::pin(self.reset())
    }

    fn restart<'a>(&'a mut self, condition: &'a Condition) -> SutFuture<'a, ()> {
        Box::pin(self.restart(condition))
    }

    fn relocate(&mut self) -> SutFuture<'_, bool> {
        Box::pin(self.relocate())
    }
}

/// What may be done with the API besides calling it.
pub enum SutAccess<'a> {
    /// Another program starts it: nothing.
    External,
    /// It may be reset and restarted, under other conditions too.
    Managed(&'a mut dyn ManagedSut),
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

impl fmt::Debug for SutAccess<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::External => f.write_str("External"),
            Self::Managed(sut) => f.debug_tuple("Managed").field(&sut.url()).finish(),
        }
    }
}

impl SutAccess<'_> {
    /// Whether it may be restarted.
    pub fn is_managed(&self) -> bool {
        matches!(self, Self::Managed(_))
    }

    /// Texts in its answers that are this machine's or its process's: its port, its folder, the machine's name and runtimes. What
    /// `command` starts may run it, too.
    pub(crate) fn own(&self, command: &str) -> Vec<Fact> {
        let Self::Managed(sut) = self else { return machine::facts(&[command]) };
        let folder = sut.folder().canonicalize().ok().map(|folder| folder.display().to_string());
        let mut own: Vec<String> = [sut.port(), folder].into_iter().flatten().collect();
        own.extend(program_folders(sut.start_line()));
        let mut own: Vec<Fact> = own.into_iter().map(Fact::distinctive).collect();
        own.extend(machine::facts(&[sut.start_line(), command]));
        own
    }

    /// Starts it again; does nothing to an API that another program starts.
    pub async fn restart(&mut self, condition: &Condition) -> Result<(), StabilizeError> {
        match self {
            Self::External => Ok(()),
            Self::Managed(sut) => Ok(sut.restart(condition).await?),
        }
    }

    /// Whether it can be taken back to how it was at the start without a restart.
    pub(crate) fn resets_in_place(&self) -> bool {
        matches!(self, Self::Managed(sut) if sut.resets_in_place())
    }

    /// Starts it again on another port, where steady chooses the port.
    pub(crate) async fn restart_elsewhere(&mut self) -> Result<(), StabilizeError> {
        match self {
            Self::External => Ok(()),
            Self::Managed(sut) => {
                sut.relocate().await?;
                Ok(sut.restart(&Condition::default()).await?)
            }
        }
    }

    /// The ids of its processes, when steady starts it.
    pub(crate) fn processes(&self) -> Vec<u32> {
        match self {
            Self::External => Vec::new(),
            Self::Managed(sut) => sut.pids(),
        }
    }

    /// Where it is, when steady starts it.
    pub fn url(&self) -> Option<String> {
        match self {
            Self::External => None,
            Self::Managed(sut) => Some(sut.url().to_owned()),
        }
    }

    /// Takes it back to how it was at the start, without a restart where that can be done.
    pub(crate) async fn reset_or_restart(&mut self) -> Result<(), StabilizeError> {
        match self {
            Self::Managed(sut) if sut.resets_in_place() => Ok(sut.reset().await?),
            Self::External | Self::Managed(_) => self.restart(&Condition::default()).await,
        }
    }

    /// The conditions to try for these perturbations, as far as the API supports them: the first of each, and all of the clock.
    ///
    /// No single shift moves the hour, the month and summer time at once; a date written out has its month and year as words of their own.
    pub(crate) fn conditions(&self, wanted: &[Perturbation]) -> Vec<(Perturbation, Condition)> {
        let Self::Managed(sut) = self else { return Vec::new() };
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

#[cfg(test)]
mod tests {
    use steady_model::rerun::Perturbation::{Clock, Hash, Locale, Tz};

    use super::*;
    use crate::drive::fakes::{FakeSut, Log};

    #[test]
    fn of_every_perturbation_the_first_condition_is_tried_and_of_the_clock_all() {
        let possible = [(Hash, "1"), (Hash, "2"), (Clock, "+1d"), (Clock, "+183d"), (Tz, "UTC")];
        let possible = possible.map(|(what, value)| Condition::of(what, value)).to_vec();
        let mut sut = FakeSut { conditions: possible, ..FakeSut::new(&Log::default()) };
        let access = SutAccess::Managed(&mut sut);
        let names = |wanted: &[Perturbation]| -> Vec<String> {
            access.conditions(wanted).iter().map(|(_, condition)| condition.to_string()).collect()
        };
        assert_eq!(names(&[Clock, Hash]), ["clock +1d", "clock +183d", "hash 1"]);
        assert_eq!(names(&[Locale]), Vec::<String>::new());
        assert!(SutAccess::External.conditions(&Perturbation::ALL).is_empty());
    }

    #[test]
    fn the_folders_of_a_command_line_are_those_of_files_that_exist() {
        let line = "APP=/usr/bin/env '/usr/bin/env' --jar=/no/such/file.jar /usr relative/path";
        assert_eq!(program_folders(line), ["/usr/bin"]);
    }
}

//! The programs an API consists of, and which perturbations work for them.

use std::fs;
use std::path::{Path, PathBuf};

use steady_exec::{Capabilities, installed_locales};
use steady_preload::Support;

/// The capabilities of these programs.
pub(crate) fn capabilities(programs: &[PathBuf], folder: &Path) -> Capabilities {
    Capabilities {
        locales: installed_locales(),
        // Others ask the C library, which falls back to `C` when a language is not installed, or the environment itself.
        own_language_data: true,
        can_order: false,
        can_preload: obstacle(programs, folder).is_none(),
    }
}

/// The first program that the preload shim cannot work in, and why.
pub(crate) fn obstacle(programs: &[PathBuf], folder: &Path) -> Option<Support> {
    let checked = programs.iter().map(|program| {
        // The name of a command is looked up, a path is relative to where the command runs.
        let is_path = program.components().count() > 1 && program.is_relative();
        if is_path { steady_preload::check(&folder.join(program)) } else { steady_preload::check(program) }
    });
    checked.into_iter().find(|support| matches!(support, Support::Fails { .. }))
}

/// The programs that run in the session of this process: what a command line really started. Empty where `/proc` is missing.
pub(crate) fn in_session(leader: u32) -> Vec<PathBuf> {
    let mut programs: Vec<PathBuf> =
        processes_in_session(leader).filter_map(|process| fs::read_link(process.join("exe")).ok()).collect();
    programs.sort();
    programs.dedup();
    programs
}

/// The ids of the processes in the session of this process.
pub(crate) fn ids_in_session(leader: u32) -> Vec<u32> {
    processes_in_session(leader).filter_map(|process| process.file_name()?.to_str()?.parse().ok()).collect()
}

/// The folders in `/proc` of the processes in a session.
fn processes_in_session(leader: u32) -> impl Iterator<Item = PathBuf> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    processes.filter(move |process| session(process) == Some(leader))
}

/// The session of a process, by its folder in `/proc`.
fn session(process: &Path) -> Option<u32> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    // The name before it is in parentheses, and may hold anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use steady_exec::probes;
    use steady_model::rerun::{Condition, Perturbation};

    use super::*;

    #[test]
    fn a_language_that_is_not_installed_is_tried_all_the_same() {
        let capabilities =
            Capabilities { locales: Vec::new(), ..capabilities(&["python3".into()], Path::new(".")) };
        let languages =
            probes(Perturbation::Locale, &capabilities, 0).into_iter().map(|probe| probe.condition);
        let turkish = Condition::of(Perturbation::Locale, "tr_TR.UTF-8");
        assert_eq!(languages.into_iter().next(), Some(turkish));
    }
}

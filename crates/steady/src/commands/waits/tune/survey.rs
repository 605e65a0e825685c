//! Looks for values around a place: in the tests of its folder and in their past.

use std::path::{Component, Path, PathBuf};

use steady_history::Limits;
use steady_js::repair::Target;
use steady_waits::locate::{Addition, Located, Query, locate, read_corpus};

use super::{TuneOptions, WaitLocation};
use crate::commands::waits::past::{Remember, read_past, repository};
use crate::config::StoreConfig;
use crate::error::{CommandError, ReadError, UserError};
use crate::session::Session;

/// The values for a place, their paths relative to the current folder.
pub(super) fn survey(
    location: &WaitLocation,
    fix: Option<&Target>,
    options: &TuneOptions,
    config: &StoreConfig,
    session: &Session,
) -> Result<Located, CommandError> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).map_err(|source| ReadError {
        what: "the folder",
        path: PathBuf::from("."),
        source,
    })?;
    let file = location.path.canonicalize().unwrap_or_else(|_| here.join(&location.path));
    let folder = file.parent().unwrap_or(&here);
    let repository = match options.history_depth {
        Some(_) => repository(folder, session),
        None => None,
    };
    if repository.is_none() && options.history_depth.is_some() {
        session.note("not in a git repository: only the current code is used".to_owned());
    }
    let root = match &repository {
        Some(repository) => repository.root().canonicalize().unwrap_or_else(|_| repository.root().to_owned()),
        None => here.clone(),
    };
    let name = file.strip_prefix(&root).unwrap_or(&file).to_owned();
    let corpus = read_corpus(&root, &name).map_err(|source| ReadError {
        what: "the test",
        path: location.path.clone(),
        source,
    })?;
    let past = repository.as_ref().zip(options.history_depth).and_then(|(repository, depth)| {
        let folder = name.parent().unwrap_or(Path::new(""));
        let limits = Limits { depth, ..Limits::default() };
        let past = read_past(repository, folder, limits, config, Remember::Always, session)?;
        past.notes.iter().for_each(|note| session.note(note.clone()));
        Some(past)
    });
    let addition = fix.and_then(|fix| Some(Addition { kind: fix.adds?, above: fix.ms.unwrap_or(0) }));
    let query = Query { file: &name, line: location.line, past: past.as_ref(), addition };
    let mut located = locate(&corpus, &query, options.ranking)?;
    for candidate in &mut located.candidates {
        if let Some(path) = &mut candidate.path {
            *path = relative(&root.join(&*path), &here);
        }
    }
    Ok(located)
}

/// A path as seen from a folder.
fn relative(path: &Path, here: &Path) -> PathBuf {
    let shared = path.components().zip(here.components()).take_while(|(one, other)| one == other).count();
    let up = here.components().skip(shared).map(|_| Path::new(".."));
    up.map(Path::as_os_str).chain(path.components().skip(shared).map(Component::as_os_str)).collect()
}

impl UserError for steady_waits::locate::LocateError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_as_seen_from_the_current_folder() {
        let seen = |path: &str, here: &str| relative(Path::new(path), Path::new(here)).display().to_string();
        assert_eq!(seen("/p/e2e/a.ts", "/p"), "e2e/a.ts");
        assert_eq!(seen("/p/e2e/a.ts", "/p/web"), "../e2e/a.ts");
        assert_eq!(seen("/p/a.ts", "/p/web/src"), "../../a.ts");
    }
}

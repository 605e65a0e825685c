//! Looks for values around a place: in the tests of its folder and in their past.

use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;
use steady_history::{Limits, Past, Repository, past, past_cached};
use steady_waits::locate::{Located, Query, Ranking, locate, past_query, read_corpus};

use super::place::Place;
use crate::cli::RankingChoice;
use crate::config::StoreConfig;
use crate::error::{CommandError, ReadError, UserError};
use crate::options::TuneOptions;
use crate::store;
use crate::voice::Voice;

/// The values for a place, their paths relative to the current folder.
pub(super) fn survey(
    place: &Place,
    options: &TuneOptions,
    config: &StoreConfig,
    voice: &mut Voice,
) -> Result<Located, CommandError> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).map_err(|source| ReadError {
        what: "the folder",
        path: PathBuf::from("."),
        source,
    })?;
    let file = place.path.canonicalize().unwrap_or_else(|_| here.join(&place.path));
    let folder = file.parent().unwrap_or(&here);
    let repository = match options.history_depth {
        Some(_) => repository(folder, voice),
        None => None,
    };
    let root = match &repository {
        Some(repository) => repository.root().canonicalize().unwrap_or_else(|_| repository.root().to_owned()),
        None => here.clone(),
    };
    let name = file.strip_prefix(&root).unwrap_or(&file).to_owned();
    let corpus = read_corpus(&root, &name).map_err(|source| ReadError {
        what: "the test",
        path: place.path.clone(),
        source,
    })?;
    let past = repository.as_ref().zip(options.history_depth).and_then(|(repository, depth)| {
        let folder = name.parent().unwrap_or(Path::new(""));
        read_past(repository, folder, depth, config, voice)
    });
    let ranking = match options.ranking {
        RankingChoice::Learned => Ranking::Learned,
        RankingChoice::Traf => Ranking::Traf,
        RankingChoice::Frequency => Ranking::Frequency,
    };
    let query = Query { file: &name, line: place.line, past: past.as_ref() };
    let mut located = locate(&corpus, &query, ranking)?;
    for candidate in &mut located.candidates {
        if let Some(path) = &mut candidate.path {
            *path = relative(&root.join(&*path), &here);
        }
    }
    Ok(located)
}

fn repository(folder: &Path, voice: &mut Voice) -> Option<Repository> {
    match Repository::find(folder) {
        Ok(Some(repository)) => Some(repository),
        Ok(None) => {
            voice.note("not under git: only the code as it is counts".to_owned());
            None
        }
        Err(error) => {
            voice.warn(format!("history does not count: {}", explained(&error)));
            None
        }
    }
}

/// The past of a folder, remembered in the store where that is possible.
fn read_past(
    repository: &Repository,
    folder: &Path,
    depth: usize,
    config: &StoreConfig,
    voice: &mut Voice,
) -> Option<Past> {
    let query = past_query(folder, Limits { depth, ..Limits::default() });
    let read = match store::open(config, Path::new(".")) {
        Ok(mut store) => past_cached(repository, &query, &mut store.git_cache(Timestamp::now())),
        Err(error) => {
            voice.note(format!("history is not remembered: {}", store::explained(&error)));
            past(repository, &query)
        }
    };
    match read {
        Ok(past) => {
            past.notes.iter().for_each(|note| voice.note(note.clone()));
            Some(past)
        }
        Err(error) => {
            voice.warn(format!("history does not count: {}", explained(&error)));
            None
        }
    }
}

fn explained(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error} ({cause})"),
        None => error.to_string(),
    }
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

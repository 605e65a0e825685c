//! A folder of mapping files, read again when it changes.
//!
//! As with WireMock, mappings are `*.json` in the folder `mappings` and bodies are in `__files` beside it; a folder without `mappings`
//! holds the mapping files itself. A file that cannot be read keeps everything as it was.

use std::fs;
use std::hash::Hasher as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xxhash_rust::xxh3::Xxh3Default;

use crate::mapping::{Mapping, MappingError, StubId, read};
use crate::state::State;

/// Folders deeper than that are links that lead back.
const DEEPEST: usize = 16;

/// A folder of mappings.
#[derive(Debug)]
pub struct MappingFolder {
    mappings: PathBuf,
    files: PathBuf,
    /// What the folder looked like when it was read.
    seen: Option<u64>,
}

/// A mapping, and where in which file it stands.
struct Placed {
    mapping: Mapping,
    file: usize,
}

impl MappingFolder {
    /// The folder at this path; nothing is read yet.
    pub fn new(root: &Path) -> Self {
        let below = root.join("mappings");
        let mappings = if below.is_dir() { below } else { root.to_owned() };
        Self { mappings, files: root.join("__files"), seen: None }
    }

    /// Reads the folder when it changed since it was last read: the number of stubs, or everything that is wrong. With an error, the
    /// stubs stay as they are.
    pub fn refresh(&mut self, state: &State) -> Option<Result<usize, Vec<MappingError>>> {
        let now = self.fingerprint();
        if self.seen == Some(now) {
            return None;
        }
        self.seen = Some(now);
        Some(self.load(state))
    }

    fn load(&self, state: &State) -> Result<usize, Vec<MappingError>> {
        let paths = self.paths(&self.mappings, "json").map_err(|error| vec![error])?;
        let (mut texts, mut placed, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            let origin = path.display().to_string();
            let outcome = read_bounded(&path).and_then(|text| Ok((read(&text, &origin)?, text)));
            match outcome {
                Ok((mappings, text)) => {
                    for (at, mut mapping) in mappings.into_iter().enumerate() {
                        let name = path.strip_prefix(&self.mappings).unwrap_or(&path).display();
                        mapping.id =
                            mapping.stated_id().or_else(|| Some(StubId::of_text(&format!("{name}#{at}"))));
                        placed.push(Placed { mapping, file: texts.len() });
                    }
                    texts.push((origin, text));
                }
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let count = placed.len();
        let files: Vec<usize> = placed.iter().map(|placed| placed.file).collect();
        let mappings = placed.into_iter().map(|placed| placed.mapping).collect();
        let bodies = self.files.is_dir().then_some(self.files.as_path());
        state.stubs.set_defaults(mappings, bodies).map_err(|(at, error)| {
            let (origin, text) = &texts[files[at]];
            vec![MappingError::of_message(origin, text, &error.to_string())]
        })?;
        Ok(count)
    }

    /// A number that differs when a file was added, removed or written.
    fn fingerprint(&self) -> u64 {
        let mut hasher = Xxh3Default::new();
        for (folder, extension) in [(&self.mappings, "json"), (&self.files, "")] {
            for path in self.paths(folder, extension).unwrap_or_default() {
                hasher.update(path.as_os_str().as_encoded_bytes());
                if let Ok(metadata) = fs::metadata(&path) {
                    let modified = metadata
                        .modified()
                        .ok()
                        .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
                    hasher.write_u128(modified.unwrap_or_default().as_nanos());
                    hasher.write_u64(metadata.len());
                }
            }
        }
        hasher.digest()
    }

    /// The files below a folder, in order; only those with the extension, when one is given.
    fn paths(&self, folder: &Path, extension: &str) -> Result<Vec<PathBuf>, MappingError> {
        let mut found = Vec::new();
        let listed = list(folder, extension, &self.files, 0, &mut found);
        listed.map_err(|source| MappingError::Unreadable { path: folder.to_owned(), source })?;
        found.sort();
        Ok(found)
    }
}

fn list(
    folder: &Path,
    extension: &str,
    files: &Path,
    depth: usize,
    found: &mut Vec<PathBuf>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            // Bodies can be JSON, too.
            let is_bodies = extension == "json" && path == files;
            if depth < DEEPEST && !is_bodies {
                list(&path, extension, files, depth + 1, found)?;
            }
        } else if extension.is_empty() || path.extension().is_some_and(|given| given == extension) {
            found.push(path);
        }
    }
    Ok(())
}

fn read_bounded(path: &Path) -> Result<String, MappingError> {
    let unreadable = |source| MappingError::Unreadable { path: path.to_owned(), source };
    let bytes = fs::metadata(path).map_err(unreadable)?.len();
    if bytes > MappingError::MAX_BYTES {
        return Err(MappingError::TooLarge { path: path.to_owned(), bytes });
    }
    fs::read_to_string(path).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::JournalLimits;

    fn names(state: &State) -> Vec<String> {
        let mut names: Vec<String> =
            state.stubs.all().iter().filter_map(|stub| stub.mapping.name.clone()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_read_again_when_it_changes_and_errors_keep_the_last_good_version() {
        let root = tempfile::tempdir().unwrap();
        let mappings = root.path().join("mappings").join("deep");
        fs::create_dir_all(&mappings).unwrap();
        fs::create_dir(root.path().join("__files")).unwrap();
        let write = |name: &str, text: &str| fs::write(mappings.join(name), text).unwrap();
        let state = State::new(0, JournalLimits::default());
        let mut folder = MappingFolder::new(root.path());
        write("a.json", r#"{"name": "a"}"#);
        write("b.json", r#"{"mappings": [{"name": "b1"}, {"name": "b2"}]}"#);
        assert_eq!(folder.refresh(&state).unwrap().unwrap(), 3);
        assert!(folder.refresh(&state).is_none());
        let identity = state.stubs.all()[0].id;

        write("a.json", "{\n  \"nme\": \"x\"\n}");
        write("c.json", "{");
        let errors = folder.refresh(&state).unwrap().unwrap_err();
        assert_eq!(errors.len(), 2);
        assert!(matches!(&errors[0], MappingError::Invalid { line: 2, column: 4, .. }), "{errors:?}");
        assert_eq!(names(&state), ["a", "b1", "b2"]);

        fs::remove_file(mappings.join("a.json")).unwrap();
        write("c.json", r#"{"name": "c", "response": {"bodyFileName": "none.txt"}}"#);
        let errors = folder.refresh(&state).unwrap().unwrap_err();
        assert!(errors[0].to_string().starts_with("`none.txt` cannot be read below"), "{errors:?}");
        fs::write(root.path().join("__files/none.txt"), "here now").unwrap();
        assert_eq!(folder.refresh(&state).unwrap().unwrap(), 3);
        assert_eq!(names(&state), ["b1", "b2", "c"]);
        assert!(state.stubs.all().iter().any(|stub| stub.id == identity));
    }

    #[test]
    fn bodies_stay_below_their_folder() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("__files")).unwrap();
        fs::write(root.path().join("secret"), "x").unwrap();
        fs::write(root.path().join("a.json"), r#"{"response": {"bodyFileName": "../secret"}}"#).unwrap();
        let state = State::new(0, JournalLimits::default());
        let errors = MappingFolder::new(root.path()).refresh(&state).unwrap().unwrap_err();
        assert_eq!(errors[0].to_string(), "`../secret` is not below the folder `__files`");
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let state = State::new(0, JournalLimits::default());
        let errors = MappingFolder::new(Path::new("/none/such")).refresh(&state).unwrap().unwrap_err();
        assert!(matches!(errors[0], MappingError::Unreadable { .. }));
    }
}

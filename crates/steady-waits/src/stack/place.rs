//! Which file of the project a frame names.

use std::path::{Path, PathBuf};

use steady_model::percent;

/// Folders that hold what others wrote.
const PACKAGES: [&str; 5] = ["node_modules", "bower_components", ".yarn", ".pnpm", ".vite"];
/// Folders that hold what a build wrote.
const BUILT: [&str; 5] = ["dist", "build", "out", ".next", "coverage"];
/// Vitest puts a function's name before the path with nothing but a space between them. Names with more spaces are not
/// tried.
const SPACES: usize = 8;

/// A place that is written as `path:line:column`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written<'a> {
    pub(super) path: &'a str,
    pub(super) line: usize,
    pub(super) column: Option<usize>,
}

/// Reads `path:line:column` or `path:line`.
pub(super) fn written(text: &str) -> Option<Written<'_>> {
    let (rest, last) = numbered(text)?;
    let (path, line, column) = match numbered(rest) {
        Some((path, line)) => (path, line, Some(last)),
        None => (rest, last, None),
    };
    (!path.is_empty()).then_some(Written { path, line, column })
}

fn numbered(text: &str) -> Option<(&str, usize)> {
    let (rest, number) = text.rsplit_once(':')?;
    let number = number.parse().ok().filter(|number| *number > 0)?;
    Some((rest, number))
}

/// The project's folder as frames may write it.
pub(super) struct Root {
    folder: PathBuf,
    /// As given, absolute, and with its links followed, all with slashes.
    written: Vec<String>,
}

impl Root {
    pub(super) fn of(project: &Path) -> Self {
        let mut written = vec![slashes(&project.to_string_lossy())];
        for spelled in [std::path::absolute(project).ok(), project.canonicalize().ok()].into_iter().flatten()
        {
            written.push(slashes(&spelled.to_string_lossy()));
        }
        Self { folder: project.to_owned(), written }
    }

    /// The file that a frame names, relative to the folder, if it is one of the project.
    pub(super) fn file(&self, written: &str) -> Option<PathBuf> {
        let behind_spaces = written.match_indices(' ').take(SPACES).map(|(at, _)| &written[at + 1..]);
        std::iter::once(written).chain(behind_spaces).find_map(|path| self.existing(path))
    }

    fn existing(&self, written: &str) -> Option<PathBuf> {
        let path = slashes(&address(written)?);
        let relative = match self.written.iter().find_map(|root| below(&path, root)) {
            Some(relative) => relative,
            None if is_absolute(&path) => return None,
            None => &path,
        };
        let path = tidy(relative)?;
        self.folder.join(&path).is_file().then_some(path)
    }
}

/// Whether a build wrote the file.
pub(super) fn is_built(path: &Path) -> bool {
    path.iter().any(|part| BUILT.iter().any(|built| part == *built))
}

/// The path in an address (`file:`, `webpack:`, `http:`); a path is its own. None for what is no file.
fn address(written: &str) -> Option<String> {
    let Some((scheme, rest)) = written.split_once(':').filter(|(scheme, _)| scheme.len() > 1) else {
        return Some(written.to_owned());
    };
    let path = match scheme {
        // A path behind `file:` is absolute; what is between the slashes names this machine.
        "file" => {
            let path = rest.strip_prefix("//").map_or(rest, |rest| &rest[rest.find('/').unwrap_or(0)..]);
            let decoded = percent::decode(path.split(['?', '#']).next()?);
            let drive = decoded.as_bytes().get(2) == Some(&b':');
            return Some(if drive { decoded[1..].to_owned() } else { decoded });
        }
        "webpack" | "http" | "https" => rest.strip_prefix("//")?.split_once('/')?.1,
        _ => return None,
    };
    // `@fs` is how Vite's server names a file by its absolute path.
    let path = percent::decode(path.split(['?', '#']).next()?);
    let path = path.strip_prefix("@fs").unwrap_or(&path);
    Some(path.to_owned())
}

fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || has_drive(path)
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// What is below a folder. Windows does not mind case.
fn below<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    let root = root.trim_end_matches('/');
    let (front, rest) = path.split_at_checked(root.len())?;
    let same = if has_drive(root) { front.eq_ignore_ascii_case(root) } else { front == root };
    (same && is_absolute(path)).then(|| rest.strip_prefix('/')).flatten()
}

/// The path without `.` and `..`; None when it leaves the folder or goes through packages.
fn tidy(path: &str) -> Option<PathBuf> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part if PACKAGES.contains(&part) || part.contains(['\0', ':']) => return None,
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_a_line_and_perhaps_a_column() {
        let place = |path, line, column| Some(Written { path, line, column });
        for (text, expected) in [
            ("a.js:3:4", place("a.js", 3, Some(4))),
            ("a.js:3", place("a.js", 3, None)),
            (r"C:\shop\a.js:3:4", place(r"C:\shop\a.js", 3, Some(4))),
            ("a.js", None),
            (":3:4", None),
            ("a.js:0", None),
            ("a.js:99999999999999999999", None),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn a_folder_is_found_in_every_spelling() {
        for (path, root, expected) in [
            ("/shop/test/a.js", "/shop", Some("test/a.js")),
            ("/shop/test/a.js", "/shop/", Some("test/a.js")),
            ("/shopping/a.js", "/shop", None),
            ("c:/shop/a.js", "C:/Shop", Some("a.js")),
            ("/SHOP/a.js", "/shop", None),
            ("a.js", "", None),
        ] {
            assert_eq!(below(path, root), expected, "{path} in {root}");
        }
    }

    #[test]
    fn addresses_are_read_as_paths() {
        for (written, expected) in [
            ("test/a.js", Some("test/a.js")),
            (r"C:\shop\a.js", Some(r"C:\shop\a.js")),
            ("file:///shop/a%20b.mjs", Some("/shop/a b.mjs")),
            ("file:///C:/shop/a.mjs", Some("C:/shop/a.mjs")),
            ("webpack://shop/./cypress/a.cy.js", Some("./cypress/a.cy.js")),
            ("webpack:///./cypress/a.cy.js", Some("./cypress/a.cy.js")),
            ("http://localhost:5173/src/a.ts?t=17", Some("src/a.ts")),
            ("http://localhost:5173/@fs/shop/a.ts", Some("/shop/a.ts")),
            ("node:internal/timers", None),
            ("webpack-internal:///./a.js", None),
        ] {
            assert_eq!(address(written).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn a_path_never_leaves_the_folder() {
        for (path, expected) in [
            ("./test/../test/a.js", Some("test/a.js")),
            ("../a.js", None),
            ("a/../../a.js", None),
            ("node_modules/x/a.js", None),
            ("", None),
            ("a\0.js", None),
        ] {
            assert_eq!(tidy(path), expected.map(PathBuf::from), "{path:?}");
        }
    }
}

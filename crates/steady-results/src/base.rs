//! The folder that file names are relative to.

use std::path::{Path, PathBuf};

/// The project's root, so that names do not depend on where the project lies.
///
/// Runners report files in many ways: absolute, relative to the root, as a `file://` address, with backslashes, or by a
/// Python module's dotted name. [`Base`] turns all of them into a path relative to the root, with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// The root as it was given and with links resolved, both ending in `/`: runners report either.
    roots: Vec<String>,
    folder: PathBuf,
    temporary: Vec<String>,
}

impl Base {
    /// A project in this folder.
    pub fn new(root: impl AsRef<Path>) -> Self {
        let given = root.as_ref();
        let mut roots: Vec<String> = Vec::new();
        for path in [std::path::absolute(given), given.canonicalize()].into_iter().flatten() {
            let folder = folder_text(&path);
            // A root of `/` would make every absolute path relative and say nothing.
            if folder.len() > 1 && !roots.contains(&folder) {
                roots.push(folder);
            }
        }
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        Self { roots, folder: given.to_owned(), temporary: Vec::new() }
    }

    /// The same, with a folder for temporary files beside the usual ones: paths into it differ from run to run.
    #[must_use]
    pub fn with_temporary(mut self, folder: impl AsRef<Path>) -> Self {
        self.temporary.push(folder_text(folder.as_ref()));
        self
    }

    /// The root folder, as it was given.
    pub fn root(&self) -> &Path {
        &self.folder
    }

    /// A file's name relative to the root, with `/`.
    ///
    /// An absolute path outside the root comes from another machine or a container: its longest tail that the root
    /// holds is taken, and the path as it is when there is none.
    pub fn relative(&self, path: &str) -> String {
        let path = path.strip_prefix("file://").unwrap_or(path).replace('\\', "/");
        if let Some(inside) = self.roots.iter().find_map(|root| path.strip_prefix(root.as_str())) {
            return inside.to_owned();
        }
        if !is_absolute(&path) {
            return path.trim_start_matches("./").to_owned();
        }
        let mut tails = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        tails.find(|tail| self.holds(tail)).map_or_else(|| path.clone(), str::to_owned)
    }

    /// The file and the rest of a dotted name like `tests.test_cart.TestCart`, if the root holds `tests/test_cart.py`.
    pub(crate) fn python_module<'a>(&self, dotted: &'a str) -> Option<(String, &'a str)> {
        if dotted.len() > 500 || dotted.contains(['/', ' ', '\\', ':']) {
            return None;
        }
        let mut files = dotted
            .match_indices('.')
            .map(|(at, _)| at)
            .chain([dotted.len()])
            .map(|end| (end, format!("{}.py", dotted[..end].replace('.', "/"))));
        let (end, file) = files.rfind(|(_, file)| self.holds(file))?;
        Some((file, dotted[end..].trim_start_matches('.')))
    }

    /// The roots as text, the longest first; every one ends in `/`.
    pub(crate) fn roots(&self) -> &[String] {
        &self.roots
    }

    /// Further folders for temporary files, each ending in `/`.
    pub(crate) fn temporary(&self) -> &[String] {
        &self.temporary
    }

    fn holds(&self, relative: &str) -> bool {
        !relative.is_empty() && !relative.contains("..") && self.folder.join(relative).is_file()
    }
}

fn folder_text(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    format!("{}/", text.trim_end_matches('/'))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_named_relative_to_the_root() {
        let base = Base::new("/home/ann/shop");
        let table = [
            ("/home/ann/shop/tests/a.test.js", "tests/a.test.js"),
            ("file:///home/ann/shop/tests/a.test.js", "tests/a.test.js"),
            ("tests\\a.test.js", "tests/a.test.js"),
            ("./tests/a.test.js", "tests/a.test.js"),
            ("/home/ann/shopping/a.test.js", "/home/ann/shopping/a.test.js"),
            ("../other/a.test.js", "../other/a.test.js"),
        ];
        for (reported, expected) in table {
            assert_eq!(base.relative(reported), expected, "{reported}");
        }
    }

    #[test]
    fn a_path_of_another_machine_is_found_by_its_tail() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tests")).unwrap();
        fs::write(folder.path().join("tests/a.test.js"), "").unwrap();
        let base = Base::new(folder.path());
        assert_eq!(base.relative("/app/tests/a.test.js"), "tests/a.test.js");
        assert_eq!(base.relative("C:\\ci\\shop\\tests\\a.test.js"), "tests/a.test.js");
        assert_eq!(base.relative("/app/tests/b.test.js"), "/app/tests/b.test.js");
    }

    #[test]
    fn a_dotted_name_becomes_the_file_the_root_holds() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("tests/unit")).unwrap();
        fs::write(folder.path().join("tests/unit/test_cart.py"), "").unwrap();
        let base = Base::new(folder.path());
        let file = "tests/unit/test_cart.py".to_owned();
        assert_eq!(base.python_module("tests.unit.test_cart.TestCart"), Some((file.clone(), "TestCart")));
        assert_eq!(base.python_module("tests.unit.test_cart"), Some((file, "")));
        assert_eq!(base.python_module("tests.unit.test_order"), None);
        assert_eq!(base.python_module("..etc.passwd"), None);
    }
}

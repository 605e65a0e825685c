//! Finds the source file of a JVM class: a stack frame has only the class and the file's bare name.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// How many files and folders are visited; more than any project has.
const LIMIT: usize = 200_000;
/// Folders that hold no source of the project's own.
const SKIPPED: [&str; 4] = ["target", "build", "out", "node_modules"];

/// The source files of a project, by their bare name. The folders are walked when first asked.
#[derive(Debug)]
pub(crate) struct SourceFiles {
    root: PathBuf,
    by_name: Option<BTreeMap<String, Vec<PathBuf>>>,
}

impl SourceFiles {
    /// The files of the project in `root`, which is a path without links.
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, by_name: None }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The file of a class, relative to the root. Of several that fit, the one with the package in its path; Kotlin does not ask
    /// for that, so the only one of its name fits as well.
    pub(crate) fn of_class(&mut self, class: &str, file: &str) -> Option<PathBuf> {
        let root = &self.root;
        let by_name = self.by_name.get_or_insert_with(|| walk(root));
        let found = by_name.get(file)?;
        let package = class.rsplit_once('.').map_or("", |(package, _)| package).replace('.', "/");
        let place = Path::new(&package).join(file);
        let fits = found.iter().find(|path| path.ends_with(&place));
        match (fits, found.as_slice()) {
            (Some(path), _) | (None, [path]) => Some(path.clone()),
            _ => None,
        }
    }
}

/// Every Java and Kotlin file, in the order of its path.
fn walk(root: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            seen += 1;
            if seen > LIMIT {
                return found;
            }
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = folder.join(&name);
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) => {
                    folders.push(path);
                }
                Ok(kind) if kind.is_file() && is_source(&path) => found.entry(name).or_default().push(path),
                _ => {}
            }
        }
    }
    for paths in found.values_mut() {
        paths.sort_unstable();
    }
    found
}

fn is_source(path: &Path) -> bool {
    matches!(path.extension().and_then(OsStr::to_str), Some("java" | "kt" | "groovy"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_found_by_its_package_or_by_its_name_alone() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "a/src/shop/CartTest.java",
            "b/src/mall/CartTest.java",
            "kotlin/QuotesTest.kt",
            "target/shop/GoneTest.java",
        ] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut files = SourceFiles::new(folder.path().to_owned());
        let table = [
            ("shop.CartTest", "CartTest.java", Some("a/src/shop/CartTest.java")),
            ("mall.CartTest$Inner", "CartTest.java", Some("b/src/mall/CartTest.java")),
            ("shop.QuotesTest", "QuotesTest.kt", Some("kotlin/QuotesTest.kt")),
            ("pub.CartTest", "CartTest.java", None),
            ("shop.GoneTest", "GoneTest.java", None),
            ("shop.CartTest", "../CartTest.java", None),
        ];
        for (class, file, expected) in table {
            assert_eq!(files.of_class(class, file).as_deref(), expected.map(Path::new), "{class}");
        }
    }
}

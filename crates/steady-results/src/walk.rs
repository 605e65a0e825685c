//! Finds files by a pattern.

use std::fs;
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};

/// How many folder entries are visited; a pattern over a home folder is taken for a mistake.
const ENTRY_LIMIT: usize = 1_000_000;

/// Files under a folder, by path, at most `limit` of them.
///
/// Unlike `glob::glob` this never follows a link to a folder: links may lead in circles, and each round would find the
/// same files again.
pub(crate) fn files(root: &Path, pattern: &str, limit: usize) -> Vec<PathBuf> {
    let Ok(compiled) = Pattern::new(pattern) else { return Vec::new() };
    let plain: PathBuf = Path::new(pattern).components().take_while(|part| !is_wild(part)).collect();
    let start = root.join(&plain);
    if start.is_file() {
        return vec![start];
    }
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
    let depth = Path::new(pattern).components().count() - plain.components().count();
    let depth = if pattern.contains("**") { usize::MAX } else { depth };
    let mut found = Vec::new();
    let mut folders = vec![(start, plain, 1)];
    let mut entries = 0;
    while let Some((folder, relative, level)) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > ENTRY_LIMIT || found.len() >= limit {
                return sorted(found);
            }
            let (path, relative) = (entry.path(), relative.join(entry.file_name()));
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && level < depth {
                folders.push((path, relative, level + 1));
            } else if !is_folder && compiled.matches_path_with(&relative, options) && path.is_file() {
                // Pipes and devices are skipped: reading one would block, or never end.
                found.push(path);
            }
        }
    }
    sorted(found)
}

fn is_wild(part: &Component<'_>) -> bool {
    part.as_os_str().to_string_lossy().contains(['*', '?', '['])
}

fn sorted(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_what_they_say() {
        let root = tempfile::tempdir().unwrap();
        for file in ["a.xml", "out/b.xml", "out/deep/c.xml", "out/[d].xml", "out/e.json"] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let table: [(&str, &[&str]); 8] = [
            ("a.xml", &["a.xml"]),
            ("./a.xml", &["a.xml"]),
            ("*.xml", &["a.xml"]),
            ("out/*.xml", &["out/[d].xml", "out/b.xml"]),
            ("*/*.json", &["out/e.json"]),
            ("**/*.xml", &["a.xml", "out/[d].xml", "out/b.xml", "out/deep/c.xml"]),
            ("out/**/*", &["out/[d].xml", "out/b.xml", "out/deep/c.xml", "out/e.json"]),
            ("nothing/*.xml", &[]),
        ];
        for (pattern, expected) in table {
            let found = files(root.path(), pattern, 100);
            let expected: Vec<PathBuf> = expected.iter().map(|file| root.path().join(file)).collect();
            assert_eq!(found, expected, "{pattern}");
            let absolute = format!("{}/{pattern}", root.path().display());
            assert_eq!(files(Path::new("elsewhere"), &absolute, 100), expected, "{absolute}");
        }
        assert_eq!(files(root.path(), "**/*", 2).len(), 2);
    }
}

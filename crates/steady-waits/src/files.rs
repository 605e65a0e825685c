//! Which files are tests.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The endings of JavaScript and TypeScript.
pub const EXTENSIONS: [&str; 8] = ["js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts"];
/// A larger file is generated.
pub const LARGEST: u64 = 1 << 20;

/// Parts of a name that only tests have.
const MARKS: [&str; 10] =
    [".test.", ".spec.", ".cy.", ".e2e.", ".tests.", ".specs.", "-test.", "_test.", "-spec.", "_spec."];
/// Folders that hold tests, whatever their files are called.
const FOLDERS: [&str; 14] = [
    "__tests__",
    "test",
    "tests",
    "e2e",
    "e2e-tests",
    "test-e2e",
    "cypress",
    "spec",
    "specs",
    "integration",
    "integration-tests",
    "playwright",
    "acceptance",
    "browser-tests",
];
/// Folders that hold what is installed or built.
const SKIPPED: [&str; 9] = [
    "node_modules",
    "bower_components",
    "dist",
    "build",
    "out",
    "coverage",
    "vendor",
    "target",
    "steady-out",
];

/// Whether a path, relative to its project, is one of test code.
pub fn is_test_file(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let mut folders = path.parent().into_iter().flat_map(Path::components);
    is_script(path)
        && !name.ends_with(".d.ts")
        && !name.contains(".min.")
        && (MARKS.iter().any(|mark| name.contains(mark)) || folders.any(is_test_folder))
}

/// Whether a path has the ending of JavaScript or TypeScript.
pub fn is_script(path: &Path) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(|one| EXTENSIONS.contains(&one))
}

fn is_test_folder(component: Component<'_>) -> bool {
    component.as_os_str().to_str().is_some_and(|name| FOLDERS.contains(&name))
}

/// Whether a folder of this name is looked into.
pub fn is_entered(name: &str) -> bool {
    !SKIPPED.contains(&name) && !name.starts_with('.')
}

/// The test files below a folder, in order; a file that is named counts whatever it is called. Links are not followed.
pub fn test_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if fs::metadata(path)?.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() && entry.file_name().to_str().is_some_and(is_entered) {
                folders.push(path);
            } else if kind.is_file() && is_test_file(&path) && entry.metadata()?.len() <= LARGEST {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_names_or_their_folders() {
        for path in [
            "src/cart.test.ts",
            "cart.spec.tsx",
            "cypress/support/commands.js",
            "src/__tests__/cart.js",
            "e2e/cart.mts",
            "src/cart.cy.js",
        ] {
            assert!(is_test_file(Path::new(path)), "{path}");
        }
        for path in ["src/cart.ts", "src/latest.js", "test/data.json", "types/cart.test.d.ts", "contest.ts"] {
            assert!(!is_test_file(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_is_installed_or_built_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        for path in
            ["e2e/b.spec.ts", "a.test.js", "node_modules/x/x.test.js", ".cache/c.test.js", "src/app.js"]
        {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, "").expect("a file");
        }
        let found = test_files(folder.path()).expect("files");
        assert_eq!(found, ["a.test.js", "e2e/b.spec.ts"].map(|path| folder.path().join(path)));
        let named = folder.path().join("src/app.js");
        assert_eq!(test_files(&named).expect("a file"), [named]);
    }
}

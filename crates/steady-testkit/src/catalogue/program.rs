//! How the APIs are built and started.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::RunnerError;
use crate::install;
use crate::process::must_succeed;
use crate::runners::INSTALL_LIMIT;

/// The API in Rust, built by the cargo that runs the tests.
pub(super) fn native(part: Option<&str>) -> Result<String, RunnerError> {
    static BUILT: OnceLock<()> = OnceLock::new();
    let target = install::target_folder();
    if BUILT.get().is_none() {
        // Two threads may both come here; the second build finds nothing to do.
        build_native(&target)?;
        BUILT.get_or_init(|| ());
    }
    let command = format!("{} --port {{port}}", quoted(&target.join("debug/flaky-catalogue")));
    Ok(match part {
        None => command,
        Some(part) => format!("{command} --part {part}"),
    })
}

fn build_native(target: &Path) -> Result<(), RunnerError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut build = Command::new(cargo);
    build
        .args(["build", "--quiet", "--locked", "--package", "steady-testkit", "--bin", "flaky-catalogue"])
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    // Variables about the package under test: some build scripts would run again for them, here and in the next build.
    let of_package = |name: &OsString| {
        let name = name.to_string_lossy();
        ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start))
    };
    for (name, _) in std::env::vars_os().filter(|(name, _)| of_package(name)) {
        build.env_remove(name);
    }
    must_succeed(&mut build, INSTALL_LIMIT)
}

/// The API in Python; the standard library is all it needs.
pub(super) fn python() -> String {
    format!("python3 {} --port {{port}}", quoted(&source("python/api.py")))
}

/// The API in Node; the standard library is all it needs.
pub(super) fn node() -> String {
    format!("node {} --port {{port}}", quoted(&source("node/api.js")))
}

/// The API in Java, built by Maven.
pub(super) fn java() -> Result<String, RunnerError> {
    let project = source("java");
    let mut files = Vec::new();
    list(&project, &mut files)?;
    let mut recipe = String::new();
    for file in &files {
        recipe += &fs::read_to_string(file).map_err(unusable(file))?;
    }
    let home = install::once("catalogue-java", &recipe, |home| {
        for file in &files {
            let Ok(inside) = file.strip_prefix(&project) else { continue };
            let copy = home.join(inside);
            if let Some(folder) = copy.parent() {
                fs::create_dir_all(folder).map_err(unusable(folder))?;
            }
            fs::copy(file, &copy).map_err(unusable(&copy))?;
        }
        let mut maven = Command::new("mvn");
        maven
            .args(["--batch-mode", "--no-transfer-progress", "--quiet", "process-classes"])
            .current_dir(home);
        must_succeed(&mut maven, INSTALL_LIMIT)
    })?;
    let mut libraries = Vec::new();
    list(&home.join("target/lib"), &mut libraries)?;
    let path: Vec<String> = [home.join("target/classes")]
        .iter()
        .chain(&libraries)
        .map(|path| path.display().to_string())
        .collect();
    Ok(format!("java -cp {} shop.Main --port {{port}}", quoted(Path::new(&path.join(":")))))
}

/// The files below a folder, in order.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), RunnerError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unusable(folder))? {
        paths.push(entry.map_err(unusable(folder))?.path());
    }
    paths.sort_unstable();
    for path in paths {
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue").join(path)
}

fn unusable(path: &Path) -> impl FnOnce(std::io::Error) -> RunnerError + use<> {
    let path = path.to_owned();
    move |source| RunnerError::Folder { path, source }
}

/// As one word for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-:+".contains(letter);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted(Path::new("/a/b-1.2:c")), "/a/b-1.2:c");
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}

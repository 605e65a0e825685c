//! The packages of a workspace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::package::Package;
use crate::files::is_entered;

/// No more packages are read than this.
const MOST: usize = 2_000;
/// `**` is followed this far.
const DEEPEST: usize = 4;

/// The packages that live beside each other in a repository, by name.
#[derive(Debug)]
pub(super) struct Workspace {
    packages: BTreeMap<String, (PathBuf, Package)>,
}

impl Workspace {
    /// The workspace whose root a folder is, if it is one: npm and yarn list its folders in `package.json`, pnpm in
    /// `pnpm-workspace.yaml`.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let mut patterns = Package::read(folder).map(|package| package.workspaces()).unwrap_or_default();
        if let Ok(text) = fs::read_to_string(folder.join("pnpm-workspace.yaml")) {
            patterns.extend(pnpm(&text));
        }
        if patterns.is_empty() {
            return None;
        }
        let mut folders = Vec::new();
        for pattern in patterns.iter().filter(|pattern| !pattern.starts_with('!')) {
            let parts: Vec<&str> = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
            expand(folder, &parts, DEEPEST, &mut folders);
        }
        let read = folders.into_iter().take(MOST).filter_map(|folder| {
            let package = Package::read(&folder)?;
            Some((package.name()?.to_owned(), (folder, package)))
        });
        Some(Self { packages: read.collect() })
    }

    /// The file that a source means: a package, or a path in one.
    pub(super) fn file(&self, source: &str) -> Option<PathBuf> {
        let is_scoped = source.starts_with('@');
        let end = source.match_indices('/').nth(usize::from(is_scoped)).map(|(at, _)| at);
        let (name, path) = end.map_or((source, ""), |end| (&source[..end], &source[end + 1..]));
        let (folder, package) = self.packages.get(name)?;
        package.file(folder, path)
    }
}

/// The folders that a pattern names: `packages/*`, `e2e/**`.
fn expand(folder: &Path, parts: &[&str], left: usize, found: &mut Vec<PathBuf>) {
    let [part, rest @ ..] = parts else {
        if folder.join("package.json").is_file() && found.len() < MOST {
            found.push(folder.to_owned());
        }
        return;
    };
    if !part.contains('*') {
        return expand(&folder.join(part), rest, left, found);
    }
    if *part == "**" {
        expand(folder, rest, left, found);
    }
    let Some((before, after)) = part.split_once('*') else { return };
    let mut below: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            is_entered(name) && (*part == "**" || (name.starts_with(before) && name.ends_with(after)))
        })
        .map(|entry| entry.path())
        .collect();
    below.sort();
    for folder in below {
        match (*part, left.checked_sub(1)) {
            ("**", Some(left)) => expand(&folder, parts, left, found),
            ("**", None) => {}
            _ => expand(&folder, rest, left, found),
        }
    }
}

/// The patterns of a `pnpm-workspace.yaml`: the list under `packages`.
fn pnpm(text: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with("packages:")).skip(1);
    let listed = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
    let listed = listed.filter(|line| !line.is_empty()).map_while(|line| line.strip_prefix('-'));
    listed.map(|pattern| pattern.trim().trim_matches(['\'', '"']).to_owned()).collect()
}

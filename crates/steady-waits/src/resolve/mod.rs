//! Which file an import means.
//!
//! Relative paths, `paths` and `baseUrl` of a `tsconfig.json` or `jsconfig.json` with what it `extends`, `imports` and
//! `_moduleAliases` of a `package.json`, and the packages of a workspace. What is installed is not looked at.

mod package;
mod tsconfig;
mod workspace;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::files::{EXTENSIONS, LARGEST};
use package::Package;
use tsconfig::TsConfig;
use workspace::Workspace;

/// Folders above a file that are looked into.
const HIGHEST: usize = 16;

/// Finds the files that imports mean; what is read of a folder is read once.
#[derive(Debug, Default)]
pub(crate) struct Resolver {
    configs: BTreeMap<PathBuf, Option<TsConfig>>,
    packages: BTreeMap<PathBuf, Option<Package>>,
    workspaces: BTreeMap<PathBuf, Option<Workspace>>,
}

impl Resolver {
    /// The file that a source means in a file that imports it.
    pub(crate) fn file(&mut self, importer: &Path, source: &str) -> Option<PathBuf> {
        if source.starts_with("./") || source.starts_with("../") || matches!(source, "." | "..") {
            return file_at(&importer.parent().unwrap_or(Path::new("")).join(source));
        }
        // Nodes own modules and addresses are no files of a project.
        if source.starts_with("node:") || source.starts_with('/') || source.contains("://") {
            return None;
        }
        let importer = std::path::absolute(importer).ok()?;
        let folders: Vec<&Path> = importer.ancestors().skip(1).take(HIGHEST).collect();
        if source.starts_with('#') {
            return folders.iter().find_map(|folder| self.package(folder)?.import(folder, source));
        }
        let by_config = folders.iter().find_map(|folder| self.config(folder)?.file(source));
        by_config
            .or_else(|| folders.iter().find_map(|folder| self.package(folder)?.alias(folder, source)))
            .or_else(|| folders.iter().find_map(|folder| self.workspace(folder)?.file(source)))
    }

    fn config(&mut self, folder: &Path) -> Option<&TsConfig> {
        self.configs.entry(folder.to_owned()).or_insert_with(|| TsConfig::of_folder(folder)).as_ref()
    }

    fn package(&mut self, folder: &Path) -> Option<&Package> {
        self.packages.entry(folder.to_owned()).or_insert_with(|| Package::read(folder)).as_ref()
    }

    fn workspace(&mut self, folder: &Path) -> Option<&Workspace> {
        self.workspaces.entry(folder.to_owned()).or_insert_with(|| Workspace::read(folder)).as_ref()
    }
}

/// The file that a path means: with the ending that is left out, or the `index` of a folder.
pub(crate) fn file_at(base: &Path) -> Option<PathBuf> {
    if base.components().any(|part| part == Component::Normal("node_modules".as_ref())) {
        return None;
    }
    let with = |base: &Path, extension: &str| {
        let mut name = base.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        PathBuf::from(name)
    };
    // TypeScript names the file that will be: `./times.js` is written as `times.ts`.
    let written = base.extension().is_some_and(|end| end == "js").then(|| base.with_extension("ts"));
    let index = base.join("index");
    let ending = |base: &Path| EXTENSIONS.map(|extension| with(base, extension));
    let mut tried = std::iter::once(base.to_owned()).chain(written).chain(ending(base)).chain(ending(&index));
    tried.find(|path| path.is_file())
}

/// What a pattern with at most one `*` leaves of a source for the star, and how much of the source it names.
fn matched<'s>(pattern: &str, source: &'s str) -> Option<(usize, &'s str)> {
    match pattern.split_once('*') {
        None => (pattern == source).then_some((usize::MAX, "")),
        Some((before, after)) => {
            let rest = source.strip_prefix(before)?.strip_suffix(after)?;
            Some((before.len(), rest))
        }
    }
}

/// Reads a file of JSON that may have comments and commas at the end of lists, as `tsconfig.json` does.
fn read_json(path: &Path) -> Option<Value> {
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
    let text = Some(path).filter(|_| is_small).and_then(|path| fs::read_to_string(path).ok())?;
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&plain(text)).ok())
}

/// JSON without comments and without commas before a closing bracket.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut in_text = false;
    while let Some(sign) = rest.next() {
        match sign {
            '\\' if in_text => {
                plain.push(sign);
                plain.extend(rest.next());
            }
            '"' => {
                in_text = !in_text;
                plain.push(sign);
            }
            '/' if !in_text && rest.peek() == Some(&'/') => {
                while rest.peek().is_some_and(|sign| *sign != '\n') {
                    rest.next();
                }
            }
            '/' if !in_text && rest.peek() == Some(&'*') => {
                rest.next();
                let mut last = ' ';
                for sign in rest.by_ref() {
                    if last == '*' && sign == '/' {
                        break;
                    }
                    last = sign;
                }
            }
            ']' | '}' if !in_text => {
                let kept = plain.trim_end();
                let kept = kept.strip_suffix(',').unwrap_or(kept).len();
                plain.truncate(kept);
                plain.push(sign);
            }
            _ => plain.push(sign),
        }
    }
    plain
}

#[cfg(test)]
mod tests;

//! `paths` and `baseUrl` of a `tsconfig.json`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{file_at, matched, read_json};

/// Configurations that extend each other are followed this far.
const DEEPEST: usize = 6;

/// What a configuration says about imports.
#[derive(Debug, Clone, Default)]
pub(super) struct TsConfig {
    /// What names that are not relative may be relative to.
    base: Option<PathBuf>,
    /// Patterns, and what they stand for.
    paths: Vec<(String, Vec<PathBuf>)>,
}

impl TsConfig {
    /// The configuration in a folder.
    pub(super) fn of_folder(folder: &Path) -> Option<Self> {
        let names = ["tsconfig.json", "jsconfig.json"].map(|name| folder.join(name));
        names.iter().find(|path| path.is_file()).and_then(|path| Self::read(path, DEEPEST))
    }

    fn read(path: &Path, left: usize) -> Option<Self> {
        let left = left.checked_sub(1)?;
        let config = read_json(path)?;
        let folder = path.parent()?;
        let mut read = Self::default();
        // What comes later counts, and what the file says itself counts most.
        let extended = match config.get("extends") {
            Some(Value::String(one)) => vec![one.as_str()],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        for inherited in extended.iter().filter_map(|name| Self::read(&extended_file(folder, name)?, left)) {
            read.base = inherited.base.or(read.base);
            if !inherited.paths.is_empty() {
                read.paths = inherited.paths;
            }
        }
        let options = config.get("compilerOptions");
        if let Some(base) = options.and_then(|options| options.get("baseUrl")?.as_str()) {
            read.base = Some(folder.join(base));
        }
        if let Some(paths) = options.and_then(|options| options.get("paths")?.as_object()) {
            let root = read.base.clone().unwrap_or_else(|| folder.to_owned());
            let targets = |value: &Value| -> Vec<PathBuf> {
                let listed = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                listed.map(|target| root.join(target.replace("${configDir}", "."))).collect()
            };
            read.paths = paths.iter().map(|(pattern, value)| (pattern.clone(), targets(value))).collect();
        }
        Some(read)
    }

    /// The file that a source means.
    pub(super) fn file(&self, source: &str) -> Option<PathBuf> {
        let mut fitting: Vec<(usize, &str, &[PathBuf])> = self
            .paths
            .iter()
            .filter_map(|(pattern, targets)| {
                let (named, rest) = matched(pattern, source)?;
                Some((named, rest, targets.as_slice()))
            })
            .collect();
        fitting.sort_by_key(|(named, _, _)| std::cmp::Reverse(*named));
        let by_path =
            fitting.iter().flat_map(|(_, rest, targets)| targets.iter().map(move |target| (target, *rest)));
        let mut by_path =
            by_path.filter_map(|(target, rest)| file_at(Path::new(&target.to_str()?.replacen('*', rest, 1))));
        by_path.next().or_else(|| file_at(&self.base.as_ref()?.join(source)))
    }
}

/// The file that `extends` names: relative to the folder, or installed above it.
fn extended_file(folder: &Path, name: &str) -> Option<PathBuf> {
    let with_ending = |path: PathBuf| {
        let json = PathBuf::from(format!("{}.json", path.display()));
        let inside = path.join("tsconfig.json");
        [path, json, inside].into_iter().find(|path| path.is_file())
    };
    if name.starts_with('.') || Path::new(name).is_absolute() {
        return with_ending(folder.join(name));
    }
    folder.ancestors().find_map(|above| with_ending(above.join("node_modules").join(name)))
}

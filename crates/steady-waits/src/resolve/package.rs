//! What a `package.json` says about imports.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{file_at, matched, read_json};

/// Conditions of `imports` and `exports` that lead to source code, the likeliest first.
const CONDITIONS: [&str; 8] =
    ["source", "development", "types", "typescript", "import", "default", "node", "require"];

/// A `package.json`.
#[derive(Debug, Clone)]
pub(super) struct Package(Value);

impl Package {
    /// That of a folder.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        read_json(&folder.join("package.json")).filter(Value::is_object).map(Self)
    }

    /// What the package is called.
    pub(super) fn name(&self) -> Option<&str> {
        self.0.get("name")?.as_str()
    }

    /// The patterns by which it names the folders of its workspace.
    pub(super) fn workspaces(&self) -> Vec<String> {
        let listed = self.0.get("workspaces").map(|listed| listed.get("packages").unwrap_or(listed));
        let listed = listed.and_then(Value::as_array).into_iter().flatten();
        listed.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The file that a source means by `imports`: `#times`, `#test/*`.
    pub(super) fn import(&self, folder: &Path, source: &str) -> Option<PathBuf> {
        chosen(self.0.get("imports")?, source).into_iter().find_map(|target| file_at(&folder.join(target)))
    }

    /// The file that a source means by a name for a folder: `"_moduleAliases": { "@test": "test" }`.
    pub(super) fn alias(&self, folder: &Path, source: &str) -> Option<PathBuf> {
        let aliases = ["_moduleAliases", "alias"].iter().filter_map(|key| self.0.get(*key)?.as_object());
        let mut targets = aliases.flatten().filter_map(|(name, target)| {
            let rest = source.strip_prefix(name.as_str())?;
            let rest = rest.strip_prefix('/').or_else(|| rest.is_empty().then_some(""))?;
            file_at(&folder.join(target.as_str()?).join(rest))
        });
        targets.next()
    }

    /// The file of the package that is meant by a path in it; `.` is the package itself. What is built is not there: the source is
    /// looked for where it usually is.
    pub(super) fn file(&self, folder: &Path, path: &str) -> Option<PathBuf> {
        let key = if path.is_empty() { ".".to_owned() } else { format!("./{path}") };
        let exported = match self.0.get("exports") {
            Some(Value::Object(exports)) if exports.keys().any(|key| key.starts_with('.')) => {
                chosen(&Value::Object(exports.clone()), &key)
            }
            Some(one) if path.is_empty() => leaves(one),
            _ => Vec::new(),
        };
        let named = ["source", "module", "main"].iter().filter(|_| path.is_empty());
        let named = named.filter_map(|key| self.0.get(*key)?.as_str().map(str::to_owned));
        let usual = match path {
            "" => vec![
                "src/index".to_owned(),
                "src/main".to_owned(),
                "index".to_owned(),
                "lib/index".to_owned(),
            ],
            path => vec![path.to_owned(), format!("src/{path}")],
        };
        let source_of = |target: String| {
            let in_source = ["dist", "build", "lib"].iter().find_map(|built| {
                let rest = target.trim_start_matches("./").strip_prefix(built)?.strip_prefix('/')?;
                let bare = rest.trim_end_matches(".d.ts").trim_end_matches(".js").trim_end_matches(".mjs");
                Some(format!("src/{}", bare.trim_end_matches(".cjs")))
            });
            [Some(target), in_source]
        };
        let targets = exported.into_iter().chain(named).flat_map(source_of).flatten().chain(usual);
        targets
            .into_iter()
            .filter(|target| !target.ends_with(".d.ts"))
            .find_map(|target| file_at(&folder.join(target)))
    }
}

/// What `imports` or `exports` lead to for a key, all conditions in the order of their likelihood.
fn chosen(map: &Value, key: &str) -> Vec<String> {
    let entries = map.as_object().into_iter().flatten();
    let best = entries
        .filter_map(|(pattern, target)| Some((matched(pattern, key)?, target)))
        .max_by_key(|((named, _), _)| *named);
    let Some(((_, rest), target)) = best else { return Vec::new() };
    leaves(target).into_iter().map(|leaf| leaf.replacen('*', rest, 1)).collect()
}

/// The paths that a target may be.
fn leaves(target: &Value) -> Vec<String> {
    match target {
        Value::String(path) => vec![path.clone()],
        Value::Array(several) => several.iter().flat_map(leaves).collect(),
        Value::Object(conditions) => {
            CONDITIONS.iter().filter_map(|condition| conditions.get(*condition)).flat_map(leaves).collect()
        }
        _ => Vec::new(),
    }
}

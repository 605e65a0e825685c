//! Which names of a test file stand for functions of another file of the project.

use std::path::Path;

use crate::language::Language;

/// A name that a file imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedName {
    /// What the file calls it.
    pub name: String,
    /// What the other file calls it.
    pub exported: String,
    /// The other file, as the import names it: `./helpers`, `tests.client`, `.client`.
    pub module: String,
}

/// The names that a file imports from files, in the order of its text. Packages are not told from files of Python: whoever looks
/// for the file will not find one. Of JavaScript only relative imports are listed.
pub fn imported_names(path: &Path, text: &str) -> Vec<ImportedName> {
    match Language::of(path) {
        Some(Language::Python) => python(text),
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => script(text),
        _ => Vec::new(),
    }
}

/// `from tests.client import create, show as look`, also over several lines.
fn python(text: &str) -> Vec<ImportedName> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("from ") {
        let is_start = rest[..at].ends_with('\n') || rest[..at].is_empty();
        rest = &rest[at + "from ".len()..];
        let Some((module, names)) = rest.split_once(" import ").filter(|_| is_start) else { continue };
        let names = names.trim_start();
        let names = match names.strip_prefix('(') {
            Some(list) => list.split(')').next().unwrap_or_default(),
            None => names.lines().next().unwrap_or_default(),
        };
        let names: String =
            names.lines().flat_map(|line| [line.split('#').next().unwrap_or_default(), " "]).collect();
        if is_module(module) {
            found.extend(parts(&names, " as ").map(|(exported, name)| named(name, exported, module)));
        }
    }
    found
}

/// `import { create, show as look } from './client'`, `const { create, show: look } = require('./client')`
fn script(text: &str) -> Vec<ImportedName> {
    let mut found = Vec::new();
    for (keyword, end, alias) in [("import", "from", " as "), ("const", "= require(", ":")] {
        for (at, _) in text.match_indices(keyword) {
            let is_start = text[..at].ends_with('\n') || at == 0;
            let Some(list) = text[at + keyword.len()..].trim_start().strip_prefix('{').filter(|_| is_start)
            else {
                continue;
            };
            let Some((names, behind)) = list.split_once('}') else { continue };
            let Some(given) = behind.trim_start().strip_prefix(end).map(str::trim_start) else { continue };
            let Some(quote) = given.chars().next().filter(|sign| matches!(sign, '\'' | '"')) else {
                continue;
            };
            let module = given[1..].split(quote).next().unwrap_or_default();
            if module.starts_with('.') {
                found.extend(parts(names, alias).map(|(exported, name)| named(name, exported, module)));
            }
        }
    }
    found
}

/// The names of a list, each as the other file calls it and as this one does.
fn parts<'t>(list: &'t str, alias: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let is_name = |name: &&str| {
        !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || sign == '_' || sign == '$')
    };
    list.split(',')
        .map(str::trim)
        .map(move |part| part.split_once(alias).map_or((part, part), |(one, two)| (one.trim(), two.trim())))
        .filter(move |(exported, name)| is_name(exported) && is_name(name))
}

fn named(name: &str, exported: &str, module: &str) -> ImportedName {
    ImportedName { name: name.to_owned(), exported: exported.to_owned(), module: module.to_owned() }
}

fn is_module(module: &str) -> bool {
    !module.is_empty() && module.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(path: &str, text: &str) -> Vec<String> {
        let names = imported_names(Path::new(path), text);
        names.iter().map(|one| format!("{} {} {}", one.module, one.exported, one.name)).collect()
    }

    #[test]
    fn names_are_listed_with_what_they_are_called_elsewhere() {
        let python = "import os\nfrom client import create, show as look\nfrom .util import (\n    first,  # the first\n    last,\n)\nx = 'from a import b'\n";
        assert_eq!(
            listed("test_a.py", python),
            ["client create create", "client show look", ".util first first", ".util last last"]
        );
        let script = "import { titles, ids as keys } from './read';\nimport { it } from 'vitest';\nconst { make, drop: away } = require(\"../api\");\n";
        assert_eq!(
            listed("a.test.ts", script),
            ["./read titles titles", "./read ids keys", "../api make make", "../api drop away"]
        );
        assert_eq!(listed("A.java", "import static a.B.c;"), Vec::<String>::new());
    }
}

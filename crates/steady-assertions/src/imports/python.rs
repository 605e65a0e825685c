//! The imports of Python that new code needs, each in its place in the file.

use std::collections::BTreeSet;

use steady_edit::Edit;

use super::{after_mark, lines};

/// Modules of the standard library that tests import; a module that is not here is taken for another's.
const STANDARD: &[&str] = &[
    "abc",
    "argparse",
    "array",
    "ast",
    "asyncio",
    "atexit",
    "base64",
    "binascii",
    "bisect",
    "builtins",
    "calendar",
    "cgi",
    "codecs",
    "collections",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "csv",
    "ctypes",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "email",
    "enum",
    "errno",
    "fnmatch",
    "fractions",
    "functools",
    "gc",
    "getpass",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "imaplib",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "locale",
    "logging",
    "math",
    "mimetypes",
    "multiprocessing",
    "numbers",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "pkgutil",
    "platform",
    "pprint",
    "queue",
    "random",
    "re",
    "sched",
    "secrets",
    "select",
    "shlex",
    "shutil",
    "signal",
    "smtplib",
    "socket",
    "socketserver",
    "sqlite3",
    "ssl",
    "stat",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "sys",
    "sysconfig",
    "tarfile",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "timeit",
    "tokenize",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
    "webbrowser",
    "xml",
    "zipfile",
    "zlib",
    "zoneinfo",
];

/// An import statement at the head of a file.
struct Import<'t> {
    /// Where it begins, and where the next line does.
    start: usize,
    end: usize,
    /// Whether it takes names from the module.
    from: bool,
    module: &'t str,
}

impl Import<'_> {
    fn is_standard(&self) -> bool {
        self.module.split('.').next().is_some_and(|first| STANDARD.contains(&first))
    }
}

/// The edits that add what a source lacks: modules, and names of modules as `unittest.mock:ANY`.
pub(super) fn missing(text: &str, needed: &BTreeSet<&str>, eol: &str) -> Vec<Edit> {
    let imported = imported(text);
    let new: Vec<&str> = needed.iter().copied().filter(|name| !imported.contains(*name)).collect();
    if new.is_empty() {
        return Vec::new();
    }
    let head = head(text);
    let run: Vec<&Import<'_>> = head
        .iter()
        .skip_while(|import| !import.is_standard())
        .take_while(|import| import.is_standard())
        .collect();
    // Modules come first, then names of modules; either in the order of the modules.
    let key = |from: bool, module: &str| (from, module.to_ascii_lowercase());
    let mut new: Vec<(bool, &str, String)> = new.into_iter().map(|name| statement(name, eol)).collect();
    new.sort_by_key(|(from, module, _)| key(*from, module));
    if let Some(last) = run.last() {
        return new
            .into_iter()
            .map(|(from, module, code)| {
                let later = run.iter().find(|known| key(known.from, known.module) >= key(from, module));
                match later {
                    Some(known) => Edit::insert(known.start, code),
                    // The last line of a file may have no end.
                    None if text[..last.end].ends_with('\n') => Edit::insert(last.end, code),
                    None => Edit::insert(last.end, format!("{eol}{}", code.trim_end())),
                }
            })
            .collect();
    }
    let new: String = new.into_iter().map(|(_, _, code)| code).collect();
    if let Some(first) = head.first() {
        return vec![Edit::insert(first.start, format!("{new}{eol}"))];
    }
    let at = after_head(text);
    // Where blank lines follow, those stay below, as they stood above the first definition.
    let is_blank_below = text[at..].starts_with(['\r', '\n']) && !text[at..].trim().is_empty();
    let above = if is_blank_below && at > after_mark(text) { eol } else { "" };
    vec![Edit::insert(at, format!("{above}{new}"))]
}

/// Whether it takes a name, the module, and the statement.
fn statement<'n>(needed: &'n str, eol: &str) -> (bool, &'n str, String) {
    match needed.split_once(':') {
        Some((module, name)) => (true, module, format!("from {module} import {name}{eol}")),
        None => (false, needed, format!("import {needed}{eol}")),
    }
}

/// What the lines of a file import: modules, and names of modules as `unittest.mock:ANY`.
fn imported(text: &str) -> BTreeSet<String> {
    let mut imported = BTreeSet::new();
    for (_, line) in lines(text) {
        let plain = line.strip_prefix('\u{feff}').unwrap_or(line);
        let plain = plain.split(['#', ';']).next().unwrap_or_default();
        if let Some(names) = plain.strip_prefix("import ") {
            imported.extend(names.split(',').map(|name| name.trim().to_owned()));
        } else if let Some((module, names)) =
            plain.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
        {
            let names = names.split([',', '(', ')']).map(str::trim).filter(|name| !name.is_empty());
            imported.extend(names.map(|name| format!("{}:{name}", module.trim())));
        }
    }
    imported
}

/// The imports that a file begins with, those from the future aside.
fn head(text: &str) -> Vec<Import<'_>> {
    let from_here = after_head(text);
    let mut head: Vec<Import<'_>> = Vec::new();
    let mut open = false;
    for (start, line) in lines(text) {
        if start < from_here {
            continue;
        }
        let rest = &text[start + line.len()..];
        let end = start + line.len() + rest.find('\n').map_or(rest.len(), |at| at + 1);
        let code = line.split('#').next().unwrap_or_default().trim_end();
        if open {
            open = !code.contains(')') && !code.is_empty();
            if let Some(last) = head.last_mut() {
                last.end = end;
            }
            continue;
        }
        let from = code.starts_with("from ");
        let module = match code.strip_prefix(if from { "from " } else { "import " }) {
            Some(rest) => rest.trim_start().split([' ', ',', ';']).next().unwrap_or_default(),
            None if code.is_empty() => continue,
            None => break,
        };
        open = (code.contains('(') && !code.contains(')')) || code.ends_with('\\');
        head.push(Import { start, end, from, module });
    }
    head
}

/// Whether a module can be imported under its name: nothing else of the file has that name.
pub(crate) fn is_free(text: &str, module: &str) -> bool {
    let is_bound = |line: &str| {
        let code = line.split('#').next().unwrap_or_default().trim();
        let named = |names: &str| {
            names.split([',', '(', ')']).any(|name| name.split_whitespace().last() == Some(module))
        };
        let import = match code.split_once("import ") {
            Some((from, names)) if from.starts_with("from ") => named(names),
            Some(("", names)) => names.split(',').any(|name| name.trim().ends_with(&format!(" as {module}"))),
            _ => false,
        };
        let head = code.strip_prefix("async ").unwrap_or(code).strip_prefix("def ");
        let parameter = head.and_then(|head| head.split_once('(')).is_some_and(|(_, names)| named(names));
        let in_brackets = code.trim_end_matches(',') == module;
        import || parameter || in_brackets || code.starts_with(&format!("{module} = "))
    };
    !text.lines().any(is_bound)
}

/// The end of a module's comments, its docstring and its imports from the future.
fn after_head(text: &str) -> usize {
    let mut at = after_mark(text);
    let mut quote: Option<&str> = None;
    for (start, line) in lines(text) {
        let code = line.trim().trim_start_matches('\u{feff}');
        let rest = &text[start + line.len()..];
        let end = start + line.len() + rest.find('\n').map_or(rest.len(), |at| at + 1);
        match quote {
            Some(mark) => {
                if code.ends_with(mark) {
                    quote = None;
                }
                at = end;
            }
            None => {
                let mark = ["\"\"\"", "'''"].into_iter().find(|mark| code.starts_with(mark));
                if let Some(mark) = mark {
                    if !(code.len() >= 6 && code.ends_with(mark)) {
                        quote = Some(mark);
                    }
                    at = end;
                } else if code.starts_with('#') || code.starts_with("from __future__") {
                    at = end;
                } else if code.is_empty() {
                    // Blank lines stay below what is added.
                } else {
                    break;
                }
            }
        }
    }
    at
}

//! The imports that new code needs.

mod python;

use std::collections::BTreeSet;

use steady_edit::Edit;

use crate::language::Language;

pub(crate) use python::is_free;

/// Names of Hamcrest that its smaller class of core matchers has, too.
const CORE: &[&str] = &[
    "allOf",
    "anyOf",
    "containsString",
    "equalTo",
    "instanceOf",
    "not",
    "notNullValue",
    "nullValue",
    "startsWith",
];

/// The edits that add the imports a source lacks.
pub(crate) fn missing(text: &str, language: Language, needed: &BTreeSet<&str>, eol: &str) -> Vec<Edit> {
    match language {
        Language::Java | Language::Kotlin => jvm(text, language, needed, eol).into_iter().collect(),
        Language::Python => python::missing(text, needed, eol),
        Language::JavaScript | Language::TypeScript | Language::Tsx => Vec::new(),
    }
}

fn jvm(text: &str, language: Language, needed: &BTreeSet<&str>, eol: &str) -> Option<Edit> {
    let (keyword, end) = if language == Language::Java { ("import static ", ";") } else { ("import ", "") };
    let mut imported = BTreeSet::new();
    let (mut last, mut last_static, mut package) = (None, None, None);
    for (start, line) in lines(text) {
        let code = line.trim();
        if let Some(name) = code.strip_prefix("import ") {
            last = Some(start + line.len());
            if code.starts_with(keyword) {
                last_static = last;
            }
            let name = name.strip_prefix("static ").unwrap_or(name);
            imported.insert(name.split([';', '/']).next().unwrap_or(name).trim().to_owned());
        } else if code.starts_with("package ") {
            package = Some(start + line.len());
        }
    }
    let has = |name: &str| {
        let classes: &[&str] = match name {
            "assertThat" => &["MatcherAssert"],
            _ if CORE.contains(&name) => &["Matchers", "CoreMatchers"],
            _ => &["Matchers"],
        };
        classes.iter().any(|class| {
            let class = format!("org.hamcrest.{class}");
            imported.contains(&format!("{class}.{name}")) || imported.contains(&format!("{class}.*"))
        })
    };
    let new: Vec<_> = needed
        .iter()
        .filter(|name| !has(name))
        .map(|name| {
            let class = if *name == "assertThat" { "MatcherAssert" } else { "Matchers" };
            format!("{keyword}org.hamcrest.{class}.{name}{end}")
        })
        .collect();
    if new.is_empty() {
        return None;
    }
    let new = new.join(eol);
    Some(match (last_static.or(last), package) {
        (Some(at), _) => Edit::insert(at, format!("{eol}{new}")),
        (None, Some(at)) => Edit::insert(at, format!("{eol}{eol}{new}")),
        (None, None) => {
            let at = after_mark(text);
            Edit::insert(at, format!("{new}{eol}{eol}"))
        }
    })
}

/// The place after a byte order mark.
fn after_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The lines of a text without their ends, and where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches(['\r', '\n'])))
    })
}

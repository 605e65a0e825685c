//! Which test a JUnit case is: every runner puts file, class and name elsewhere.
//!
//! | runner            | file                      | describe blocks, classes           | name                          |
//! |-------------------|---------------------------|------------------------------------|-------------------------------|
//! | pytest            | `file` (xunit1) or dotted `classname` | the rest of `classname` | `name`                        |
//! | Surefire, Gradle  | not there                 | `classname`                        | `name`                        |
//! | Vitest            | `classname`               | in `name`, by ` > `                | `name`                        |
//! | Playwright        | `classname`               | in `name`, by ` › `                | `name`, project in `hostname` |
//! | jest-junit        | `file`, if asked for      | in `name`, by spaces               | `name`, again in `classname`  |
//! | node:test         | not there, or `file`      | nested `<testsuite>`s              | `name` (`classname` is `test`)|
//! | nextest, gotestsum| not there                 | `classname`: binary, package       | `name`                        |

use std::collections::BTreeMap;

use quick_xml::events::BytesStart;

use super::attribute;
use super::element::{OpenCase, Suite};
use crate::base::Base;
use crate::identity;

/// Runners whose reports need a rule of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Plain,
    Pytest,
    Playwright,
    Vitest,
}

/// Names the cases of one document.
pub(super) struct Placer<'a> {
    base: &'a Base,
    dialect: Dialect,
    /// The last class looked up in the file system: cases of one class stand together.
    looked_up: Option<(String, Option<(String, String)>)>,
    /// The last file as it was reported, and relative to the root.
    last_file: Option<(String, String)>,
    /// First words of classes, and whether the root holds a Python package of that name.
    packages: BTreeMap<String, bool>,
}

impl<'a> Placer<'a> {
    pub(super) fn new(base: &'a Base) -> Self {
        Self { base, dialect: Dialect::Plain, looked_up: None, last_file: None, packages: BTreeMap::new() }
    }

    /// Learns from a `<testsuites>` or `<testsuite>` which runner wrote the document.
    pub(super) fn learn(&mut self, start: &BytesStart<'_>) {
        if self.dialect != Dialect::Plain {
            return;
        }
        let name = attribute(start, "name").unwrap_or_default();
        self.dialect = match name.as_str() {
            "pytest" | "pytest tests" => Dialect::Pytest,
            "vitest tests" => Dialect::Vitest,
            // Of all of them only Playwright gives the whole document an id, usually an empty one.
            _ if start.local_name().as_ref() == "testsuites" && attribute(start, "id").is_some() => {
                Dialect::Playwright
            }
            _ => Dialect::Plain,
        };
    }

    pub(super) fn is_pytest(&self) -> bool {
        self.dialect == Dialect::Pytest
    }

    /// The id of a case inside these suites, the innermost last.
    pub(super) fn place(&mut self, case: &OpenCase, suites: &[Suite]) -> String {
        match self.dialect {
            Dialect::Playwright => self.titles(case, " › ", suites.last().map_or("", |suite| &suite.host)),
            Dialect::Vitest => self.titles(case, " > ", ""),
            Dialect::Plain | Dialect::Pytest => self.class_and_name(case, suites),
        }
    }

    /// The class is the file and the name holds all titles.
    fn titles(&self, case: &OpenCase, separator: &str, project: &str) -> String {
        let file = self.base.relative(&case.class);
        if case.name == case.class {
            return identity::id(self.base, [file.as_str()]);
        }
        let prefix = format!("[{project}] ");
        let name = case.name.strip_prefix(&prefix).unwrap_or(&case.name);
        let id = identity::id(self.base, [file.as_str()].into_iter().chain(name.split(separator)));
        if project.is_empty() { id } else { format!("{id} [{project}]") }
    }

    fn class_and_name(&mut self, case: &OpenCase, suites: &[Suite]) -> String {
        let mut file = case.file.as_str();
        if file.is_empty() {
            file = suites
                .iter()
                .rev()
                .map(|suite| suite.file.as_str())
                .find(|file| !file.is_empty())
                .unwrap_or("");
        }
        let file = self.file(file);
        let (mut file, mut class) = (file, case.class.as_str());
        let mut name = case.name.as_str();
        if class.is_empty() && file.is_empty() && looks_like_file(name) {
            return identity::id(self.base, [self.base.relative(name).as_str()]);
        }
        // A module that pytest cannot import has no class, and its dotted name for a name.
        if class.is_empty() && self.is_pytest() {
            (class, name) = (name, "");
        }
        let rest;
        if file.is_empty() && looks_like_file(class) {
            (file, class) = (self.base.relative(class), "");
        } else if file.is_empty() {
            if let Some((found, inside)) = self.module(class) {
                (file, rest) = (found, inside);
                class = &rest;
            }
        } else if file.ends_with(".py") {
            let dotted = file.trim_end_matches(".py").replace('/', ".");
            class = class.strip_prefix(&dotted).map_or(class, |inside| inside.trim_start_matches('.'));
        }
        // `test` is what node:test calls every class; the suites around it say more.
        let bare = matches!(case.class.as_str(), "" | "test") && !self.is_pytest();
        let around = if bare { suites } else { &[] };
        let around = around.iter().map(|suite| suite.name.as_str());
        let class = if class == "test" || name.ends_with(class) { "" } else { class };
        if file.is_empty() && class.is_empty() && looks_like_file(name) {
            return identity::id(self.base, [self.base.relative(name).as_str()]);
        }
        let class =
            if self.is_pytest() && !file.is_empty() { class.replace('.', "::") } else { class.to_owned() };
        identity::id(self.base, [file.as_str()].into_iter().chain(around).chain([class.as_str(), name]))
    }

    /// The file relative to the root; the same as for the case before, mostly.
    fn file(&mut self, reported: &str) -> String {
        match &self.last_file {
            Some((known, relative)) if known == reported => relative.clone(),
            _ if reported.is_empty() => String::new(),
            _ => {
                let relative = self.base.relative(reported);
                self.last_file = Some((reported.to_owned(), relative.clone()));
                relative
            }
        }
    }

    fn module(&mut self, class: &str) -> Option<(String, String)> {
        let first = class.split('.').next().unwrap_or("");
        let base = self.base;
        let known = self.packages.get(first).copied();
        if !known.unwrap_or_else(|| {
            *self.packages.entry(first.to_owned()).or_insert_with(|| base.holds_package(first))
        }) {
            return None;
        }
        match &self.looked_up {
            Some((known, found)) if known == class => found.clone(),
            _ => {
                let found = self.base.python_module(class).map(|(file, rest)| (file, rest.to_owned()));
                self.looked_up = Some((class.to_owned(), found.clone()));
                found
            }
        }
    }
}

/// A path to a file, not a package (`example.org/shop`) or a sentence.
fn looks_like_file(text: &str) -> bool {
    let last = text.rsplit(['/', '\\']).next().unwrap_or("");
    last.len() < text.len()
        && last.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty()
                && (1..=4).contains(&extension.len())
                && extension.chars().all(char::is_alphanumeric)
        })
        && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(xml: &str) -> Vec<String> {
        let cases = super::super::read(xml.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        cases.into_iter().map(|case| case.id).collect()
    }

    #[test]
    fn a_case_is_named_as_its_runner_means_it() {
        let table = [
            ("<testcase classname='shop.CartTest' name='addsUp'/>", "shop.CartTest::addsUp"),
            ("<testcase classname='shop.OrderTest' name=''/>", "shop.OrderTest"),
            (
                "<testcase classname='cart adds up' name='cart adds up' file='a.test.js'/>",
                "a.test.js::cart adds up",
            ),
            ("<testcase classname='adds up' name='cart adds up'/>", "cart adds up"),
            ("<testcase classname='example.org/shop' name='TestA/b.c'/>", "example.org/shop::TestA/b.c"),
            ("<testcase classname='test' name='/home/ann/shop/a.test.js'/>", "a.test.js"),
            (
                "<testcase classname='test' name='adds up' file='/home/ann/shop/a.test.js'/>",
                "a.test.js::adds up",
            ),
            (
                "<testsuite name='cart'><testcase classname='test' name='adds up'/></testsuite>",
                "cart::adds up",
            ),
            (
                "<testsuite name='c'><testcase classname='test' name='d' file='a.js'/></testsuite>",
                "a.js::c::d",
            ),
            (
                "<testsuite name='a' file='x/a.php'><testcase classname='T' name='t'/></testsuite>",
                "x/a.php::T::t",
            ),
        ];
        for (inside, expected) in table {
            assert_eq!(ids(&format!("<testsuites>{inside}</testsuites>")), [expected], "{inside}");
        }
    }
}

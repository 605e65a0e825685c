//! A test file: read, and its assertions found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steady_edit::LineIndex;
use tree_sitter::{Node, Tree};

use crate::assertion::{CallSite, Found, NotFollowed, Site, SourceAssertion};
use crate::find::{Home, Shared, find};
use crate::fixtures::FixtureFile;
use crate::imported::imported_names;
use crate::language::Language;
use crate::lower;
use crate::parse::parse;
use crate::render::supports;

/// The largest source that is read, in bytes; no test file is longer, and parsing takes many times its size.
pub const LARGEST: usize = 4 << 20;

/// A file of tests and what it asserts.
#[derive(Debug, Clone)]
pub struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) language: Language,
    assertions: Vec<SourceAssertion>,
    not_followed: Vec<NotFollowed>,
    pub(crate) sites: Vec<Site>,
    /// The files of fixtures that it was read with.
    pub(crate) fixtures: Vec<Arc<FixtureFile>>,
}

/// A source that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No language has this extension.
    #[error("{}: not a language whose tests can be read; expected .java, .kt, .py, .js, .jsx, .ts or .tsx", path.display())]
    Language {
        /// The file.
        path: PathBuf,
    },
    /// It is too large to be a test file.
    #[error("{}: {bytes} bytes are too many for a test file; at most {LARGEST} are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: usize,
    },
    /// Parsing it takes more work than any program would.
    #[error("{}: does not look like a program, and parsing it takes too long; the file is left as it is", path.display())]
    TooHard {
        /// The file.
        path: PathBuf,
    },
    /// It is not a program.
    #[error("{}:{line}:{column}: {what}; the file is left as it is", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column in characters, counted from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
}

impl Source {
    /// Reads a file's text; the language is that of the path's extension. Nothing is read from the disk.
    pub fn read(path: impl Into<PathBuf>, text: impl Into<String>) -> Result<Self, ParseError> {
        Self::read_with(path, text, &[])
    }

    /// Reads it with the files whose fixtures its tests see, the nearest first.
    pub fn read_with(
        path: impl Into<PathBuf>,
        text: impl Into<String>,
        fixtures: &[Arc<FixtureFile>],
    ) -> Result<Self, ParseError> {
        let (path, text) = (path.into(), text.into());
        let (language, tree) = parsed(&path, &text)?;
        let lines = LineIndex::new(&text);
        let (mut assertions, mut sites) = (Vec::new(), Vec::new());
        let file = lower::file(&tree, &text, language);
        let mut not_followed = BTreeMap::new();
        let imported = imported_names(&path, &text);
        for test in &file.tests {
            let own = Home { text: &text, lines: &lines, functions: &file.functions, fixture_file: None };
            let findings = find(test, own, Shared { files: fixtures, imported: &imported }, language);
            not_followed.extend(findings.not_followed);
            for found in findings.found {
                if merged(&found, &mut assertions, &sites) {
                    continue;
                }
                let mut assertion = SourceAssertion {
                    line: lines.line(found.span.start),
                    span: found.span,
                    test: test.name.clone(),
                    call: found.call,
                    also: Vec::new(),
                    assumed: found.assumed,
                    places: found.places,
                    held: found.held,
                    supported: false,
                };
                assertion.supported = supports(language, &found.site, &assertion);
                assertions.push(assertion);
                sites.push(found.site);
            }
        }
        let (assertions, sites) = in_order(assertions, sites);
        let (assertions, sites) = of_one_meaning(assertions, sites, &text, &mut not_followed);
        // What one test cannot follow, another may have.
        not_followed.retain(|at, _| !assertions.iter().any(|found| found.span.start == *at));
        let not_followed = not_followed.into_values().collect();
        Ok(Self { path, text, language, assertions, not_followed, sites, fixtures: fixtures.to_vec() })
    }

    /// The file it was read as.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that a request stands in.
    pub fn file_of(&self, call: &CallSite) -> &Path {
        call.fixture_file.and_then(|at| self.fixtures.get(at)).map_or(&self.path, |file| file.path())
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The assertions of its tests that lead to no response, in the order of the source.
    pub fn not_followed(&self) -> &[NotFollowed] {
        &self.not_followed
    }

    /// What its tests assert about responses, in the order of the source.
    pub fn assertions(&self) -> &[SourceAssertion] {
        &self.assertions
    }
}

/// The language of a file and its syntax.
pub(crate) fn parsed(path: &Path, text: &str) -> Result<(Language, Tree), ParseError> {
    let path = || path.to_owned();
    let Some(language) = Language::of(&path()) else { return Err(ParseError::Language { path: path() }) };
    if text.len() > LARGEST {
        return Err(ParseError::TooLarge { path: path(), bytes: text.len() });
    }
    let Some(tree) = parse(text, language) else { return Err(ParseError::TooHard { path: path() }) };
    match first_error(tree.root_node()) {
        Some(error) => Err(syntax_error(path(), text, error)),
        None => Ok((language, tree)),
    }
}

/// Whether an assertion is known already, in a function that another test calls: then it speaks of one more request.
fn merged(found: &Found, assertions: &mut [SourceAssertion], sites: &[Site]) -> bool {
    let same = assertions.iter_mut().zip(sites).find(|(known, _)| known.span == found.span);
    let Some((known, site)) = same else { return false };
    if known.places == found.places && site.subject == found.site.subject {
        if known.call != found.call && !known.also.contains(&found.call) {
            known.also.push(found.call);
        }
        known.assumed |= found.assumed;
    } else {
        // It means another thing in another test.
        known.places.clear();
    }
    true
}

/// Those that say the same in every test that runs them; the others are not followed.
fn of_one_meaning(
    assertions: Vec<SourceAssertion>,
    sites: Vec<Site>,
    text: &str,
    not_followed: &mut BTreeMap<usize, NotFollowed>,
) -> (Vec<SourceAssertion>, Vec<Site>) {
    let (clear, unclear): (Vec<_>, Vec<_>) =
        assertions.into_iter().zip(sites).partition(|(assertion, _)| !assertion.places.is_empty());
    for (SourceAssertion { span, line, .. }, _) in unclear {
        let code = text[span].lines().next().unwrap_or_default().trim().to_owned();
        let reason = "it is about something else in every test that calls it";
        not_followed.insert(span.start, NotFollowed { line, code, reason });
    }
    clear.into_iter().unzip()
}

/// Assertions and their sites by where they stand.
fn in_order(assertions: Vec<SourceAssertion>, sites: Vec<Site>) -> (Vec<SourceAssertion>, Vec<Site>) {
    let mut pairs: Vec<_> = assertions.into_iter().zip(sites).collect();
    pairs.sort_by_key(|(assertion, _)| (assertion.span.start, assertion.span.end));
    pairs.into_iter().unzip()
}

/// The first node that is wrong or missing, as deep as there is one.
fn first_error(root: Node<'_>) -> Option<Node<'_>> {
    let mut error = (root.is_error() || root.is_missing()).then_some(root).or_else(|| error_below(root))?;
    while let Some(inner) = error_below(error) {
        error = inner;
    }
    Some(error)
}

fn error_below(outer: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = outer.walk();
    loop {
        if !(cursor.node().has_error() && cursor.goto_first_child()) {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return None;
                }
            }
        }
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return Some(node);
        }
    }
}

fn syntax_error(path: PathBuf, text: &str, node: Node<'_>) -> ParseError {
    let start = node.start_byte();
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let what = if node.is_missing() {
        format!("expected `{}`", node.kind())
    } else {
        let near: String = text[start..].split_whitespace().next().unwrap_or("").chars().take(30).collect();
        if near.is_empty() { "unexpected end".to_owned() } else { format!("does not parse at `{near}`") }
    };
    ParseError::Syntax {
        path,
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        what,
    }
}

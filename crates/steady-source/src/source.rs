//! A test file: read, and its assertions found.

use std::path::{Path, PathBuf};

use tree_sitter::{Node, Parser};

use crate::assertion::{Site, SourceAssertion};
use crate::find::find;
use crate::language::Language;
use crate::lines::Lines;
use crate::lower;
use crate::render::supports;

/// The largest source that is read, in bytes; nobody writes a longer test file, and parsing takes many times its size.
pub const LARGEST: usize = 8 << 20;

/// A file of tests and what it asserts.
#[derive(Debug, Clone)]
pub struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) language: Language,
    assertions: Vec<SourceAssertion>,
    pub(crate) sites: Vec<Site>,
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
        let (path, text) = (path.into(), text.into());
        let Some(language) = Language::of(&path) else { return Err(ParseError::Language { path }) };
        if text.len() > LARGEST {
            return Err(ParseError::TooLarge { path, bytes: text.len() });
        }
        let mut parser = Parser::new();
        let tree = match parser.set_language(&language.grammar()) {
            Ok(()) => parser.parse(&text, None),
            Err(_) => None,
        };
        // Neither fails: the grammars are of this parser's version, and nothing limits its time.
        let Some(tree) = tree else { return Err(ParseError::Language { path }) };
        if let Some(error) = first_error(tree.root_node()) {
            return Err(syntax_error(path, &text, error));
        }
        let lines = Lines::new(&text);
        let (mut assertions, mut sites) = (Vec::new(), Vec::new());
        for test in lower::tests(&tree, &text, language) {
            for found in find(&test, &text, &lines, language) {
                let mut assertion = SourceAssertion {
                    line: lines.line(found.span.start),
                    span: found.span,
                    test: test.name.clone(),
                    call: found.call,
                    places: found.places,
                    supported: false,
                };
                assertion.supported = supports(language, &found.site, &assertion);
                assertions.push(assertion);
                sites.push(found.site);
            }
        }
        Ok(Self { path, text, language, assertions, sites })
    }

    /// The file it was read as.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// What its tests assert about responses, in the order of the source.
    pub fn assertions(&self) -> &[SourceAssertion] {
        &self.assertions
    }
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

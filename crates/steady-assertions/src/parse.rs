//! Parsing with tree-sitter within bounds, whatever the text is.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

use tree_sitter::{Language, Node, ParseOptions, Parser, Tree};

use crate::error::ParseError;

/// How much of the text the parser is given at a time, in bytes.
const CHUNK: usize = 4 << 10;

/// How often it may read the text: a program is read about twice, while some scanners look to the end of garbage at every
/// word of it.
const READINGS: usize = 100;

/// Stack for each byte of the text: the parser frees what it could not reduce by recursion, a call for each token.
const STACK: usize = 256;

/// Parses a text, if it is a program and takes no more work than any program.
pub(crate) fn parse(path: &Path, text: &str, grammar: &Language) -> Result<Tree, ParseError> {
    let stack = (1 << 20) + text.len() * STACK;
    let tree = thread::scope(|scope| {
        let parsing = thread::Builder::new().stack_size(stack).spawn_scoped(scope, || bounded(text, grammar));
        parsing.ok()?.join().ok()?
    });
    let Some(tree) = tree else { return Err(ParseError::TooHard { path: path.to_owned() }) };
    match first_error(tree.root_node()) {
        Some(error) => Err(syntax_error(path.to_owned(), text, error)),
        None => Ok(tree),
    }
}

fn bounded(text: &str, grammar: &Language) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let bytes = text.as_bytes();
    let most = READINGS * (bytes.len() / CHUNK + 2);
    let readings = std::cell::Cell::new(0);
    let mut read = |at: usize, _| {
        readings.set(readings.get() + 1);
        let end = bytes.len().min((at / CHUNK + 1) * CHUNK);
        bytes.get(at..end).unwrap_or_default()
    };
    let mut go_on =
        |_: &_| if readings.get() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut go_on)))
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

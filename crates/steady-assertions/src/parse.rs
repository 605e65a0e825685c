//! Parsing within bounds, whatever the text is.

use std::ops::ControlFlow;
use std::thread;

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::language::Language;

/// How much of the text the parser is given at a time, in bytes.
const CHUNK: usize = 4 << 10;

/// How often it may read the text: a program is read about twice, while some scanners look to the end of garbage at every
/// word of it.
const READINGS: usize = 100;

/// Stack for each byte of the text: the parser frees what it could not reduce by recursion, a call for each token.
const STACK: usize = 256;

/// Parses a text; none when it takes more work than any program.
pub(crate) fn parse(text: &str, language: Language) -> Option<Tree> {
    let stack = (1 << 20) + text.len() * STACK;
    thread::scope(|scope| {
        let parsing =
            thread::Builder::new().stack_size(stack).spawn_scoped(scope, || bounded(text, language));
        parsing.ok()?.join().ok()?
    })
}

fn bounded(text: &str, language: Language) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()).ok()?;
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

//! From text to a syntax tree, whatever dialect the file is written in.

pub(crate) mod byte_span;
pub(crate) mod depth;
pub(crate) mod error;

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use steady_edit::{LineIndex, Span};

use crate::{LARGEST, ParseError};

/// How deep a file may be nested.
const DEEPEST: usize = 60_000;

/// Stack for one level: what the parser's and the visitor's functions take together in a build without optimisation.
const STACK_PER_LEVEL: usize = 16 << 10;

/// Stack that every file gets.
const STACK: usize = 4 << 20;

/// Stack of a thread that reads many files. It is only reserved; what is not used costs nothing.
const ROOMY: usize = 64 << 20;

thread_local! {
    /// How much of this thread's stack files may use.
    static ROOM: Cell<usize> = const { Cell::new(0) };
}

/// Starts a thread with stack enough to read files as people write them: elsewhere every file is read on a thread of its own.
///
/// # Errors
///
/// If the system has no room for the thread.
pub fn spawn_reader<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(ROOMY + STACK).spawn_scoped(scope, || {
        ROOM.set(ROOMY);
        work()
    })
}

/// Parses `text` and gives the tree to `then`, on a thread whose stack is large enough for both; the name of the file says in
/// which language it is written.
///
/// # Errors
///
/// If the text is no JavaScript or TypeScript, or too large or too deep to be read.
pub fn with_program<T, F>(path: &Path, text: &str, then: F) -> Result<T, ParseError>
where
    F: FnOnce(&Program<'_>) -> T + Send,
    T: Send,
{
    let dialects = dialects(path)?;
    if text.len() > LARGEST {
        return Err(ParseError::TooLarge { bytes: text.len() });
    }
    let depth = depth::bound(text);
    if depth > DEEPEST {
        return Err(ParseError::TooDeep { depth, limit: DEEPEST });
    }
    let stack = STACK + depth * STACK_PER_LEVEL;
    if stack <= ROOM.get() {
        // The tree is gone with the panic, so that nothing half done can be seen.
        return catch_unwind(AssertUnwindSafe(|| parse(&dialects, text, then)))
            .unwrap_or(Err(ParseError::Crashed));
    }
    std::thread::scope(|scope| {
        let thread = Builder::new()
            .stack_size(stack)
            .spawn_scoped(scope, || parse(&dialects, text, then))
            .map_err(|_| ParseError::NoThread { stack })?;
        thread.join().unwrap_or(Err(ParseError::Crashed))
    })
}

/// The dialects that a file of this name may be written in, the likeliest first.
fn dialects(path: &Path) -> Result<Vec<SourceType>, ParseError> {
    let extension =
        path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let javascript = SourceType::mjs().with_jsx(true);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    Ok(match extension.as_str() {
        // Some projects write types into plain `.js` files and let their build strip them.
        "js" | "jsx" | "mjs" | "cjs" => vec![javascript, javascript.with_script(true), SourceType::tsx()],
        "ts" | "mts" | "cts" if stem.ends_with(".d") => vec![SourceType::d_ts()],
        "ts" | "mts" | "cts" => vec![SourceType::ts(), SourceType::ts().with_script(true)],
        "tsx" => vec![SourceType::tsx(), SourceType::tsx().with_script(true)],
        _ => return Err(ParseError::Extension { extension }),
    })
}

fn parse<T>(
    dialects: &[SourceType],
    text: &str,
    then: impl FnOnce(&Program<'_>) -> T,
) -> Result<T, ParseError> {
    // A test may stand in a function that a runner wraps around the file.
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let mut first = None;
    for dialect in dialects {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, text, *dialect).with_options(options).parse();
        let Some(wrong) = parsed.diagnostics.first() else {
            return Ok(then(&parsed.program));
        };
        let place = wrong.labels.first().map(|label| (label.offset() as usize, label.len() as usize));
        first.get_or_insert_with(|| syntax(text, &wrong.message, place));
    }
    Err(first.unwrap_or_else(|| syntax(text, "no dialect fits", None)))
}

fn syntax(text: &str, message: &str, place: Option<(usize, usize)>) -> ParseError {
    let lines = LineIndex::new(text);
    let (byte, length) = place.unwrap_or((text.len(), 1));
    let byte = text.floor_char_boundary(byte.min(text.len()));
    let line = lines.line(byte);
    let span = lines.span(text, line).unwrap_or(Span::empty(byte));
    let end = text.floor_char_boundary((byte + length).min(span.end)).max(byte);
    ParseError::Syntax {
        line,
        column: lines.column_utf16(text, byte),
        width: text[byte..end].encode_utf16().count().max(1),
        message: message.to_owned(),
        source_line: text[span].to_owned(),
    }
}

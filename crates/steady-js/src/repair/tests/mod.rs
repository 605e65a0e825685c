//! What a file looks like after each repair, byte by byte.

mod insert;
mod refuse;
mod replace;
mod round;
mod tell;
mod unused;

use std::path::Path;

use super::*;
use crate::KnownHelpers;

/// Reads a file, changes the wait in a line and says what came out.
fn repaired(
    path: &str,
    text: &str,
    line: usize,
    column: Option<usize>,
    ms: u64,
) -> Result<Repair, RepairError> {
    let script = Script::read(Path::new(path), text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let target = Target::near(&script, line, column)?;
    repair(&script, &target, ms)
}

/// A statement in an async test, with what the file begins with.
fn test_with(head: &str, statement: &str) -> (String, usize) {
    let statement = statement.replace('\n', "\n  ");
    let text = format!("{head}\nit('works', async () => {{\n  {statement}\n}});\n");
    (text, head.lines().count().max(1) + 2)
}

/// Changes the last line that a statement names with `«»`, or its first line, and compares.
#[track_caller]
fn assert_repair(path: &str, head: &str, statement: &str, expected: &str, ms: u64, action: Action) {
    let (text, first) = test_with(head, &statement.replace(['«', '»'], ""));
    let offset = statement.find('«').map_or(0, |at| statement[..at].matches('\n').count());
    let (expected, _) = test_with(head, expected);
    let repair =
        repaired(path, &text, first + offset, None, ms).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(repair.text, expected, "{text}");
    assert_eq!(repair.action, action, "{text}");
}

//! What a person sees: progress, warnings and notes on stderr, results on stdout.
//!
//! Every line can be read without colour. Text from an API is escaped: it cannot move the cursor.

mod escape;
mod messages;
mod table;

pub use escape::{escape_controls, escape_lines};
pub use messages::Messages;
pub use table::figures_table;

use std::io::{self, Write};

use crate::error::UserError;

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only failures, faults and errors.
    Quiet,
    /// What most people want to know.
    Normal,
    /// Also what went well.
    Verbose,
}

/// Results could not be printed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to stdout")]
pub struct PrintError(#[source] io::Error);

impl UserError for PrintError {}

/// Prints to stdout; a reader that has closed the pipe is not an error.
pub fn print(text: &str) -> Result<(), PrintError> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(PrintError(error)),
        _ => Ok(()),
    }
}

/// Prints a line to stderr; there is nowhere to report that this failed.
pub fn eprint_line(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// A remark that asks for no action.
pub fn note_line(message: &str) -> String {
    escape_controls(&format!("note: {message}"))
}

/// A number with thin groups: `12,345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 test`, `2 tests`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number as u64))
}

/// Text on one line, escaped, and cut after this many characters.
pub fn cut(text: &str, width: usize) -> String {
    let escaped = escape_controls(text);
    match escaped.char_indices().nth(width) {
        None => escaped,
        Some((end, _)) => format!("{}…", &escaped[..end]),
    }
}

/// The first line of a message that says something, escaped and cut; `None` if there is none.
pub fn first_line(message: &str, width: usize) -> Option<String> {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty())?;
    let mut shown: String = line.chars().take(width).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    Some(escape_controls(&shown))
}

/// `300 ms`, `2.5 s`, `2 min`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..120_000 => format!("{} s", trimmed(ms, 1_000)),
        _ => format!("{} min", trimmed(ms, 60_000)),
    }
}

fn trimmed(ms: u64, unit: u64) -> String {
    let hundredths = (ms * 100 + unit / 2) / unit;
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nouns_agree() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(counted(1, "test"), "1 test");
        assert_eq!(counted(1000, "test"), "1,000 tests");
    }

    #[test]
    fn durations_are_written_in_the_unit_people_would_use() {
        let texts = [0, 300, 1_000, 2_500, 30_000, 60_000, 120_000, 90_500].map(duration);
        assert_eq!(texts, ["0 ms", "300 ms", "1 s", "2.5 s", "30 s", "60 s", "2 min", "90.5 s"]);
    }
}

//! What Vitest prints: frames with a mark of their own and paths relative to the project, excerpts between them.
//!
//! ```text
//!  FAIL  test/cart.test.ts > cart > opens
//! Error: condition not met within 50 ms
//!  ❯ waitUntil test/utils.ts:8:9
//!  ❯ test/cart.test.ts:12:5
//! ```

use super::place;
use super::{Evidence, Frame, Subject, Told};

pub(super) fn read(line: &str) -> Option<Told> {
    if let Some(rest) = line.trim_start().strip_prefix("FAIL  ") {
        // A project's name may come first, between bars: `FAIL  |web| test/a.test.ts > title`.
        let file = rest.split(" > ").next().unwrap_or(rest);
        let file = file.rsplit_once("| ").map_or(file, |(_, file)| file).trim();
        return Some(Told::Failure(Some(Subject { path: file.to_owned(), at: None })));
    }
    let place = place::written(line.trim().strip_prefix("❯ ")?)?;
    place.column?;
    Some(Told::Frame(Frame::of(Evidence::Stack, place.path.to_owned(), place.line, place.column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_have_a_mark_and_counts_of_tests_are_none() {
        let frame = |path: &str, line, column| {
            Some(Told::Frame(Frame::of(Evidence::Stack, path.to_owned(), line, Some(column))))
        };
        for (line, expected) in [
            (" ❯ test/cart.test.ts:8:24", frame("test/cart.test.ts", 8, 24)),
            (" ❯ waitUntil test/utils.ts:8:9", frame("waitUntil test/utils.ts", 8, 9)),
            (" ❯ test/cart.test.ts (5 tests | 5 failed) 239ms", None),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn a_failure_names_its_file() {
        for line in [" FAIL  test/a.test.ts > cart > opens", " FAIL  |web| test/a.test.ts > opens"] {
            let subject = Subject { path: "test/a.test.ts".to_owned(), at: None };
            assert_eq!(read(line), Some(Told::Failure(Some(subject))), "{line}");
        }
    }
}

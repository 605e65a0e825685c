//! What Jest prints: an excerpt with its line marked, then a stack as V8 writes it, its paths relative to the project.
//!
//! ```text
//! FAIL test/cart.test.js
//!   ● cart › shows the total
//!     >  8 |     expect(cart.total).toBe(30);
//!       at Object.toBe (test/cart.test.js:8:24)
//! ```

use super::{Subject, Told};

/// The heading of what the tests printed, which has stacks too.
const PRINTED: &str = "Console";

pub(super) fn read(line: &str) -> Option<Told> {
    if let Some(file) = line.strip_prefix("FAIL ") {
        // A project's name may come first, and how long it took last: `FAIL web test/a.test.js (5.2 s)`.
        let file = file.split(" (").next().unwrap_or(file).trim();
        return Some(Told::Failure(Some(Subject { path: file.to_owned(), at: None })));
    }
    if let Some(title) = line.trim_start().strip_prefix("● ") {
        return (title.trim() != PRINTED).then_some(Told::Failure(None));
    }
    marked(line).map(Told::Marked)
}

/// The number of the line that an excerpt marks: `> 141 | code`.
fn marked(line: &str) -> Option<usize> {
    let (number, _) = line.trim_start().strip_prefix('>')?.split_once('|')?;
    number.trim().parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_say_which_line() {
        for (line, expected) in [
            ("    > 141 |     await sleep(10);", Some(141)),
            ("    >  8 | x", Some(8)),
            ("      7 | x", None),
            ("    > x | y", None),
            ("      |  ^", None),
        ] {
            assert_eq!(marked(line), expected, "{line}");
        }
    }

    #[test]
    fn what_tests_printed_is_no_failure() {
        assert_eq!(read("  ● Console"), None);
        assert_eq!(read("  ● cart › opens"), Some(Told::Failure(None)));
    }
}

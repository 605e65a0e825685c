//! What Node prints, and every runner that prints a stack as V8 writes it.
//!
//! ```text
//!     at open (file:///shop/test/cart.mjs:3:9)
//!     at async file:///shop/test/cart.mjs:5:1
//!     at new Cart (test/cart.js:12:3)
//! ```
//!
//! `node --test` leaves out the `at`; an error that nobody catches is introduced by its place alone.

use super::place::{self, Written};
use super::{Evidence, Frame, Told};

pub(super) fn read(line: &str) -> Option<Told> {
    let text = line.trim();
    if let Some((function, place)) = call(text) {
        return Some(Told::Frame(Frame {
            evidence: Evidence::Stack,
            function: function.map(str::to_owned),
            path: place.path.to_owned(),
            line: place.line,
            column: place.column,
        }));
    }
    if text.starts_with("not ok ") {
        return Some(Told::Failure(None));
    }
    let (evidence, bare) = match text.strip_prefix("location: '") {
        Some(location) => (Evidence::Test, location.strip_suffix('\'')?),
        None => (Evidence::Excerpt, line),
    };
    let place = place::written(bare).filter(|place| is_whole(place.path))?;
    Some(Told::Frame(Frame::of(evidence, place.path.to_owned(), place.line, place.column)))
}

/// Reads `at function (place)` and `at place`, with or without `async`.
pub(super) fn call(text: &str) -> Option<(Option<&str>, Written<'_>)> {
    let marked = text.strip_prefix("at ");
    let rest = marked.unwrap_or(text);
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    if let Some((function, place)) = rest.strip_suffix(')').and_then(|rest| rest.split_once(" (")) {
        let place = place::written(place)?;
        let trusted = marked.is_some() || is_whole(place.path) || place.path.starts_with("node:");
        return trusted.then_some((Some(function), place));
    }
    marked?;
    let place = place::written(rest)?;
    // Playwright names the file of an excerpt as `at helper.ts:6`, relative to a folder it does not name.
    place.column.is_some().then_some((None, place))
}

/// Whether a path is written from the root of the machine, so that it is no ordinary word.
fn is_whole(path: &str) -> bool {
    let drive = matches!(path.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    drive || path.starts_with("file://") || (path.starts_with('/') && !path.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_with_and_without_a_function() {
        for (text, function, path, line, column) in [
            ("at open (file:///shop/a.mjs:3:9)", Some("open"), "file:///shop/a.mjs", 3, 9),
            ("at async file:///shop/a.mjs:5:1", None, "file:///shop/a.mjs", 5, 1),
            ("at /shop/my tests/a.ts:5:1", None, "/shop/my tests/a.ts", 5, 1),
            ("at async Context.<anonymous> (a.js:8:12)", Some("Context.<anonymous>"), "a.js", 8, 12),
            ("at Cart.get [as total] (a (1).js:8:12)", Some("Cart.get [as total]"), "a (1).js", 8, 12),
            ("Test.run (file:///shop/a.mjs:5:10)", Some("Test.run"), "file:///shop/a.mjs", 5, 10),
        ] {
            let place = Written { path, line, column: Some(column) };
            assert_eq!(call(text), Some((function, place)), "{text}");
        }
    }

    #[test]
    fn what_only_resembles_a_call_is_none() {
        for text in [
            "at Promise.all (index 0)",
            "at <anonymous>",
            "at helper.ts:6",
            "at 12:30",
            "meet me (room:3:4)",
            "see http://a/b.js:3:4",
        ] {
            assert_eq!(call(text), None, "{text}");
        }
    }
}

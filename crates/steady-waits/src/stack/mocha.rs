//! What Mocha prints: its failures after a count of them, each with a stack as V8 writes it.
//!
//! ```text
//!   1 failing
//!
//!   1) cart
//!        opens:
//!      Error: condition not met within 50 ms
//!       at waitUntil (test/utils.js:9:9)
//!       at async Context.<anonymous> (test/cart.spec.js:12:5)
//! ```

use super::Told;

pub(super) fn read(line: &str) -> Option<Told> {
    let count = line.trim().strip_suffix(" failing")?;
    count.bytes().all(|byte| byte.is_ascii_digit()).then_some(Told::Failure(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_begin_after_their_count() {
        assert_eq!(read("  12 failing"), Some(Told::Failure(None)));
        assert_eq!(read("  keeps failing"), None);
    }
}

//! What Playwright prints: a heading with the test's place, an excerpt, then a stack as V8 writes it. A test that took
//! too long has the heading only.
//!
//! ```text
//!   1) [chromium] › e2e/cart.spec.ts:8:1 › opens ────────
//!     > 6 |   }).toPass({ timeout: 50 });
//!         at opened (/shop/e2e/helper.ts:6:6)
//!         at /shop/e2e/cart.spec.ts:9:9
//! ```

use super::{Subject, Told, place};

pub(super) fn read(line: &str) -> Option<Told> {
    let (number, title) = line.trim_start().split_once(") ")?;
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let place = title.split(" › ").find_map(place::written)?;
    let at = Some((place.line, place.column));
    Some(Told::Failure(Some(Subject { path: place.path.to_owned(), at })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_say_where_the_test_is() {
        for line in [
            "  1) e2e/cart.spec.ts:8:1 › opens ─────",
            "  2) [chromium] › e2e/cart.spec.ts:8:1 › cart › opens ─────",
        ] {
            let subject = Subject { path: "e2e/cart.spec.ts".to_owned(), at: Some((8, Some(1))) };
            assert_eq!(read(line), Some(Told::Failure(Some(subject))), "{line}");
        }
        assert_eq!(read("  1) cart"), None);
    }
}

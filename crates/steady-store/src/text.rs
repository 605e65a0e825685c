//! Makes text of any origin fit for both databases.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The longest message kept, in bytes.
const MESSAGE: usize = 8 * 1024;
/// The longest excerpt kept, in bytes.
const EXCERPT: usize = 16 * 1024;
/// The longest name kept whole, in bytes; PostgreSQL cannot index much longer ones.
const NAME: usize = 1024;

/// A message, shortened.
pub(crate) fn message(text: &str) -> String {
    shortened(text, MESSAGE)
}

/// The end of what a command printed, shortened further.
pub(crate) fn excerpt(text: &str) -> String {
    shortened(text, EXCERPT)
}

/// A name. One that is too long keeps its beginning and gets a number of its own, so two stay two.
pub(crate) fn name(text: &str) -> String {
    if text.len() <= NAME {
        return without_null(text);
    }
    let kept = &text[..text.floor_char_boundary(NAME)];
    format!("{}…{:016x}", without_null(kept), xxh3_64(text.as_bytes()))
}

/// The hash of a message.
pub(crate) fn hash(text: &str) -> Vec<u8> {
    xxh3_128(text.as_bytes()).to_be_bytes().to_vec()
}

fn shortened(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return without_null(text);
    }
    let kept = &text[..text.floor_char_boundary(limit)];
    format!("{}\n… {} bytes more", without_null(kept), text.len() - kept.len())
}

/// PostgreSQL has no null character in text.
pub(crate) fn without_null(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_between_characters_and_says_how_much_is_missing() {
        let text = "é".repeat(MESSAGE);
        let short = message(&text);
        assert!(short.ends_with(&format!("é\n… {} bytes more", text.len() - MESSAGE)), "{}", short.len());
    }

    #[test]
    fn long_names_that_differ_only_at_the_end_stay_different() {
        let long = "n".repeat(5000);
        let names = [name(&format!("{long}1")), name(&format!("{long}2"))];
        assert_ne!(names[0], names[1]);
        assert!(names[0].len() < NAME + 30);
    }

    #[test]
    fn null_characters_are_replaced() {
        assert_eq!(message("a\0b"), "a\u{fffd}b");
    }
}

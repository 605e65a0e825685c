//! Text from outside: decoded, stripped of colours and control characters, and shortened.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// How many characters of a message are kept.
pub const MESSAGE_LIMIT: usize = 2_000;

/// Escape sequences of terminals, as they are and as pytest writes them into XML (`#x1B[31m`).
static ESCAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?:\x1b|#x1B|\u{241b})(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))|\u{9b}[0-9;?]*[A-Za-z]",
    )
    .ok()
});

/// The bytes as text: without a byte order mark, invalid UTF-8 replaced, UTF-16 as PowerShell redirects it understood.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).into(),
        _ => String::from_utf8_lossy(bytes),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Without the escape sequences that colour a terminal.
pub fn without_colours(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte == 0x1b || byte == b'#' || byte >= 0x80) {
        return Cow::Borrowed(text);
    }
    match &*ESCAPES {
        Some(escapes) => escapes.replace_all(text, ""),
        None => Cow::Borrowed(text),
    }
}

/// A message fit to be shown and stored: no colours, no control characters, at most [`MESSAGE_LIMIT`] characters;
/// none when nothing is left.
pub(crate) fn message(text: &str) -> Option<String> {
    // Only the front can matter, and a report may hold megabytes of output.
    let front = front(text, MESSAGE_LIMIT * 8);
    let plain = without_colours(front);
    let plain = plain.trim_matches(|character: char| character.is_whitespace() || character.is_control());
    if plain.len() <= MESSAGE_LIMIT && plain.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~')) {
        return Some(plain.to_owned()).filter(|plain| !plain.is_empty());
    }
    let kept: String = plain
        .chars()
        .filter(|character| !character.is_control() || matches!(character, '\n' | '\t'))
        .take(MESSAGE_LIMIT + 1)
        .collect();
    match kept.char_indices().nth(MESSAGE_LIMIT - 1) {
        Some((cut, last)) if cut + last.len_utf8() < kept.len() => Some(format!("{}…", &kept[..cut])),
        _ => Some(kept).filter(|kept| !kept.is_empty()),
    }
}

/// The headline and what follows it; a body that begins with its headline says it once.
pub(crate) fn headline_and_body(headline: &str, body: &str) -> Option<String> {
    let (headline, body) = (headline.trim(), front(body.trim(), MESSAGE_LIMIT * 8));
    match (headline.is_empty(), body.is_empty()) {
        (true, _) => message(body),
        (_, true) => message(headline),
        _ if begins_alike(headline, body) => message(body),
        _ => message(&format!("{headline}\n{body}")),
    }
}

fn begins_alike(headline: &str, body: &str) -> bool {
    let first = |text: &'_ str| text.lines().next().unwrap_or("").trim().to_owned();
    first(body).contains(&first(headline))
}

/// At most this many bytes from the front, cut between characters.
pub(crate) fn front(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A duration as it can be stored: finite and not negative.
pub(crate) fn duration(milliseconds: f64) -> Option<f64> {
    (milliseconds.is_finite() && milliseconds >= 0.0).then_some(milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_lose_colours_and_control_characters() {
        let table = [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("#x1B[1mbold#x1B[0m", "bold"),
            ("\u{1b}]8;;https://example.org\u{7}link\u{1b}]8;;\u{7}", "link"),
            ("  two\nlines\u{0}\u{8}\r\n", "two\nlines"),
            ("issue #x1 stays", "issue #x1 stays"),
        ];
        for (raw, expected) in table {
            assert_eq!(message(raw).as_deref(), Some(expected), "{raw:?}");
        }
        assert_eq!(message(" \u{1b}[0m\n"), None);
    }

    #[test]
    fn messages_are_cut_between_characters() {
        let exact = "ü".repeat(MESSAGE_LIMIT);
        assert_eq!(message(&exact), Some(exact));
        let cut = message(&"ü".repeat(MESSAGE_LIMIT + 1)).unwrap();
        assert_eq!(cut.chars().count(), MESSAGE_LIMIT);
        assert!(cut.ends_with("ü…"));
    }

    #[test]
    fn a_headline_is_not_repeated() {
        assert_eq!(
            headline_and_body("no database", "Error: no database\n at x").unwrap(),
            "Error: no database\n at x"
        );
        assert_eq!(headline_and_body("no database", "x = 1\nError: no database").unwrap().lines().count(), 3);
        assert_eq!(headline_and_body("Failed", "got 9").unwrap(), "Failed\ngot 9");
        assert_eq!(headline_and_body("", " "), None);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_decoded_as_far_as_possible() {
        assert_eq!(decode(b"\xef\xbb\xbf{}"), "{}");
        assert_eq!(decode(b"\xff\xfeo\0k\0"), "ok");
        assert_eq!(decode(b"\xfe\xff\0o\0k"), "ok");
        assert_eq!(decode(b"a\xffb"), "a\u{fffd}b");
    }
}

//! Text from outside that is put into source code.

/// One line of plain text: whatever could end a comment or hide in one becomes a space or a mark.
///
/// `*/` would close a block comment, and Java reads `\u` escapes even there.
pub(crate) fn one_line(text: &str) -> String {
    let visible: String = text.chars().map(|c| if is_plain(c) { c } else { ' ' }).collect();
    let words: Vec<&str> = visible.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ").replace('\\', "/").replace("*/", "* /").replace("/*", "/ *")
}

/// The text with every character that `special` answers for replaced by its answer.
pub(crate) fn escape(text: &str, special: impl Fn(char) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match special(c) {
            Some(escaped) => out.push_str(&escaped),
            None => out.push(c),
        }
    }
    out
}

/// Whether a character may stand in source code as it is: it is visible, and no mark of quoting.
pub(crate) fn is_plain(c: char) -> bool {
    match c {
        '\'' | '"' | '\\' => true,
        // A combining mark would attach itself to the character before it.
        _ => c.escape_debug().len() == 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_ends_a_comment() {
        assert_eq!(one_line("a\n*/ b\u{2028}\\u002a\u{202e}c\t d "), "a * / b /u002a c d");
    }

    proptest! {
        #[test]
        fn a_comment_stays_on_its_line(text in any::<String>()) {
            let line = one_line(&text);
            let ends_line = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
            prop_assert!(!line.contains(ends_line));
            prop_assert!(!line.contains("*/") && !line.contains('\\'));
        }
    }
}

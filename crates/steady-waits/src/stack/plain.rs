//! The text of a failure without colours, and no more of it than is needed.

/// What lies behind this is not looked at.
const LIMIT: usize = 1 << 20;

/// The first megabyte, without the escape sequences that colour a terminal.
pub(super) fn plain(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(LIMIT)];
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => match characters.next_if(|next| matches!(next, '[' | ']')) {
                Some('[') => while characters.next().is_some_and(|next| !('@'..='~').contains(&next)) {},
                // A link or a title ends with a bell, or with an escape and a backslash.
                Some(_) => {
                    while characters.next_if(|next| !matches!(next, '\u{7}' | '\u{1b}' | '\n')).is_some() {}
                    characters.next_if_eq(&'\u{7}');
                }
                None => {
                    characters.next_if_eq(&'\\');
                }
            },
            '\u{9b}' => while characters.next().is_some_and(|next| !('@'..='~').contains(&next)) {},
            _ => result.push(character),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_links_go_and_the_text_stays() {
        for (text, expected) in [
            ("\u{1b}[36m \u{1b}[2m❯\u{1b}[22m a.ts:\u{1b}[2m8:24\u{1b}[39m", " ❯ a.ts:8:24"),
            ("\u{1b}]8;;http://x\u{7}a.ts\u{1b}]8;;\u{7}", "a.ts"),
            ("\u{1b}]8;;http://x\u{1b}\\a.ts", "a.ts"),
            ("ends in \u{1b}[3", "ends in "),
            ("ends in \u{1b}]0;title", "ends in "),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_cut_never_splits_a_character() {
        let text = format!("x{}", "é".repeat(LIMIT));
        assert_eq!(plain(&text).len(), LIMIT - 1);
    }
}

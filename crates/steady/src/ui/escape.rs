//! Makes text of unknown origin safe to print.

/// The text on one line, with control and direction-changing characters written as escapes.
pub fn escape_controls(text: &str) -> String {
    escape(text, |_| false)
}

/// The same, but line feeds and tabs stay: a patch is to be applied.
pub fn escape_lines(text: &str) -> String {
    escape(text, |character| matches!(character, '\n' | '\t'))
}

fn escape(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if !stays(character) && (character.is_control() || changes_direction(character)) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Unicode's explicit directional formatting characters (UAX #9), which can reorder what follows them.
fn changes_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_sequences_become_visible() {
        assert_eq!(
            escape_controls("a\u{1b}[2J\r\nb\u{202e}c\u{7f} ü"),
            "a\\u{1b}[2J\\r\\nb\\u{202e}c\\u{7f} ü"
        );
        assert_eq!(escape_lines("a\n\tb\r"), "a\n\tb\\r");
    }
}

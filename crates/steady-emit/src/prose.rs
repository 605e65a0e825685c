//! Text from outside that is put into source code.

/// One line of plain text: characters that could end a comment or hide in one become a space or a mark.
///
/// `*/` would close a block comment, and Java reads `\u` escapes even there.
pub(crate) fn one_line(text: &str) -> String {
    let visible: String = text.chars().map(|c| if is_plain(c) { c } else { ' ' }).collect();
    let words: Vec<&str> = visible.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ").replace('\\', "/").replace("*/", "* /").replace("/*", "/ *")
}

/// [`one_line`], broken between words so that no line is longer than `width` unless a word is.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in one_line(text).split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
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

/// A template with its `{name}` marks replaced. What is put in is not looked at again.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let mark = |name: &str| rest[1..].strip_prefix(name).is_some_and(|behind| behind.starts_with('}'));
        let (value, length) = match values.iter().find(|(name, _)| mark(name)) {
            Some((name, value)) => (*value, name.len() + 2),
            None => ("{", 1),
        };
        out.push_str(value);
        rest = &rest[length..];
    }
    out + rest
}

/// Whether a character may appear in source code as it is: it is visible, and not a quotation mark.
pub(crate) fn is_plain(c: char) -> bool {
    match c {
        '\'' | '"' | '\\' => true,
        // A combining mark would attach itself to the character before it.
        _ => c.escape_debug().len() == 1,
    }
}

/// Reads literals back, so that tests can say that quoting loses nothing and lets nothing out.
#[cfg(test)]
pub(crate) mod read_back {
    /// Strings made of what is dangerous in one language or another, for proptest.
    pub(crate) const HOSTILE: &str =
        "(?s:.|[\\x00-\\x1f\"'`\\\\$#{}%\u{2028}\u{202e}]|\\$\\{|\\{\\{|\\\\u000a|\\*/){0,24}";

    /// The text that the inside of a literal stands for. Fails when a quote, a line end or any invisible character
    /// stands in it bare.
    pub(crate) fn read_back(inside: &str, quote: char) -> String {
        let mut units: Vec<u16> = Vec::new();
        let mut rest = inside.chars().peekable();
        while let Some(c) = rest.next() {
            assert!(c != quote && super::is_plain(c), "{c:?} stands bare in {inside:?}");
            let meant = if c == '\\' { escape(&mut rest) } else { u32::from(c) };
            match char::from_u32(meant) {
                Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                // Half a character: the other half is the next escape.
                None => units.push(u16::try_from(meant).unwrap()),
            }
        }
        String::from_utf16(&units).unwrap()
    }

    /// Fails unless the literal, in quotes of any kind, stands for the text.
    pub(crate) fn assert_reads_back(literal: &str, text: &str) {
        let quote = literal.chars().next().unwrap();
        assert!(literal.len() >= 2 && literal.ends_with(quote), "{literal}");
        assert_eq!(read_back(&literal[1..literal.len() - 1], quote), text);
    }

    fn escape(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> u32 {
        let digits = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>, count: usize, radix: u32| {
            let digits: String = rest.by_ref().take(count).collect();
            assert_eq!(digits.len(), count);
            u32::from_str_radix(&digits, radix).unwrap()
        };
        match rest.next().unwrap() {
            'n' => u32::from('\n'),
            'r' => u32::from('\r'),
            't' => u32::from('\t'),
            'x' => digits(rest, 2, 16),
            'U' => digits(rest, 8, 16),
            'u' if rest.peek() == Some(&'{') => {
                let braced: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                u32::from_str_radix(&braced, 16).unwrap()
            }
            'u' => digits(rest, 4, 16),
            first @ '0'..='3' => first.to_digit(8).unwrap() * 64 + digits(rest, 2, 8),
            c @ ('\\' | '"' | '\'' | '`' | '$' | '#') => u32::from(c),
            other => panic!("no such escape: {other:?}"),
        }
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

    #[test]
    fn long_text_is_broken_between_words() {
        assert_eq!(wrapped("one two\nthree fourteen", 8), ["one two", "three", "fourteen"]);
        assert_eq!(wrapped("a verylongword b", 4), ["a", "verylongword", "b"]);
        assert_eq!(wrapped("", 4), [""]);
    }

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(fill("{a} {b} {c} {", &[("a", "{b}"), ("b", "2")]), "{b} 2 {c} {");
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

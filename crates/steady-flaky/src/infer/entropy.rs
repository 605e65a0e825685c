//! Distinguishes drawn characters from written words.

/// Characters of four classes: upper case, lower case, digits, the rest.
fn class(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// Whether letters of both cases and digits are mixed the way drawing them mixes them.
///
/// Words, even in camel case, stay in a class for several characters; drawn characters change class at about
/// every second step.
pub fn is_mixed(text: &str) -> bool {
    let classes: Vec<u8> = text.bytes().map(class).collect();
    let changes = classes.windows(2).filter(|pair| pair[0] != pair[1]).count();
    has_all_classes(text) && changes * 20 >= classes.len() * 9
}

/// Whether there are letters of both cases and digits.
pub fn has_all_classes(text: &str) -> bool {
    (0..3).all(|wanted| text.bytes().any(|byte| class(byte) == wanted))
}

/// Whether a text of hexadecimal digits looks drawn: letters and digits, many different ones, in no sequence.
pub fn is_drawn_hex(text: &str) -> bool {
    let bytes = text.as_bytes();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = bytes.len() - letters;
    let upper = bytes.iter().any(u8::is_ascii_uppercase);
    let lower = bytes.iter().any(u8::is_ascii_lowercase);
    let mut distinct = bytes.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    letters * 8 >= bytes.len()
        && digits * 4 >= bytes.len()
        && !(upper && lower)
        && distinct.len() * 2 >= bytes.len().min(16)
        && !is_sequence(bytes)
}

/// Whether most characters repeat or follow the one before, as in `0123456789abcdef` or `aaaa1111`.
pub fn is_sequence(bytes: &[u8]) -> bool {
    let steps = bytes.windows(2).filter(|pair| pair[1].wrapping_sub(pair[0]) <= 1).count();
    steps * 2 > bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_characters_are_distinguished_from_words() {
        for drawn in ["V1StGXR8_Z5jdHi6B-myT", "dGhpcyBpcyBub3QgYSB3b3Jk", "q9ZxT4mPv2KcRw8LdYsF"] {
            assert!(is_mixed(drawn), "{drawn}");
        }
        for written in ["IllegalArgumentException2", "UTF8StringEncoderFactory", "camelCaseWithoutDigits", ""]
        {
            assert!(!is_mixed(written), "{written}");
        }
    }

    #[test]
    fn drawn_digits_are_distinguished_from_patterns() {
        assert!(is_drawn_hex("9e107d9d372bb6826bd81d3542a419d6"));
        for pattern in
            ["0123456789abcdef0123456789abcdef", "aaaaaaaaaaaaaaaa1111111111111111", "4111111111111111"]
        {
            assert!(!is_drawn_hex(pattern), "{pattern}");
        }
    }
}

//! Percent-encoding of what a variable puts into a URL or a form.

use std::fmt::Write as _;

/// Encodes everything but RFC 3986's unreserved characters, so that a value stays within its path segment
/// or query parameter.
pub(crate) fn percent_encode(text: &str) -> String {
    encode(text, |byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// Encodes fields as `application/x-www-form-urlencoded` (URL Standard, section 5.2).
pub(crate) fn form_encode<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let component = |text: &str| {
        encode(text, |byte| byte.is_ascii_alphanumeric() || b"*-._ ".contains(&byte)).replace(' ', "+")
    };
    let pairs = fields.into_iter().map(|(name, value)| format!("{}={}", component(name), component(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// Undoes percent-encoding; bytes that are no UTF-8 afterwards are replaced, broken escapes stay as they are.
pub(crate) fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%').then(|| bytes.get(at + 1..at + 3)).flatten().and_then(hex_byte);
        decoded.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn encode(text: &str, stays: impl Fn(u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if stays(byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn form_fields_use_plus_for_spaces() {
        assert_eq!(form_encode([("a b", "1+1=2"), ("ü", "")]), "a+b=1%2B1%3D2&%C3%BC=");
    }

    #[test]
    fn broken_escapes_are_left_alone() {
        assert_eq!(percent_decode("100%/%zz%4"), "100%/%zz%4");
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(text in ".*") {
            prop_assert_eq!(percent_decode(&percent_encode(&text)), text);
        }

        #[test]
        fn encoded_text_never_leaves_its_path_segment(text in ".*") {
            prop_assert!(!percent_encode(&text).contains(['/', '?', '#', '&', '=', ' ', '\r', '\n']));
        }
    }
}

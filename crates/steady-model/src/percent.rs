//! Percent-encoding (RFC 3986) and the encoding of forms, which differs from it in few characters.

use std::fmt::Write as _;

/// Encodes everything but unreserved characters, so that a value stays within its path segment or query
/// parameter.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    encode_except(text, b"", &mut encoded);
    encoded
}

/// Appends the text to `out`, encoding everything but unreserved characters and those in `keep`.
pub fn encode_except(text: &str, keep: &[u8], out: &mut String) {
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || keep.contains(&byte);
    for byte in text.bytes() {
        push(byte, stays(byte), out);
    }
}

/// Encodes fields as `application/x-www-form-urlencoded` (URL Standard, section 5.2).
pub fn encode_form<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let pair = |(name, value): (&str, &str)| format!("{}={}", encode_field(name), encode_field(value));
    fields.into_iter().map(pair).collect::<Vec<_>>().join("&")
}

/// Encodes one name or one value of a form.
pub fn encode_field(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push('+'),
            byte => push(byte, byte.is_ascii_alphanumeric() || b"*-._".contains(&byte), &mut encoded),
        }
    }
    encoded
}

/// Undoes percent-encoding; bytes that are no UTF-8 afterwards are replaced, broken escapes stay as they are.
pub fn decode(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        match escape(rest) {
            Some(byte) => {
                decoded.push(byte);
                rest = &rest[3..];
            }
            None => {
                decoded.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn push(byte: u8, stays: bool, out: &mut String) {
    if stays {
        out.push(char::from(byte));
    } else {
        // Writing to a string does not fail.
        let _ = write!(out, "%{byte:02X}");
    }
}

/// The byte that the escape at the beginning stands for.
fn escape(bytes: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    match bytes {
        [b'%', high, low, ..] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn form_fields_use_plus_for_spaces() {
        assert_eq!(encode_form([("a b", "1+1=2"), ("ü", "")]), "a+b=1%2B1%3D2&%C3%BC=");
    }

    #[test]
    fn broken_escapes_are_left_alone() {
        assert_eq!(decode("100%/%zz%4%+1"), "100%/%zz%4%+1");
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(text in ".*") {
            prop_assert_eq!(decode(&encode(&text)), text);
        }

        #[test]
        fn encoded_text_never_leaves_its_path_segment(text in ".*") {
            prop_assert!(!encode(&text).contains(['/', '?', '#', '&', '=', ' ', '\r', '\n']));
        }
    }
}

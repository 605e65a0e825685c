//! Percent-encoding (RFC 3986).

use std::fmt::Write as _;

/// Encodes everything but unreserved characters, so that a value cannot become structure.
pub fn encode(text: &str, out: &mut String) {
    encode_except(text, b"", out);
}

/// As [`encode`], leaving these ASCII characters too.
pub fn encode_except(text: &str, keep: &[u8], out: &mut String) {
    for &byte in text.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || keep.contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// RFC 3986's reserved characters less those that would end a query component.
pub const RESERVED: &[u8] = b":/?@!$'()*,;[]";

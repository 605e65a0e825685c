//! Java's trust store format, as far as one trusted certificate needs it.

use ring::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY};

/// The password of the store; Java wants one, and there is nothing secret inside.
pub const STORE_PASSWORD: &str = "changeit";
const MAGIC: u32 = 0xfeed_feed;
const VERSION: u32 = 2;
const TRUSTED_CERTIFICATE: u32 = 2;
const ALIAS: &str = "steady";
/// Milliseconds of 2000-01-01.
const CREATED: u64 = 946_684_800_000;
/// What Java's digest begins with, beside the password.
const WHITENER: &str = "Mighty Aphrodite";

/// A store with one trusted certificate.
pub(super) fn store(certificate: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    for number in [MAGIC, VERSION, 1, TRUSTED_CERTIFICATE] {
        data.extend_from_slice(&number.to_be_bytes());
    }
    text(&mut data, ALIAS);
    data.extend_from_slice(&CREATED.to_be_bytes());
    text(&mut data, "X.509");
    data.extend_from_slice(&u32::try_from(certificate.len()).unwrap_or(0).to_be_bytes());
    data.extend_from_slice(certificate);
    let mut digest = Context::new(&SHA1_FOR_LEGACY_USE_ONLY);
    for unit in STORE_PASSWORD.encode_utf16() {
        digest.update(&unit.to_be_bytes());
    }
    digest.update(WHITENER.as_bytes());
    digest.update(&data);
    data.extend_from_slice(digest.finish().as_ref());
    data
}

fn text(data: &mut Vec<u8>, text: &str) {
    data.extend_from_slice(&u16::try_from(text.len()).unwrap_or(0).to_be_bytes());
    data.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_has_the_certificate_between_its_head_and_its_digest() {
        let store = store(&[1, 2, 3]);
        assert_eq!(store[..8], [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2]);
        assert_eq!(store[store.len() - 23..store.len() - 20], [1, 2, 3]);
    }
}

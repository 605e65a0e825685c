//! Base64 and base64url (RFC 4648) of random bytes, distinguished from words and paths by how characters mix.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::entropy::is_mixed;
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Base64, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"[0-9A-Za-z+/]{20,}={0,2}|[0-9A-Za-z_-]{20,}={0,2}";

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// Names of values that cryptography makes.
const CRYPTIC: [&str; 9] =
    ["key", "secret", "signature", "mac", "hmac", "salt", "nonce", "ciphertext", "encrypted"];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    if !is_mixed(candidate.text) {
        return None;
    }
    let (alphabet, detail) = if candidate.text.contains(['-', '_']) {
        (alphabet::URL_SAFE, "base64url")
    } else {
        (alphabet::STANDARD, "base64")
    };
    let bytes = GeneralPurpose::new(&alphabet, LENIENT).decode(candidate.text).ok();
    let is_text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).is_some_and(|text| {
        text.chars().all(|character| !character.is_control() || character.is_whitespace())
    });
    let category = if context.says(&CRYPTIC) { Category::Crypt } else { Category::Rand };
    let judgement = if is_text {
        // A cursor or an encoded name: as stable as the text it stands for.
        Judgement::new(Category::Rand, Strength::Weak, format!("{detail} of text"))
    } else {
        Judgement::new(category, Strength::Likely, detail)
    };
    Some(judgement)
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("token", "q83vEjRWeJCrze8SNFZ4kKvN7xI="),
            ("token", "3q2+7wEjRWeJq83vEjRWeJCrze8="),
            ("token", "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="),
            ("token", "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"),
            ("token", "wJ4lrXUtn7EMI/K7MDe9G/bPxRfi2CYz"),
            ("csrf", "kX9vT2mQ4rZ8wB1nL6yP0sD3"),
            ("cursor", "eyJpZCI6MTIzfQeyJpZCI6MTI0fQ"),
            ("id", "Zx8Kq3Lp9Vt1Rm5Yw7Bn2Hd4"),
        ];
        let look_alikes = [
            ("type", "IllegalArgumentExceptionHandler"),
            ("path", "api/v1/organisations/departments"),
            ("constant", "MAXIMUM_NUMBER_OF_RETRIES_REACHED"),
            ("slug", "how-to-write-a-test-that-stays-green"),
            ("number", "123456789012345678901234"),
            ("name", "customerBillingAddressLine2"),
            ("type", "com/example/UserV2Controller"),
            ("word", "pneumonoultramicroscopicsilicovolcanoconiosis"),
            ("iban", "DE89370400440532013000"),
            ("token", "Zx8Kq3Lp9Vt1"),
        ];
        check(&RULE, Category::Rand, &known, &look_alikes);
    }

    #[test]
    fn encoded_text_is_weak() {
        let text = "SGVsbG8sIHRoaXMgaXMgYSBwbGFpbiB0ZXh0IDEyMw==";
        assert_eq!(strength(&RULE, "cursor", text), Some(Strength::Weak));
    }
}

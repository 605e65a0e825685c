//! Digests (RFC 1321, FIPS 180-4, FIPS 202) and other tokens in hexadecimal digits, where the digits look drawn.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::entropy::is_drawn_hex;
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Hex, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"[0-9a-f]{16,128}|[0-9A-F]{16,128}";

/// Names of values that are computed from what they stand for.
const COMPUTED: [&str; 9] =
    ["etag", "checksum", "sha", "sha1", "sha256", "md5", "commit", "revision", "fingerprint"];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    if !is_drawn_hex(candidate.text) {
        return None;
    }
    let digest = match candidate.text.len() {
        32 => "MD5",
        40 => "SHA-1",
        56 => "SHA-224",
        64 => "SHA-256",
        96 => "SHA-384",
        128 => "SHA-512",
        length => {
            return Some(Judgement::new(
                Category::Rand,
                Strength::Weak,
                format!("{length} hexadecimal digits"),
            ));
        }
    };
    let strength = if context.says(&COMPUTED) { Strength::Weak } else { Strength::Likely };
    Some(Judgement::new(Category::Crypt, strength, format!("as long as {digest}")))
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("hash", "9e107d9d372bb6826bd81d3542a419d6"),
            ("hash", "9E107D9D372BB6826BD81D3542A419D6"),
            ("hash", "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"),
            ("hash", "730e109bd7a8a32b1cb9d9a09aa2325d2430587ddbc0c38bad911525"),
            ("hash", "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592"),
            (
                "hash",
                "ca737f1014a48f4c0b6dd43cb177b0afd9e5169367544c494011e3317dbf9a509cb1e5dc1e85a941bbee3d7f2afbc9b1",
            ),
            (
                "hash",
                "07e547d9586f6a73f73fbac0435ed76951218fb7d0c8d788a309d785436bbb642e93a252a954f23912547d1e8a3b5ed6e1bfd7097821233fa0538f3db854fee6",
            ),
            ("etag", "900150983cd24fb0d6963f7d28e17f72"),
            ("token", "d41d8cd98f00b204e9800998ecf8427e"),
        ];
        let look_alikes = [
            ("hash", "00000000000000000000000000000000"),
            ("key", "0123456789abcdef0123456789abcdef"),
            ("key", "deadbeefdeadbeefdeadbeefdeadbeef"),
            ("number", "12345678901234567890123456789012"),
            ("card", "4111111111111111"),
            ("hash", "9e107d9d372bb6"),
            ("hash", "9e107d9d372bb6826bd81d3542a419dg"),
            ("word", "accededefacedfeedbeefdecade"),
            ("color", "ff00ff"),
            ("hash", "9e107D9d372BB6826bd81D3542a419d6"),
        ];
        check(&RULE, Category::Crypt, &known, &look_alikes);
    }

    #[test]
    fn names_and_lengths_weaken_it() {
        assert_eq!(strength(&RULE, "token", "9e107d9d372bb6826bd81d3542a419d6"), Some(Strength::Likely));
        assert_eq!(strength(&RULE, "checksum", "9e107d9d372bb6826bd81d3542a419d6"), Some(Strength::Weak));
        assert_eq!(strength(&RULE, "trace", "4bf92f3577b34da6"), Some(Strength::Weak));
    }
}

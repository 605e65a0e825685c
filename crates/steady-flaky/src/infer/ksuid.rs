//! KSUIDs: 32 bits of seconds since May 2014 and 128 random bits in base 62 (the `segmentio/ksuid` document).

use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule};
use super::entropy::has_all_classes;
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Ksuid, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"[0-9A-Za-z]{27}";

/// Where KSUIDs count from, in seconds since 1970.
const EPOCH: i64 = 1_400_000_000;
const BYTES: usize = 20;

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let bytes = decode(candidate.text)?;
    let [a, b, c, d, ..] = bytes;
    let days = context.days_from_seconds(EPOCH + i64::from(u32::from_be_bytes([a, b, c, d])));
    // Any 27 letters are some KSUID: the time has to be one at which there were any, and not far ahead.
    (has_all_classes(candidate.text) && days <= 4_400)
        .then(|| Judgement::new(Category::Rand, by_distance(days).max(Strength::Likely), "KSUID"))
}

/// The number that digits, upper case and lower case write in base 62; none if it needs more than 160 bits.
fn decode(text: &str) -> Option<[u8; BYTES]> {
    let mut number = [0_u8; BYTES];
    for byte in text.bytes() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            _ => return None,
        };
        let mut carry = u32::from(digit);
        for place in number.iter_mut().rev() {
            let [.., low] = (u32::from(*place) * 62 + carry).to_be_bytes();
            carry = (u32::from(*place) * 62 + carry) >> 8;
            *place = low;
        }
        if carry != 0 {
            return None;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("id", "3AkkYC3alLSAQN5d5axtIDeKkoX"),
            ("id", "0ujtsYcgvSTl8PAuAdqWYSMnLOv"),
            ("id", "0ujsswThIGTUYm2K8FjOOfXtY1K"),
            ("id", "0ujssxh0cECutqzMgbtXSGnjorm"),
            ("id", "0ujzPyRiIAffKhBux4PvQdDqMHY"),
            ("id", "1srOrx2ZWZBpBUvZwXKQmoEYga2"),
            ("id", "2Gvd6YwQ4kN9xT1bZs8RmLp3JcH"),
            ("id", "1l0UE6izCgIw533MOupkAowglGJ"),
        ];
        let look_alikes = [
            ("id", "aWgEPTl1tmebfsQzFP4bxwgy80V"),
            ("id", "zzzzzzzzzzzzzzzzzzzzzzzzzzz"),
            ("id", "000000000000000000000000000"),
            ("id", "0ujtsYcgvSTl8PAuAdqWYSMnLO"),
            ("id", "0ujtsYcgvSTl8PAuAdqWYSMnLOv1"),
            ("id", "0ujtsYcgvSTl8PAuAdqWYSMnL-v"),
            ("type", "IllegalArgumentException123"),
            ("word", "internationalizationConfigs"),
        ];
        check(&RULE, Category::Rand, &known, &look_alikes);
    }

    #[test]
    fn one_made_now_is_certain() {
        assert_eq!(strength(&RULE, "id", "3AkkYC3alLSAQN5d5axtIDeKkoX"), Some(Strength::Certain));
    }
}

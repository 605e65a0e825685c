//! ULIDs: 48 bits of milliseconds and 80 random bits in Crockford's base 32 (the `ulid/spec` document).

use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Ulid, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-7][0-9a-hjkmnp-tv-z]{25}";

const ALPHABET: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Twenty years, in days: older ids are other things than ULIDs.
const BELIEVED: i64 = 7_305;

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let text = candidate.text.to_ascii_uppercase();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let milliseconds = text
        .chars()
        .take(10)
        .try_fold(0_i64, |sum, character| Some(sum * 32 + i64::try_from(ALPHABET.find(character)?).ok()?))?;
    let days = context.days_from_seconds(milliseconds / 1_000);
    if days > BELIEVED || digits == text.len() {
        return None;
    }
    Some(Judgement::new(Category::Rand, by_distance(days).max(Strength::Likely), "ULID"))
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("id", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            ("id", "01BX5ZZKBKACTAV9WEVGEMMVRZ"),
            ("id", "01BX5ZZKBKACTAV9WEVGEMMVS0"),
            ("id", "01KKBSWHG0ZRV4RRFFQ69G5FAV"),
            ("id", "01kkbswhg0zrv4rrffq69g5fav"),
            ("id", "01H5XKJ2Z8M9QW3R7T6Y4V1N0P"),
            ("id", "01GZ0GZ3VARH1XPMT6SRA0ZWQJ"),
            ("id", "01F8MECHZX3TBDSZ7XRADM79XE"),
        ];
        let look_alikes = [
            ("id", "01234567890123456789012345"),
            ("id", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
            ("id", "00000000000000000000000001"),
            ("id", "01ARZ3NDEKTSV4RRFFQ69G5FA"),
            ("id", "01ARZ3NDEKTSV4RRFFQ69G5FAVX"),
            ("id", "81ARZ3NDEKTSV4RRFFQ69G5FAV"),
            ("id", "01ARZ3NDEKTSV4RRFFQ69G5FAU"),
            ("id", "01ARZ3NDEKTSV4RRFFQ69G5FAl"),
            ("word", "7HETREATMENTTAKESAWEEKEACH"),
        ];
        check(&RULE, Category::Rand, &known, &look_alikes);
    }

    #[test]
    fn one_made_now_is_certain() {
        assert_eq!(strength(&RULE, "id", "01KKBSWHG0ZRV4RRFFQ69G5FAV"), Some(Strength::Certain));
        assert_eq!(strength(&RULE, "id", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), Some(Strength::Likely));
    }
}

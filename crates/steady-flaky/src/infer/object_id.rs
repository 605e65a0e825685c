//! BSON object ids: 32 bits of seconds, 40 random bits and a counter, in 24 hexadecimal digits (the BSON specification).

use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule};
use super::entropy::is_sequence;
use super::{Context, Family};

pub(super) const RULE: Rule = Rule { family: Family::ObjectId, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"[0-9a-f]{24}";

/// Twenty years, in days: there were no object ids before.
const BELIEVED: i64 = 7_305;

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let seconds = i64::from_str_radix(candidate.text.get(..8)?, 16).ok()?;
    let days = context.days_from_seconds(seconds);
    let written = is_sequence(candidate.text.as_bytes())
        || candidate.text.bytes().skip(8).all(|byte| byte.is_ascii_digit());
    (days <= BELIEVED && !written).then(|| Judgement::new(Category::Rand, by_distance(days), "object id"))
}

#[cfg(test)]
mod tests {
    use super::super::Strength;
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("_id", "507f1f77bcf86cd799439011"),
            ("_id", "507f191e810c19729de860ea"),
            ("_id", "69b007c0bcf86cd799439011"),
            ("_id", "5f43a1b2c3d4e5f6a7b8c9d0"),
            ("_id", "60c72b2f9b1d8e001c8e4f3a"),
            ("_id", "64b7f1c2e4b0a1d2c3f4e5a6"),
            ("_id", "65a1b2c3d4e5f60718293a4b"),
            ("_id", "4f2b3c5d6e7f8a9b0c1d2e3f"),
        ];
        let look_alikes = [
            ("_id", "000000000000000000000000"),
            ("_id", "ffffffffffffffffffffffff"),
            ("_id", "deadbeefdeadbeefdeadbeef"),
            ("_id", "507f1f77bcf86cd79943901"),
            ("_id", "507f1f77bcf86cd7994390111"),
            ("number", "123456789012345678901234"),
            ("_id", "507f1f77000000000000000001"),
            ("_id", "507g1f77bcf86cd799439011"),
            ("iban", "600000000000370400440532"),
        ];
        check(&RULE, Category::Rand, &known, &look_alikes);
    }

    #[test]
    fn one_made_now_is_certain() {
        assert_eq!(strength(&RULE, "_id", "69b007c0bcf86cd799439011"), Some(Strength::Certain));
        assert_eq!(strength(&RULE, "_id", "507f1f77bcf86cd799439011"), Some(Strength::Weak));
    }
}

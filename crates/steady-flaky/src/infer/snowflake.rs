//! Snowflake ids: 41 bits of milliseconds, machine and counter in a 64-bit number, counted from Twitter's or from
//! Discord's epoch (the `twitter-archive/snowflake` and Discord API documents).

use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Snowflake, pattern: PATTERN, numbers: true, judge };

const PATTERN: &str = r"[1-9]\d{16,18}";

/// Where ids count from, in milliseconds since 1970.
const EPOCHS: [i64; 2] = [1_288_834_974_657, 1_420_070_400_000];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let beside = |character: Option<char>| matches!(character, Some('-' | '.' | '+'));
    if beside(candidate.before.chars().next_back()) || beside(candidate.after.chars().next()) {
        return None;
    }
    let id: i64 = candidate.text.parse().ok()?;
    let days = EPOCHS.iter().map(|epoch| context.days_from_seconds(((id >> 22) + epoch) / 1_000)).min()?;
    let strength = match by_distance(days) {
        Strength::Certain => Strength::Likely,
        Strength::Likely | Strength::Weak if context.says(&["id", "snowflake"]) && days <= 4_000 => {
            Strength::Weak
        }
        _ => return None,
    };
    Some(Judgement::new(Category::Rand, strength, "Snowflake"))
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("id", "2031339282232258567"),
            ("id", "1480898012774412295"),
            ("tweet", "2031339282232258567"),
            ("channel", "1480898012774412295"),
            ("id", "1212092628029698048"),
            ("userId", "1356359727512313856"),
            ("id", "1541815603606036480"),
            ("guild_id", "1100000000000000000"),
        ];
        let look_alikes = [
            ("card", "4111111111111111"),
            ("value", "9223372036854775807"),
            ("balance", "100000000000000000"),
            ("wei", "1000000000000000000"),
            ("number", "12345678901234567890"),
            ("id", "0123456789012345678"),
            ("at", "1773144000123456789"),
            ("id", "12345678901234567"),
            ("iban", "370400440532013000"),
        ];
        check(&RULE, Category::Rand, &known, &look_alikes);
    }

    #[test]
    fn an_old_one_is_weak() {
        assert_eq!(strength(&RULE, "id", "2031339282232258567"), Some(Strength::Likely));
        assert_eq!(strength(&RULE, "id", "1212092628029698048"), Some(Strength::Weak));
    }
}

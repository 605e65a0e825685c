//! POSIX time (IEEE 1003.1 section 4.16): seconds since 1970, or milli-, micro- or nanoseconds, near now.

use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Epoch, pattern: PATTERN, numbers: true, judge };

const PATTERN: &str = r"\d{19}|\d{16}|\d{13}|\d{10}(?:\.\d{1,9})?";

/// Words in the names of points in time.
const TIMES: [&str; 24] = [
    "at",
    "on",
    "time",
    "date",
    "timestamp",
    "ts",
    "iat",
    "exp",
    "nbf",
    "expires",
    "expiry",
    "created",
    "updated",
    "modified",
    "started",
    "ended",
    "start",
    "end",
    "since",
    "until",
    "when",
    "seen",
    "epoch",
    "now",
];
/// Years around now in which a named time is believed, in days.
const DECADE: i64 = 3_653;

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let beside = |character: Option<char>| matches!(character, Some('-' | '.' | '+' | '@' | '#'));
    if beside(candidate.before.chars().next_back())
        || (candidate.after.starts_with(['-', '.'])
            && candidate.after.chars().nth(1).is_some_and(char::is_alphanumeric))
    {
        return None;
    }
    let digits = candidate.text.split('.').next().unwrap_or_default();
    let (unit, divisor) = match digits.len() {
        10 => ("seconds", 1),
        13 => ("milliseconds", 1_000),
        16 => ("microseconds", 1_000_000),
        _ => ("nanoseconds", 1_000_000_000),
    };
    let days = context.days_from_seconds(digits.parse::<i64>().ok()? / divisor);
    let named = context.says(&TIMES);
    let strength = match by_distance(days) {
        // Ten digits are also a telephone number or an account.
        Strength::Likely if divisor == 1 && !named => Strength::Weak,
        Strength::Weak if !(named && days <= DECADE) => return None,
        strength => strength,
    };
    Some(Judgement::new(Category::Time, strength, unit))
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("at", "1773144000"),
            ("at", "1773144000.123456"),
            ("at", "1773144000123"),
            ("at", "1773144000123456"),
            ("at", "1773144000123456789"),
            ("value", "1773144000"),
            ("value", "1773144000123"),
            ("iat", "1741608000"),
            ("createdAt", "1500000000000"),
        ];
        let look_alikes = [
            ("phone", "5551234567"),
            ("isbn", "9783161484100"),
            ("card", "4111111111111111"),
            ("account", "1500000000"),
            ("account", "1234567890"),
            ("id", "12345"),
            ("ean", "4006381333931"),
            ("id", "9223372036854775807"),
            ("phone", "+1773144000"),
            ("version", "1773144000.1.2"),
        ];
        check(&RULE, Category::Time, &known, &look_alikes);
    }

    #[test]
    fn a_name_and_nearness_make_it_stronger() {
        assert_eq!(strength(&RULE, "value", "1773143990"), Some(Strength::Certain));
        assert_eq!(strength(&RULE, "exp", "1775736000"), Some(Strength::Likely));
        assert_eq!(strength(&RULE, "value", "1775736000"), Some(Strength::Weak));
    }
}

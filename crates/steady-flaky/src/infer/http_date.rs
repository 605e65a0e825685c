//! Dates as HTTP (RFC 9110 section 5.6.7) and mail (RFC 5322) write them: RFC 1123, RFC 850 and asctime.

use std::sync::LazyLock;

use jiff::civil::DateTime;
use regex::{Captures, Regex};
use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule, compile};
use super::{Context, Family};

pub(super) const RULE: Rule = Rule { family: Family::HttpDate, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"(?x)
    (?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]{0,6}),\x20)?(?P<day>\d{1,2})[\x20-]
        (?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[\x20-](?P<year>\d{4}|\d\d)
        \x20(?P<time>\d\d:\d\d:\d\d)\x20(?:GMT|UTC|UT|Z|[A-Z]{3,4}|[+-]\d{4})
    |(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\x20(?P<amonth>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)
        \x20{1,2}(?P<aday>\d{1,2})\x20(?P<atime>\d\d:\d\d:\d\d)\x20(?P<ayear>\d{4})";

static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| compile(PATTERN).ok());

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let parts = PARTS.as_ref()?.captures(candidate.text)?;
    let (prefix, detail) =
        if parts.name("atime").is_some() { ("a", "asctime") } else { ("", "RFC 1123 or RFC 850") };
    let time = moment(&parts, prefix)?;
    Some(Judgement::new(Category::Time, by_distance(context.days_from(time)), detail))
}

/// The date and time in the groups `day`, `month`, `year`, `time` with this prefix.
pub(super) fn moment(parts: &Captures<'_>, prefix: &str) -> Option<DateTime> {
    let part = |name: &str| parts.name(&format!("{prefix}{name}")).map(|part| part.as_str());
    let month = MONTHS.iter().position(|name| part("month") == Some(*name))? + 1;
    let year: i16 = part("year")?.parse().ok()?;
    let year = if year < 70 {
        year + 2000
    } else if year < 100 {
        year + 1900
    } else {
        year
    };
    let day: i8 = part("day")?.parse().ok()?;
    format!("{year:04}-{month:02}-{day:02}T{}", part("time").unwrap_or("00:00:00")).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::Strength;
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("date", "Tue, 10 Mar 2026 12:00:00 GMT"),
            ("date", "Tue, 10 Mar 2026 12:00:00 +0100"),
            ("date", "Tue, 3 Mar 2026 12:00:00 UTC"),
            ("date", "10 Mar 2026 12:00:00 GMT"),
            ("date", "Tue, 10-Mar-2026 12:00:00 GMT"),
            ("date", "Tuesday, 10-Mar-26 12:00:00 GMT"),
            ("date", "Sunday, 06-Nov-94 08:49:37 GMT"),
            ("date", "Sun Nov  6 08:49:37 1994"),
            ("date", "Tue Mar 10 12:00:00 2026"),
            ("date", "Tue, 10 Mar 2026 12:00:00 EST"),
        ];
        let look_alikes = [
            ("date", "10 March"),
            ("date", "Tue, 45 Mar 2026 12:00:00 GMT"),
            ("date", "Tue, 10 Mar 2026"),
            ("date", "10 Mat 2026 12:00:00 GMT"),
            ("date", "Tue, 10 Mar 2026 99:00:00 GMT"),
            ("text", "May 2026"),
            ("text", "open Mon to Fri 08:00 to 17:00"),
            ("name", "Jan Sun"),
            ("text", "12 Mar"),
        ];
        check(&RULE, Category::Time, &known, &look_alikes);
    }

    #[test]
    fn two_digit_years_are_of_this_century_or_the_last() {
        assert_eq!(strength(&RULE, "date", "Tuesday, 10-Mar-26 12:00:00 GMT"), Some(Strength::Certain));
        assert_eq!(strength(&RULE, "date", "Sunday, 06-Nov-94 08:49:37 GMT"), Some(Strength::Weak));
    }
}

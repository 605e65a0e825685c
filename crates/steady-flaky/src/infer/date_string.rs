//! Dates as languages and loggers print them: `java.util.Date.toString`, ECMAScript `Date.prototype.toString` and
//! `toLocaleString`, .NET's invariant culture, the Common Log Format, Go's `time.Time.String`, spelt-out months.

use std::sync::LazyLock;

use jiff::civil::{Date, Time};
use regex::{Captures, Regex};
use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule, compile};
use super::http_date::moment;
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::DateString, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"(?x)
    (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\x20(?P<jmonth>[A-Z][a-z]{2})\x20(?P<jday>\d\d)\x20
        (?P<jtime>\d\d:\d\d:\d\d)\x20(?:[A-Z]{2,5}|GMT[+-]\d\d:\d\d|[+-]\d{2,4})\x20(?P<jyear>\d{4})
    |(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\x20(?P<emonth>[A-Z][a-z]{2})\x20(?P<eday>\d\d)\x20(?P<eyear>\d{4})
        (?:\x20(?P<etime>\d\d:\d\d:\d\d)\x20GMT[+-]\d{4}(?:\x20\((?u:[^)])+\))?)?
    |(?P<clday>\d\d)/(?P<clmonth>[A-Z][a-z]{2})/(?P<clyear>\d{4}):(?P<cltime>\d\d:\d\d:\d\d)\x20[+-]\d{4}
    |(?P<smonth>[A-Z][a-z]{2})[a-z]{0,6}\x20(?P<sday>\d{1,2}),\x20(?P<syear>\d{4})
        (?:,?\x20(?:at\x20)?\d{1,2}:\d\d(?::\d\d)?(?:(?u:[\x20\u202f])?[AP]M)?)
    |(?P<first>\d{1,2})[/.-](?P<second>\d{1,2})[/.-](?P<year>\d{4})(?:(?:,?\x20|T)\d{1,2}|\d\d):\d\d(?::\d\d)?(?:(?u:[\x20\u202f])?[AP]M)?
    |(?P<chour>\d{1,2}):(?P<cminute>\d\d):(?P<csecond>\d\d)(?u:[\x20\u202f])[AP]M
    |(?P<gdate>\d{4}-\d\d-\d\d)\x20\d\d:\d\d:\d\d(?:\.\d{1,9})?\x20[+-]\d{4}\x20[A-Z]{3,5}(?:\x20m=[+-]\d+\.\d+)?";

static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| compile(PATTERN).ok());

/// The prefix of each form's groups and its name.
const NAMED_MONTHS: [(&str, &str); 4] =
    [("j", "Java"), ("e", "ECMAScript"), ("cl", "Common Log Format"), ("s", "spelt out")];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let parts = PARTS.as_ref()?.captures(candidate.text)?;
    if let Some(hour) = parts.name("chour") {
        let hour: i8 = hour.as_str().parse().ok().filter(|hour| (1..=12).contains(hour))?;
        let part = |name: &str| parts.name(name)?.as_str().parse::<i8>().ok();
        Time::new(hour, part("cminute")?, part("csecond")?, 0).ok()?;
        return Some(Judgement::new(Category::Time, Strength::Weak, "time of day"));
    }
    let spelt = NAMED_MONTHS.iter().find(|(prefix, _)| parts.name(&format!("{prefix}month")).is_some());
    let (days, detail) = if let Some((prefix, form)) = spelt {
        (context.days_from(moment(&parts, prefix)?), *form)
    } else if let Some(date) = parts.name("gdate") {
        (context.days_from(date.as_str().parse::<Date>().ok()?.into()), "Go")
    } else {
        (numeric(&parts, context)?, "local format")
    };
    Some(Judgement::new(Category::Time, by_distance(days), detail))
}

/// Day and month in either order, whichever is nearer to now.
fn numeric(parts: &Captures<'_>, context: &Context) -> Option<i64> {
    let part = |name: &str| parts.name(name)?.as_str().parse::<i16>().ok();
    let (year, first, second) = (part("year")?, part("first")?, part("second")?);
    let days = |month: i16, day: i16| {
        let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        Some(context.days_from(date.into()))
    };
    match (days(first, second), days(second, first)) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("date", "Tue Mar 10 12:00:00 UTC 2026"),
            ("date", "Tue Mar 10 13:00:00 CET 2026"),
            ("date", "Tue Mar 10 13:00:00 GMT+01:00 2026"),
            ("date", "Tue Mar 10 2026 12:00:00 GMT+0000 (Coordinated Universal Time)"),
            ("date", "Tue Mar 10 2026 12:00:00 GMT+0000"),
            ("date", "Tue Mar 10 2026"),
            ("date", "3/10/2026, 12:00:00 PM"),
            ("date", "3/10/2026 12:00:00 PM"),
            ("date", "10.03.2026, 12:00:00"),
            ("date", "10-03-2026 12:00:00"),
            // As APIs print that forget the space between a date's format and a time's.
            ("date", "10-03-202612:00:00"),
            ("date", "10/Mar/2026:12:00:00 +0000"),
            ("date", "Mar 10, 2026, 12:00:00 PM"),
            ("date", "March 10, 2026 at 12:00 PM"),
            ("hour", "2:00:04 PM"),
            ("hour", "12:59:59\u{202f}AM"),
            ("date", "2026-03-10 12:00:00.123456789 +0000 UTC m=+0.000012345"),
        ];
        let look_alikes = [
            ("date", "Tue Mar 99 12:00:00 UTC 2026"),
            ("date", "Tue Abc 10 12:00:00 UTC 2026"),
            ("date", "3/10/2026"),
            ("date", "10-03-2026"),
            ("part", "10-03-2026123:00"),
            ("date", "March 10, 2026"),
            ("date", "45/45/2026, 12:00:00 PM"),
            ("opens", "9:00 AM"),
            ("hour", "13:00:00 PM"),
            ("hour", "2:61:04 PM"),
            ("score", "3/10"),
            ("version", "10.3.2026"),
            ("text", "Sun Microsystems 2009"),
            ("text", "room 12/Mar/2026"),
            ("text", "Mon to Fri"),
        ];
        check(&RULE, Category::Time, &known, &look_alikes);
    }
}

//! Dates and times as ISO 8601 and RFC 3339 write them: calendar, week and ordinal dates, extended and basic format,
//! with or without fraction and offset. A blank instead of `T` and a comma before the fraction are common in logs.

use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, ISOWeekDate, Time, Weekday};
use regex::{Captures, Regex};
use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule, compile};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Iso8601, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"(?x)
    (?:(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)|(?P<byear>\d{4})(?P<bmonth>\d\d)(?P<bday>\d\d)
       |(?P<wyear>\d{4})-?W(?P<week>\d\d)(?:-?(?P<weekday>[1-7]))?|(?P<oyear>\d{4})-(?P<ordinal>\d{3}))
    (?:[T\x20](?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?
       (?:\x20?(?P<offset>Z|[+-]\d\d(?::?\d\d)?))?(?:\[[\w/+-]+\])?)?
    |(?P<thour>\d\d):(?P<tminute>\d\d):(?P<tsecond>\d\d)(?:[.,](?P<tfraction>\d{1,9}))?(?P<toffset>Z|[+-]\d\d:?\d\d)?";

static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| compile(PATTERN).ok());

/// Names of dates that people enter.
const ENTERED: [&str; 8] =
    ["birth", "birthday", "birthdate", "dob", "born", "released", "release", "published"];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    if beside_digits(candidate) {
        return None;
    }
    let parts = PARTS.as_ref()?.captures(candidate.text)?;
    let (strength, detail) = if parts.name("thour").is_some() {
        time_only(&parts)?
    } else if parts.name("hour").is_some() {
        let strength = by_distance(context.days_from(DateTime::from_parts(date(&parts)?, time(&parts)?)));
        (strength, "date and time")
    } else {
        date_only(date(&parts)?, candidate, context, parts.name("year").is_some())?
    };
    Some(Judgement::new(Category::Time, strength, detail))
}

/// Whether it is a part of a longer number, a version or an identifier.
fn beside_digits(candidate: &Candidate<'_>) -> bool {
    let before = candidate.before.chars().next_back();
    let mut after = candidate.after.chars();
    let (next, then) = (after.next(), after.next());
    let goes_on = matches!(next, Some('-' | '.' | ':' | '/')) && then.is_some_and(char::is_alphanumeric);
    matches!(before, Some('-' | '.' | '+')) || goes_on
}

fn number(parts: &Captures<'_>, name: &str) -> Option<i16> {
    parts.name(name)?.as_str().parse().ok()
}

fn small(parts: &Captures<'_>, name: &str) -> Option<i8> {
    parts.name(name)?.as_str().parse().ok()
}

fn date(parts: &Captures<'_>) -> Option<Date> {
    if let Some(year) = number(parts, "year") {
        Date::new(year, small(parts, "month")?, small(parts, "day")?).ok()
    } else if let Some(year) = number(parts, "byear") {
        Date::new(year, small(parts, "bmonth")?, small(parts, "bday")?).ok()
    } else if let Some(year) = number(parts, "wyear") {
        let weekday = Weekday::from_monday_one_offset(small(parts, "weekday").unwrap_or(1)).ok()?;
        Some(ISOWeekDate::new(year, small(parts, "week")?, weekday).ok()?.date())
    } else {
        let first = Date::new(number(parts, "oyear")?, 1, 1).ok()?;
        first.with().day_of_year(number(parts, "ordinal")?).build().ok()
    }
}

fn time(parts: &Captures<'_>) -> Option<Time> {
    let second = small(parts, "second").unwrap_or(0).min(59);
    Time::new(small(parts, "hour")?, small(parts, "minute")?, second, 0).ok()
}

/// A time of day: with a fraction it was measured, on the full minute it was chosen.
fn time_only(parts: &Captures<'_>) -> Option<(Strength, &'static str)> {
    let second = small(parts, "tsecond")?;
    Time::new(small(parts, "thour")?, small(parts, "tminute")?, second, 0).ok()?;
    match (parts.name("tfraction"), second) {
        (Some(_), _) => Some((Strength::Likely, "time with a fraction")),
        (None, 0) => None,
        (None, _) => Some((Strength::Weak, "time")),
    }
}

/// A date: near now it may be today's; long ago it is data.
fn date_only(
    date: Date,
    candidate: &Candidate<'_>,
    context: &Context,
    extended: bool,
) -> Option<(Strength, &'static str)> {
    let days = context.days_from(date.into());
    // Eight digits, a week or an ordinal date are often something else: a part number, a range of numbers.
    let believable = extended || (candidate.is_whole() && days <= 7);
    if !believable || context.says(&ENTERED) {
        return None;
    }
    match days {
        0..=2 => Some((Strength::Likely, "date of today")),
        3..=400 => Some((Strength::Weak, "date")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("at", "2026-03-10T12:00:00Z"),
            ("at", "2026-03-10T12:00:00.123456"),
            ("at", "2026-03-10T12:00:00.123456789Z"),
            ("at", "2026-03-10T12:00:00+00:00"),
            ("at", "2026-03-10T12:00:00.5-0800"),
            ("at", "2026-03-10T12:00Z"),
            ("at", "2026-03-10 12:00:00"),
            ("at", "2026-03-10 12:00:00,123"),
            ("at", "2026-03-10 12:00:00 +0100"),
            ("at", "2026-03-10T13:00:00+01:00[Europe/Berlin]"),
            ("at", "20260310T120000Z"),
            ("at", "20260310T120000.123+0100"),
            ("at", "2026-W11-2T12:00:00Z"),
            ("at", "2026-W11-2"),
            ("at", "2026-W11"),
            ("at", "2026-069"),
            ("at", "2026-069T12:00:00Z"),
            ("today", "2026-03-10"),
            ("today", "20260310"),
            ("due", "2026-04-09"),
            ("time", "12:34:56.789"),
            ("time", "12:34:56Z"),
            ("created", "2019-05-06T07:08:09Z"),
        ];
        let look_alikes = [
            ("birthDate", "1990-01-01"),
            ("date", "2019-04-01"),
            ("released", "2026-03-01"),
            ("date", "2026-13-45"),
            ("at", "2026-02-30T12:00:00Z"),
            ("version", "1.2.3"),
            ("version", "2026.03.10"),
            ("phone", "555-123-4567"),
            ("phone", "2026-069-1234"),
            ("opens", "09:00:00"),
            ("ratio", "16:9"),
            ("mac", "00:1b:44:11:3a:b7"),
            ("part", "19283746"),
            ("isbn", "978-3-16-148410-0"),
            ("id", "1-2026-03-10-7"),
            ("verse", "12:34:56:78"),
        ];
        check(&RULE, Category::Time, &known, &look_alikes);
    }

    #[test]
    fn the_nearer_the_stronger() {
        assert_eq!(strength(&RULE, "at", "2026-03-10T11:59:59Z"), Some(Strength::Certain));
        assert_eq!(strength(&RULE, "at", "2025-09-01T10:00:00Z"), Some(Strength::Likely));
        assert_eq!(strength(&RULE, "at", "1999-12-31T23:59:59Z"), Some(Strength::Weak));
        assert_eq!(strength(&RULE, "date", "2026-03-10"), Some(Strength::Likely));
    }
}

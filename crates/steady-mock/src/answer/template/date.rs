//! The time, in Java's date formats.

use jiff::{Span, Timestamp, Zoned, tz::TimeZone};

/// Now, moved by an offset such as `3 days` and written in a format of Java's `SimpleDateFormat`, `epoch` or `unix`.
pub(super) fn now(offset: &str, format: Option<&str>, zone: Option<String>) -> String {
    let zone = zone.and_then(|name| TimeZone::get(&name).ok()).unwrap_or(TimeZone::UTC);
    write(&moved(Timestamp::now().to_zoned(zone), offset), format)
}

fn moved(time: Zoned, offset: &str) -> Zoned {
    let Some((number, unit)) = offset.trim().split_once(' ') else { return time };
    let Ok(number) = number.parse::<i64>() else { return time };
    let span = match unit.trim_end_matches('s') {
        "year" => Span::new().try_years(number),
        "month" => Span::new().try_months(number),
        "day" => Span::new().try_days(number),
        "hour" => Span::new().try_hours(number),
        "minute" => Span::new().try_minutes(number),
        "second" => Span::new().try_seconds(number),
        _ => return time,
    };
    span.and_then(|span| time.checked_add(span)).unwrap_or(time)
}

fn write(time: &Zoned, format: Option<&str>) -> String {
    match format {
        Some("epoch") => time.timestamp().as_millisecond().to_string(),
        Some("unix") => time.timestamp().as_second().to_string(),
        None => time.timestamp().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        Some(format) => java(time, format),
    }
}

/// Writes letter by letter; what stands between quotes stays.
fn java(time: &Zoned, format: &str) -> String {
    let mut text = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if let Some(quoted) = rest.strip_prefix('\'') {
            let (inner, after) = quoted.split_once('\'').unwrap_or((quoted, ""));
            text.push_str(if inner.is_empty() { "'" } else { inner });
            rest = after;
            continue;
        }
        let count = rest.chars().take_while(|character| *character == first).count();
        let token = &rest[..count * first.len_utf8()];
        rest = &rest[token.len()..];
        let directive = match (first, count) {
            ('y', 2) => "%y",
            ('y', _) => "%Y",
            ('M', 4..) => "%B",
            ('M', 3) => "%b",
            ('M', 2) => "%m",
            ('M', _) => "%-m",
            ('d', 2..) => "%d",
            ('d', _) => "%-d",
            ('D', _) => "%j",
            ('H', 2..) => "%H",
            ('H', _) => "%-H",
            ('h', 2..) => "%I",
            ('h', _) => "%-I",
            ('m', 2..) => "%M",
            ('m', _) => "%-M",
            ('s', 2..) => "%S",
            ('s', _) => "%-S",
            ('S', _) => "%3f",
            ('E', 4..) => "%A",
            ('E', _) => "%a",
            ('a', _) => "%p",
            ('Z', _) => "%z",
            ('X', _) => "%:z",
            ('z', _) => "%Z",
            _ => token,
        };
        text.push_str(&time.strftime(directive).to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_javas() {
        let time: Timestamp = "2026-03-04T05:06:07.089Z".parse().unwrap();
        let time = time.to_zoned(TimeZone::UTC);
        let table = [
            (None, "2026-03-04T05:06:07Z"),
            (Some("yyyy-MM-dd'T'HH:mm:ss.SSSXXX"), "2026-03-04T05:06:07.089+00:00"),
            (Some("d MMM yy, h:mm a"), "4 Mar 26, 5:06 AM"),
            (Some("EEEE"), "Wednesday"),
            (Some("epoch"), "1772600767089"),
            (Some("unix"), "1772600767"),
        ];
        for (format, expected) in table {
            assert_eq!(write(&time, format), expected, "{format:?}");
        }
    }

    #[test]
    fn an_offset_moves_the_time() {
        let time: Timestamp = "2026-03-31T00:00:00Z".parse().unwrap();
        let time = time.to_zoned(TimeZone::UTC);
        let table = [
            ("3 days", "2026-04-03"),
            ("-1 months", "2026-02-28"),
            ("1 year", "2027-03-31"),
            ("soon", "2026-03-31"),
        ];
        for (offset, expected) in table {
            assert_eq!(moved(time.clone(), offset).strftime("%Y-%m-%d").to_string(), expected, "{offset}");
        }
    }
}

//! Times near the one a response was given at.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use serde_json::Value;
use steady_model::{Response, TimeFormat};

/// Whether a value is a time of this format near the response's own.
pub(super) fn is_recent(value: &Value, format: TimeFormat, response: &Response) -> bool {
    let reference = reference(response).unwrap_or_else(Timestamp::now);
    moment(value, format)
        .is_some_and(|moment| moment.duration_since(reference).abs().as_secs() <= i64::from(format.reach()))
}

/// When the response was given, by its `Date` header: the API's own clock, not ours.
pub fn reference(response: &Response) -> Option<Timestamp> {
    http_date(response.header("date")?)
}

/// The moment of a value in this format.
pub fn moment(value: &Value, format: TimeFormat) -> Option<Timestamp> {
    match format {
        TimeFormat::Rfc3339 => value.as_str()?.parse().ok(),
        TimeFormat::Http => http_date(value.as_str()?),
        TimeFormat::Date => date(value.as_str()?),
        TimeFormat::Seconds => since_1970(value, 1e9),
        TimeFormat::Milliseconds => since_1970(value, 1e6),
        TimeFormat::Microseconds => since_1970(value, 1e3),
        TimeFormat::Nanoseconds => since_1970(value, 1.0),
    }
}

/// The first moment of a date, in UTC.
fn date(text: &str) -> Option<Timestamp> {
    let date: Date = text.parse().ok().filter(|_| text.len() == "2026-03-10".len())?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

fn http_date(text: &str) -> Option<Timestamp> {
    rfc2822::parse(text).ok().map(|zoned| zoned.timestamp())
}

/// A float may lose half a microsecond, which is irrelevant here.
fn since_1970(value: &Value, nanoseconds: f64) -> Option<Timestamp> {
    let number = match value {
        Value::String(digits)
            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') =>
        {
            digits.parse().ok()?
        }
        other => other.as_f64()?,
    };
    Timestamp::from_nanosecond((number * nanoseconds) as i128).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steady_model::Payload;

    use super::*;

    fn response(date: Option<&str>) -> Response {
        let headers = date.map(|date| ("date".to_owned(), date.to_owned())).into_iter().collect();
        Response { status: 200, headers, body: Payload::default(), truncated: false }
    }

    #[test]
    fn every_format_is_held_against_the_date_of_the_response() {
        let response = response(Some("Tue, 10 Mar 2026 12:00:00 GMT"));
        let cases = [
            (TimeFormat::Rfc3339, json!("2026-03-10T12:30:00.5Z"), json!("2026-03-10T13:30:00Z")),
            (TimeFormat::Rfc3339, json!("2026-03-10T21:30:00+09:00"), json!("2026-03-10T12:00:00")),
            (
                TimeFormat::Http,
                json!("Tue, 10 Mar 2026 11:10:00 GMT"),
                json!("Mon, 09 Mar 2026 11:10:00 GMT"),
            ),
            (TimeFormat::Seconds, json!(1_773_144_000), json!(1_773_144_000_000_u64)),
            (TimeFormat::Seconds, json!("1773144000.25"), json!(1_773_000_000)),
            (TimeFormat::Milliseconds, json!(1_773_144_000_123_u64), json!("soon")),
            (TimeFormat::Microseconds, json!(1_773_144_000_123_456_u64), json!(null)),
            (TimeFormat::Nanoseconds, json!(1_773_144_000_123_456_789_u64), json!(true)),
        ];
        for (format, near, far) in cases {
            assert!(is_recent(&near, format, &response), "{format:?} {near}");
            assert!(!is_recent(&far, format, &response), "{format:?} {far}");
        }
    }

    #[test]
    fn without_a_date_now_is_the_reference() {
        let now = json!(Timestamp::now().as_second());
        assert!(is_recent(&now, TimeFormat::Seconds, &response(None)));
        assert!(is_recent(&now, TimeFormat::Seconds, &response(Some("yesterday"))));
        assert!(!is_recent(&json!(1_000_000_000), TimeFormat::Seconds, &response(None)));
    }
}

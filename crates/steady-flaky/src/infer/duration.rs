//! How long something took: `12.3ms`, `took 3 ms`, ISO 8601 durations (`PT0.12S`), and numbers under names that say so.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Duration, pattern: PATTERN, numbers: true, judge };

const PATTERN: &str = r"(?x)
    P(?:\d+D)?T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?
    |\d+(?:\.\d+)?\x20?(?:milliseconds?|microseconds?|nanoseconds?|seconds?|msecs?|secs?|ns|µs|μs|us|ms|s)
    |\d+(?:\.\d+)?";

/// Names of what was measured.
const MEASURED: [&str; 9] =
    ["took", "elapsed", "latency", "uptime", "runtime", "dur", "rt", "millis", "spent"];
/// Names of what may have been measured or chosen.
const UNSURE: [&str; 2] = ["duration", "time"];
/// Names of what was chosen.
const CHOSEN: [&str; 14] = [
    "timeout",
    "interval",
    "ttl",
    "max",
    "min",
    "limit",
    "delay",
    "period",
    "retry",
    "age",
    "expires",
    "window",
    "expiration",
    "timestamp",
];
/// Words before a measured time in a message.
const LEADS: [&str; 5] = ["took", "in", "after", "elapsed", "elapsed:"];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let text = candidate.text;
    if context.says(&CHOSEN) || candidate.before.ends_with(['.', '-', '+', '$', '#']) {
        return None;
    }
    let measured = context.says(&MEASURED);
    let unsure = context.says(&UNSURE);
    let bare = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let (strength, detail) = if bare {
        if !candidate.is_whole() || !(measured || (unsure && candidate.number && text.contains('.'))) {
            return None;
        }
        (
            if measured && candidate.number { Strength::Likely } else { Strength::Weak },
            "a number whose name says so",
        )
    } else if text.starts_with('P') {
        match (text.ends_with('S'), text.contains('.'), measured || unsure) {
            (true, true, _) => (Strength::Likely, "ISO 8601 duration with a fraction"),
            (true, false, true) => (Strength::Weak, "ISO 8601 duration"),
            _ => return None,
        }
    } else {
        let led = candidate
            .before
            .split_whitespace()
            .next_back()
            .is_some_and(|word| LEADS.contains(&word.to_ascii_lowercase().as_str()));
        match (measured || led, unsure || text.contains('.')) {
            (true, _) => (Strength::Likely, "measured time"),
            (false, true) => (Strength::Weak, "time with a unit"),
            (false, false) => return None,
        }
    };
    Some(Judgement::new(Category::Time, strength, detail))
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::super::{Context, suspect};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("took", "12ms"),
            ("elapsed", "3 ms"),
            ("latency", "1.5s"),
            ("value", "12.345ms"),
            ("value", "0.003 seconds"),
            ("duration", "250 µs"),
            ("value", "PT0.123S"),
            ("duration", "PT12S"),
            ("took", "17"),
            ("uptime", "4711.25"),
        ];
        let look_alikes = [
            ("timeout", "30s"),
            ("timeout", "1.5s"),
            ("interval", "PT30S"),
            ("value", "PT1H"),
            ("value", "P1Y"),
            ("value", "12ms"),
            ("size", "12 mm"),
            ("price", "19.99"),
            ("decade", "1980s"),
            ("value", "17"),
            ("version", "1.2.3"),
            ("maxAge", "3600 seconds"),
        ];
        check(&RULE, Category::Time, &known, &look_alikes);
    }

    #[test]
    fn a_measured_time_in_a_message_is_found() {
        let now = super::super::table::NOW.parse().expect("a time");
        let text = serde_json::Value::from("query took 3 ms");
        let found = suspect(&text, &Context::new("message", now)).expect("a duration");
        assert_eq!((found.family, found.span, found.whole), (Family::Duration, 11..15, false));
    }
}

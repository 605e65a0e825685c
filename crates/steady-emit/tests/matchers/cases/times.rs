//! Times near the one the response was given at.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::Case;
use crate::server::Answer;

pub fn times() -> Vec<Case> {
    const EARLIER: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    let now = Timestamp::now();
    let near = now + SignedDuration::from_mins(-50);
    let far = now + SignedDuration::from_mins(-70);
    let http = |time: Timestamp| json!(time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string());
    let with_offset = |time: Timestamp| {
        json!((time + SignedDuration::from_mins(150)).strftime("%Y-%m-%dT%H:%M:%S.123+02:30").to_string())
    };
    let rfc3339 = json!({"recent": "rfc3339"});
    let recent =
        |name, matcher: &Value, right: &[Value], wrong: &[Value]| Case::values(name, matcher, right, wrong);
    let at = |date: &str, value: &Value| Answer::json(&json!({"value": value})).with("date", date);
    let mut given = recent("recent_by_date", &rfc3339, &[], &[]);
    given.right = vec![
        at(EARLIER, &json!("1994-11-06T08:49:37Z")),
        at(EARLIER, &json!("1994-11-06t10:19:37.5+01:30")),
        at(EARLIER, &json!("1994-11-06 07:49:37Z")),
        at(EARLIER, &json!("1994-11-06T04:49:37-05:00")),
        at(EARLIER, &json!("1994-11-06T08:49:37.123456789+0000")),
        at(EARLIER, &json!("1994-11-06T09:49:37,5+01:00[Europe/Paris]")),
        at(EARLIER, &json!("1994-11-06T08:49Z")),
        at(EARLIER, &json!("19941106T084937+00")),
        at("Sun, 06 Nov 1994 08:49:37 +0000", &json!("1994-11-06T08:49:37Z")),
        at("some day", &json!(now.to_string())),
    ];
    given.wrong = vec![
        at(EARLIER, &json!(now.to_string())),
        at(EARLIER, &json!("1994-11-06T07:49:36Z")),
        at(EARLIER, &json!("1994-11-06T08:49:37")),
        at(EARLIER, &json!("1994-11-06")),
        at(EARLIER, &json!("1994-11-06T08:49:37Z ")),
        at(EARLIER, &json!("1994-11-06T08:61:37Z")),
        at("some day", &json!("1994-11-06T08:49:37Z")),
    ];
    vec![
        given,
        recent(
            "recent_rfc3339",
            &rfc3339,
            &[json!(now.to_string()), json!(near.to_string()), with_offset(now)],
            &[json!(far.to_string()), with_offset(far), json!(now.as_second()), http(now), json!("now")],
        ),
        recent(
            "recent_http",
            &json!({"recent": "http"}),
            &[http(now), http(near)],
            &[http(far), json!(now.to_string()), json!("Sun, 06 Foo 1994 08:49:37 GMT")],
        ),
        recent(
            "recent_seconds",
            &json!({"recent": "seconds"}),
            &[
                json!(now.as_second()),
                json!(near.as_second() as f64 + 0.5),
                json!(now.as_second().to_string()),
                json!(format!("{}.25", now.as_second())),
            ],
            &[
                json!(far.as_second()),
                json!(now.as_millisecond()),
                json!(now.to_string()),
                json!("1e9"),
                json!(true),
            ],
        ),
        recent(
            "recent_milliseconds",
            &json!({"recent": "milliseconds"}),
            &[json!(near.as_millisecond()), json!(now.as_millisecond().to_string())],
            &[json!(far.as_millisecond()), json!(now.as_second())],
        ),
        recent(
            "recent_microseconds",
            &json!({"recent": "microseconds"}),
            &[json!(near.as_microsecond())],
            &[json!(far.as_microsecond())],
        ),
        recent(
            "recent_nanoseconds",
            &json!({"recent": "nanoseconds"}),
            &[json!(near.as_nanosecond() as u64)],
            &[json!(far.as_nanosecond() as u64)],
        ),
    ]
}

//! Every matcher, with answers for which it holds and answers for which it does not.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::server::Answer;

/// Some assertions, and answers they are held against. Tests may use the variables `id`, 7, and `name`, [`NAME`].
pub struct Case {
    pub name: &'static str,
    pub expect: Vec<Value>,
    pub right: Vec<Answer>,
    pub wrong: Vec<Answer>,
}

/// What the variable `name` holds.
pub const NAME: &str = "a \"b\"/${c} {{d}} \u{e4}";

impl Case {
    /// A matcher of what is at `/value`, with whole bodies.
    fn bodies(name: &'static str, matcher: &Value, right: &[Value], wrong: &[Value]) -> Self {
        let answers = |bodies: &[Value]| bodies.iter().map(Answer::json).collect();
        let expect = vec![json!({"where": "body:/value", "is": matcher})];
        Self { name, expect, right: answers(right), wrong: answers(wrong) }
    }

    /// A matcher of what is at `/value`, with these values there. No value at all is always wrong.
    fn values(name: &'static str, matcher: &Value, right: &[Value], wrong: &[Value]) -> Self {
        let bodies =
            |values: &[Value]| values.iter().map(|value| json!({"value": value})).collect::<Vec<_>>();
        Self::bodies(name, matcher, &bodies(right), &[bodies(wrong), vec![json!({"other": 1})]].concat())
    }
}

pub fn all() -> Vec<Case> {
    [texts(), relations(), unordered(), tokens(), patterns(), times(), choices(), places()]
        .into_iter()
        .flatten()
        .collect()
}

fn texts() -> Vec<Case> {
    let whole = format!("order-7/{NAME}\n");
    vec![
        Case::values(
            "text",
            &json!({"text": ["order-", {"var": "id"}, "/", {"var": "name"}, "\n"]}),
            &[json!(whole)],
            &[json!(format!("order-8/{NAME}\n")), json!(whole.trim_end()), json!(["order-7"])],
        ),
        Case::values(
            "text_of_a_number",
            &json!({"text": [{"var": "id"}]}),
            &[json!("7")],
            &[json!(7), json!("8")],
        ),
    ]
}

fn relations() -> Vec<Case> {
    let same = json!({"relation": {"same": "body:/other"}});
    let sum = json!({"relation": {"sum": ["body:/a", "body:/b/0"]}});
    let product = json!({"relation": {"product": ["body:/a", "body:/b/0", "body:/c"]}});
    vec![
        Case::bodies(
            "same",
            &same,
            &[
                json!({"value": {"a": 1, "b": [null]}, "other": {"b": [null], "a": 1.0}}),
                json!({"value": null, "other": null}),
                json!({"value": 9_007_199_254_740_993_u64, "other": 9_007_199_254_740_993_u64}),
            ],
            &[
                json!({"value": 1, "other": 2}),
                json!({"value": 1, "other": true}),
                json!({"value": 1, "other": "1"}),
                json!({"value": {"a": 1}, "other": {"a": 1, "b": 1}}),
                json!({"value": 9_007_199_254_740_993_u64, "other": 9_007_199_254_740_992_u64}),
                json!({"value": 1}),
                json!({"other": 1}),
                json!({}),
            ],
        ),
        Case {
            name: "same_as_status_and_header",
            expect: vec![
                json!({"where": "body:/status", "is": {"relation": {"same": "status"}}}),
                json!({"where": "header:etag", "is": {"relation": {"same": "body:/tag"}}}),
                json!({"where": "body:/tag", "is": {"relation": {"same": "header:etag"}}}),
            ],
            right: vec![Answer::json(&json!({"status": 200, "tag": "\"x\""})).with("etag", "\"x\"")],
            wrong: vec![
                Answer::json(&json!({"status": 201, "tag": "\"x\""})).with("etag", "\"x\""),
                Answer::json(&json!({"status": 200, "tag": "\"x\""})).with("etag", "\"y\""),
                Answer::json(&json!({"status": 200, "tag": "\"x\""})),
            ],
        },
        Case::bodies(
            "sum",
            &sum,
            &[
                json!({"value": 3.3, "a": 1.1, "b": [2.2]}),
                json!({"value": 3, "a": 1.0, "b": [2]}),
                json!({"value": -1e15, "a": -1e15, "b": [0.125]}),
            ],
            &[
                json!({"value": "3", "a": 1, "b": [2]}),
                json!({"value": true, "a": 1, "b": [0]}),
                json!({"a": 1, "b": [2]}),
                json!({"value": 3.301, "a": 1.1, "b": [2.2]}),
                json!({"value": 3, "a": 1, "b": ["2"]}),
                json!({"value": 1, "a": 1, "b": []}),
                json!({"value": 2, "a": 1, "b": [true]}),
            ],
        ),
        Case::bodies(
            "product",
            &product,
            &[
                json!({"value": 3.3, "a": 1.1, "b": [3], "c": 1}),
                json!({"value": 0, "a": 1.1, "b": [3], "c": 0}),
            ],
            &[
                json!({"value": null, "a": 1.1, "b": [3], "c": 0}),
                json!({"value": 3.4, "a": 1.1, "b": [3], "c": 1}),
                json!({"value": 3.3, "a": 1.1, "b": [3]}),
            ],
        ),
        Case::bodies(
            "count",
            &json!({"relation": {"count": "body:/items"}}),
            &[
                json!({"value": 2, "items": [1, 2]}),
                json!({"value": 1.0, "items": [{}]}),
                json!({"value": 0, "items": []}),
            ],
            &[
                json!({"value": 3, "items": [1, 2]}),
                json!({"value": "2", "items": [1, 2]}),
                json!({"value": true, "items": [1]}),
                json!({"value": 2, "items": "ab"}),
                json!({"value": 2, "items": {"a": 1, "b": 2}}),
                json!({"value": 0}),
                json!({"items": []}),
            ],
        ),
    ]
}

fn unordered() -> Vec<Case> {
    let objects = json!([{"id": 1, "tags": ["x", "y"]}, {"id": 2, "tags": []}]);
    let many: Vec<u32> = (0..500).collect();
    let reversed: Vec<u32> = many.iter().rev().copied().collect();
    let other: Vec<u32> = (1..501).collect();
    vec![
        Case::values(
            "unordered",
            &json!({"unordered": [1, 2, "2", null, true]}),
            &[json!([true, null, "2", 2.0, 1]), json!([1, 2, "2", null, true])],
            &[
                json!([1, 2, "2", null]),
                json!([1, 2, "2", null, true, 3]),
                json!([1, 2, "2", null, 1]),
                json!([1, 2, "2", 0, true]),
                json!([1, 2, 2, null, true]),
                json!({"a": 1, "b": 2, "c": "2", "d": null, "e": true}),
                json!("12"),
            ],
        ),
        Case::values(
            "unordered_twice",
            &json!({"unordered": ["it's", "\u{e4}\\", "it's", "\u{1f600}\n"]}),
            &[json!(["\u{1f600}\n", "it's", "\u{e4}\\", "it's"])],
            &[json!(["\u{1f600}\n", "\u{e4}\\", "\u{e4}\\", "it's"])],
        ),
        Case::values(
            "unordered_nothing",
            &json!({"unordered": []}),
            &[json!([])],
            &[json!([1]), json!({}), json!("")],
        ),
        Case::values(
            "unordered_objects",
            &json!({"unordered": objects}),
            &[json!([{"tags": [], "id": 2.0}, {"tags": ["x", "y"], "id": 1}])],
            &[
                json!([{"id": 2, "tags": []}, {"id": 3, "tags": ["x", "y"]}]),
                json!([{"id": 2, "tags": []}, {"id": 1, "tags": ["y", "x"]}]),
                json!([{"id": 2, "tags": []}, {"id": 1, "tags": ["x", "y"], "more": 1}]),
            ],
        ),
        Case::values("unordered_many", &json!({"unordered": many}), &[json!(reversed)], &[json!(other)]),
    ]
}

fn tokens() -> Vec<Case> {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let token = |header: Value, claims: Value, signature: &str| {
        json!(format!("{}.{}.{signature}", part(&header), part(&claims)))
    };
    let header = || json!({"typ": "JWT", "alg": "HS256"});
    let claims =
        || json!({"sub": "alic\u{e9}", "exp": 1_700_000_000, "level": 1.0, "roles": ["a", {"b": null}]});
    let good = token(header(), claims(), "c2ln");
    let text = good.as_str().map(str::to_owned).unwrap_or_default();
    let padded = text.replacen('.', "=.", 1);
    let jwt = json!({"jwt": {
        "header": {"alg": "HS256"},
        "claims": {"sub": "alic\u{e9}", "level": 1, "roles": ["a", {"b": null}]},
    }});
    vec![
        Case::values(
            "jwt",
            &jwt,
            &[good.clone(), token(header(), claims(), "")],
            &[
                token(json!({"alg": "none"}), claims(), "c2ln"),
                token(header(), json!({"sub": "bob", "level": 1, "roles": ["a", {"b": null}]}), "c2ln"),
                token(
                    header(),
                    json!({"sub": "alic\u{e9}", "level": true, "roles": ["a", {"b": null}]}),
                    "c2ln",
                ),
                token(header(), json!({"sub": "alic\u{e9}", "level": 1}), "c2ln"),
                token(header(), json!(["alic\u{e9}"]), "c2ln"),
                token(header(), claims(), "c2ln.c2ln"),
                token(header(), claims(), "c2+n"),
                json!(text.rsplit_once('.').map(|(rest, _)| rest)),
                json!(padded),
                json!("a.b.c"),
                json!({"alg": "HS256"}),
            ],
        ),
        Case::values(
            "jwt_of_any_kind",
            &json!({"jwt": {}}),
            &[good],
            &[json!("a.b.c"), json!("bm8.bm8.bm8")],
        ),
    ]
}

fn patterns() -> Vec<Case> {
    let pattern = |regex: &str| json!({"pattern": {"regex": regex, "what": "text \"like\" this"}});
    let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
    vec![
        Case::values(
            "pattern",
            &pattern(uuid),
            &[json!("00000000-0000-4000-8000-00000000000f")],
            &[
                json!("00000000-0000-1000-8000-00000000000f"),
                json!("00000000-0000-4000-8000-00000000000F"),
                json!("00000000-0000-4000-8000-00000000000f\n"),
                json!(" 00000000-0000-4000-8000-00000000000f"),
                json!(4),
                json!(null),
                json!(["00000000-0000-4000-8000-00000000000f"]),
            ],
        ),
        Case::values(
            "pattern_of_alternatives",
            &pattern("a|bc"),
            &[json!("a"), json!("bc")],
            &[json!("ac"), json!("abc")],
        ),
        Case::values(
            "pattern_of_letters",
            &pattern("(?:\u{1f600}|\u{e4}\n\u{2028}|\u{4e2d}){2}\u{1f600}+"),
            &[json!("\u{1f600}\u{e4}\n\u{2028}\u{1f600}\u{1f600}")],
            &[json!("\u{1f600}\u{1f600}"), json!("\u{e4}\u{4e2d}\u{1f600}")],
        ),
        Case::values(
            "pattern_of_template",
            &pattern("at \\$\\{x\\} \\[1\\] \"q\" '/`\\.\\\\ #\\{\\{ in [\\s\\S]*\\."),
            &[json!("at ${x} [1] \"q\" '/`.\\ #{{ in a\nb.\u{2028}.")],
            &[json!("at ${x} [1] \"q\" '/`.\\ #{{ in a\nb"), json!("at ${x} [1] \"q\" '/`x\\ #{{ in .")],
        ),
    ]
}

fn times() -> Vec<Case> {
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
        at("some day", &json!(now.to_string())),
    ];
    given.wrong = vec![
        at(EARLIER, &json!(now.to_string())),
        at(EARLIER, &json!("1994-11-06T07:49:36Z")),
        at(EARLIER, &json!("1994-11-06T08:49:37")),
        at(EARLIER, &json!("1994-11-06")),
        at(EARLIER, &json!("1994-11-06T08:49:37Z ")),
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

fn choices() -> Vec<Case> {
    vec![
        Case::values(
            "one_of",
            &json!({"one_of": ["open", "a.b|c", ""]}),
            &[json!("open"), json!("a.b|c"), json!("")],
            &[json!("OPEN"), json!("axb|c"), json!("openopen"), json!(null)],
        ),
        Case::values(
            "one_of_all_kinds",
            &json!({"one_of": [1, null, {"a": [true]}, "x"]}),
            &[json!(1.0), json!(null), json!({"a": [true]}), json!("x")],
            &[json!(true), json!({"a": [1]}), json!(2), json!("null")],
        ),
        Case::values("one_of_one", &json!({"one_of": [null]}), &[json!(null)], &[json!(0)]),
        Case::values(
            "range",
            &json!({"range": {"min": 1, "max": 5.5}}),
            &[json!(1), json!(1.0), json!(5.5), json!(3)],
            &[json!(0.99), json!(6), json!("3"), json!(true), json!(null), json!([3])],
        ),
        Case::values(
            "range_from",
            &json!({"range": {"min": -1}}),
            &[json!(-1), json!(1e300)],
            &[json!(-1.5), json!(false)],
        ),
        Case::values(
            "range_to",
            &json!({"range": {"max": 9_007_199_254_740_993_u64}}),
            &[json!(9_007_199_254_740_993_u64), json!(-1)],
            &[json!(9_007_199_254_740_994_u64), json!(u64::MAX), json!(false)],
        ),
        Case::values("range_of_all", &json!({"range": {}}), &[json!(1.5)], &[json!("1")]),
    ]
}

/// Headers, text bodies, several assertions about one place, and none any more.
fn places() -> Vec<Case> {
    let cookie = "session=abc; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly";
    let empty = || Answer::json(&json!({}));
    let several = [
        json!({"type": "string"}),
        json!({"pattern": {"regex": "[a-z]+", "what": "letters"}}),
        json!({"one_of": ["ab", "12"]}),
    ];
    let root = json!({"pattern": {"regex": "[0-9]+ items\n", "what": "a count"}});
    vec![
        Case {
            name: "cookie",
            expect: vec![json!({"where": "header:set-cookie", "is": {"equals": cookie}})],
            right: vec![empty().with("set-cookie", cookie)],
            wrong: vec![empty().with("set-cookie", "session=abc"), empty()],
        },
        Case {
            name: "cookie_that_varies",
            expect: vec![
                json!({"where": "header:set-cookie", "is": {"pattern": {"regex": "id=[0-9a-f]{4}; Path=/", "what": "a cookie"}}}),
                json!({"where": "header:set-cookie", "is": {"type": "string"}}),
            ],
            right: vec![empty().with("set-cookie", "id=00ff; Path=/")],
            wrong: vec![empty().with("set-cookie", "id=00ff; Path=/a"), empty()],
        },
        Case {
            name: "header",
            expect: vec![
                json!({"where": "header:x-left", "is": {"recent": "seconds"}}),
                json!({"where": "header:x-link", "is": {"text": ["</", {"var": "id"}, ">"]}}),
            ],
            right: vec![
                empty().with("x-left", Timestamp::now().as_second().to_string()).with("x-link", "</7>"),
            ],
            wrong: vec![
                empty().with("x-left", "soon").with("x-link", "</7>"),
                empty().with("x-left", Timestamp::now().as_second().to_string()).with("x-link", "</8>"),
            ],
        },
        Case {
            name: "several_at_one_place",
            expect: several.iter().map(|is| json!({"where": "body:/value", "is": is})).collect(),
            right: vec![Answer::json(&json!({"value": "ab"}))],
            wrong: ["12", "cd"].map(|value| Answer::json(&json!({"value": value}))).to_vec(),
        },
        Case {
            name: "text_body",
            expect: vec![json!({"where": "body:", "is": root})],
            right: vec![Answer::text("12 items\n")],
            wrong: vec![Answer::text("12 items"), Answer::text("")],
        },
        Case {
            name: "root",
            expect: vec![
                json!({"where": "header:content-type", "is": {"media_type": "application/json"}}),
                json!({"where": "body:", "is": {"pattern": {"regex": "[0-9]+", "what": "digits"}}}),
            ],
            right: vec![Answer::json(&json!("12"))],
            wrong: vec![Answer::json(&json!(12)), Answer::json(&json!("a"))],
        },
        Case {
            name: "root_unordered",
            expect: vec![json!({"where": "body:", "is": {"unordered": [1, 2]}})],
            right: vec![Answer::json(&json!([2, 1]))],
            wrong: vec![Answer::json(&json!([2])), Answer::text("[1, 2]").with("x", "")],
        },
        Case {
            name: "disabled",
            expect: vec![
                json!({"where": "body:/value", "is": "disabled", "note": "Flaky value of field /value: a\n*/ \\u000a vs. \u{2028}b \"\"\" # //"}),
                json!({"where": "header:x-none", "is": "disabled"}),
            ],
            right: vec![Answer::json(&json!({"value": 1})), empty()],
            wrong: vec![],
        },
    ]
}

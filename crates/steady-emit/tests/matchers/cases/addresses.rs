//! The address of the API and values of the environment, in texts, patterns and JSON. The suite was made at another address.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{Case, KEY};
use crate::server::Answer;

/// The address that suites of these tests are made at.
const ELSEWHERE: &str = "http://127.0.0.1:9";

pub fn texts() -> Vec<Case> {
    let text = |name, segments: Value, right: &str, wrong: &[&str]| {
        let wrong: Vec<Value> = wrong.iter().map(|text| json!(text)).collect();
        Case::values(name, &json!({"text": segments}), &[json!(right)], &wrong)
    };
    let link = json!({"pattern": {"regex": [{"base": "url"}, "/x\\?a=[0-9]+|", {"env": "STEADY_CASE_KEY"}], "what": "a link"}});
    vec![
        text(
            "base_url",
            json!([{"base": "url"}, "/x/", {"var": "id"}]),
            "@url@/x/7",
            &["@url@/x/8", "@origin@/x/7", "http://127.0.0.1:9/x/7", "@url@x/x/7"],
        ),
        text(
            "base_parts",
            json!(["see ", {"base": "origin"}, {"base": "path"}]),
            "see @url@",
            &["see @origin@"],
        ),
        text(
            "base_authority",
            json!([{"base": "authority"}, "."]),
            "@authority@.",
            &["@authority@", "127.0.0.1:9."],
        ),
        text(
            "base_percent",
            json!(["/login?next=", {"base": "url", "encoded": "percent"}]),
            "/login?next=@url:percent@",
            &["/login?next=@url@"],
        ),
        text("key", json!(["a", {"env": "STEADY_CASE_KEY"}]), &format!("a{KEY}"), &["a"]),
        text("key_in_base64", json!([{"env": "STEADY_CASE_KEY", "encoded": "base64"}]), "ay55LzE=", &[KEY]),
        text("key_percent", json!([{"env": "STEADY_CASE_KEY", "encoded": "percent"}]), "k.y%2F1", &[KEY]),
        Case::values(
            "base_in_pattern",
            &link,
            &[json!("@url@/x?a=12"), json!(KEY)],
            &[
                json!("@url@/x?a="),
                json!(format!("{ELSEWHERE}/x?a=12")),
                json!("k_y/1"),
                json!("@url@/xx?a=1"),
            ],
        ),
        Case {
            name: "base_json",
            expect: vec![
                json!({"where": "header:x-link", "is": {"text": ["\"", {"base": "url", "encoded": "json"}, "\""]}}),
            ],
            right: vec![Answer::json(&json!({})).with("x-link", "\"@url:json@\"")],
            wrong: vec![Answer::json(&json!({})).with("x-link", "\"@url@\"")],
        },
        Case {
            name: "base_in_header",
            expect: vec![json!({"where": "header:location", "is": {"text": [{"base": "path"}, "/x"]}})],
            right: vec![Answer::json(&json!({})).with("location", "@path@/x")],
            wrong: vec![Answer::json(&json!({})).with("location", "/x")],
        },
    ]
}

pub fn values() -> Vec<Case> {
    let case = |name, matcher: Value, texts: Value, right: &[Value], wrong: &[Value]| {
        let answers =
            |values: &[Value]| values.iter().map(|value| Answer::json(&json!({"value": value}))).collect();
        let expect = vec![json!({"where": "body:/value", "is": matcher, "texts": texts})];
        Case { name, expect, right: answers(right), wrong: answers(wrong) }
    };
    let issuer = |issuer: &str| {
        let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
        json!(format!("{}.{}.AAAA", part(json!({"alg": "none"})), part(json!({"iss": issuer, "n": 1}))))
    };
    vec![
        case(
            "base_in_object",
            json!({"equals": {"self": "", "n": 1, "all": [""]}}),
            json!({"/self": [{"base": "url"}, "/x"], "/all/0": [{"env": "STEADY_CASE_KEY"}]}),
            &[json!({"self": "@url@/x", "n": 1, "all": [KEY]})],
            &[
                json!({"self": format!("{ELSEWHERE}/x"), "n": 1, "all": [KEY]}),
                json!({"self": "@url@/x", "n": 2, "all": [KEY]}),
                json!({"self": "@url@/x", "n": 1, "all": [""]}),
            ],
        ),
        case(
            "base_in_any_order",
            json!({"unordered": ["", {"a": ""}]}),
            json!({"/0": [{"base": "url"}, "/x"], "/1/a": [{"base": "authority"}]}),
            &[json!([{"a": "@authority@"}, "@url@/x"])],
            &[json!([{"a": "127.0.0.1:9"}, "@url@/x"]), json!([{"a": "@authority@"}, "@url@/y"])],
        ),
        case(
            "base_out_of_several",
            json!({"one_of": ["none", ""]}),
            json!({"/1": [{"base": "url"}, "/x"]}),
            &[json!("none"), json!("@url@/x")],
            &[json!(format!("{ELSEWHERE}/x")), json!("")],
        ),
        case(
            "key_in_token",
            json!({"jwt": {"claims": {"iss": ""}}}),
            json!({"/claims/iss": [{"env": "STEADY_CASE_KEY"}]}),
            &[issuer(KEY)],
            &[issuer("k")],
        ),
    ]
}

//! Headers, text bodies, several assertions about one place, and none any more.

use jiff::Timestamp;
use serde_json::json;

use super::Case;
use crate::server::Answer;

pub fn places() -> Vec<Case> {
    let cookie = "session=abc; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly";
    let empty = || Answer::json(&json!({}));
    let several = [
        json!({"type": "string"}),
        json!({"pattern": {"regex": "[a-z]+", "what": "letters"}}),
        json!({"one_of": ["ab", "12"]}),
    ];
    let root = json!({"pattern": {"regex": "[0-9]+ items\n", "what": "a count"}});
    vec![
        // A service that translates its messages answers every runner in the language it was searched in.
        Case::values("language", &json!({"equals": "en"}), &[json!("@language@")], &[json!("de")]),
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

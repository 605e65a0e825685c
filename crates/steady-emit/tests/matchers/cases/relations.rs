//! What other places of the response make a value.

use serde_json::json;

use super::Case;
use crate::server::Answer;

pub fn relations() -> Vec<Case> {
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

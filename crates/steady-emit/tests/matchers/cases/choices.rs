//! Values out of some, numbers out of a range, items in any order.

use serde_json::json;

use super::Case;

pub fn choices() -> Vec<Case> {
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

pub fn unordered() -> Vec<Case> {
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

//! When two JSON values are the same value.

use serde_json::{Number, Value};

/// Whether two values are the same: numbers by value (`1` is `1.0`), objects whatever the order of their keys.
pub fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_value(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, value)| right.get(key).is_some_and(|other| same_value(value, other)))
        }
        (left, right) => left == right,
    }
}

/// Whether two lists have the same items, each as often, in any order.
pub fn same_items(left: &[Value], right: &[Value]) -> bool {
    let mut open: Vec<&Value> = right.iter().collect();
    left.len() == right.len()
        && left.iter().all(|item| {
            let found = open.iter().position(|other| same_value(item, other));
            found.map(|index| open.swap_remove(index)).is_some()
        })
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => left == right,
        (Some(integer), None) => right.as_f64().is_some_and(|float| same_mixed(integer, float)),
        (None, Some(integer)) => left.as_f64().is_some_and(|float| same_mixed(integer, float)),
        (None, None) => left.as_f64() == right.as_f64(),
    }
}

/// Compared as integers: beyond 2^53, floats would round different integers to equal ones.
fn same_mixed(integer: i128, float: f64) -> bool {
    float.fract() == 0.0 && float.abs() < 1e30 && float as i128 == integer
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_compared_by_value_and_nothing_else_is_a_number() {
        let same = [
            (json!(1), json!(1.0)),
            (json!({"a": [1], "b": null}), json!({"b": null, "a": [1.0]})),
            (json!(0.5), json!(0.5)),
            (json!(u64::MAX), json!(u64::MAX)),
        ];
        let different = [
            (json!(1), json!(true)),
            (json!(0), json!(false)),
            (json!(1), json!("1")),
            (json!(null), json!(0)),
            (json!({"a": null}), json!({})),
            (json!([1, 2]), json!([2, 1])),
            (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0)),
        ];
        for (left, right) in same {
            assert!(same_value(&left, &right), "{left} {right}");
        }
        for (left, right) in different {
            assert!(!same_value(&left, &right), "{left} {right}");
        }
    }

    #[test]
    fn items_are_counted_and_their_order_is_not() {
        let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let same = |left: Value, right: Value| same_items(&items(&left), &items(&right));
        assert!(same(json!([1, {"a": 2}, "x"]), json!(["x", 1.0, {"a": 2}])));
        assert!(!same(json!([1, 1, 2]), json!([1, 2, 2])));
        assert!(!same(json!([1]), json!([1, 1])));
        assert!(same(json!([]), json!([])));
    }

    proptest! {
        #[test]
        fn an_integer_equals_itself_as_a_float_when_that_is_exact(integer in -(1_i64 << 53)..(1_i64 << 53)) {
            prop_assert!(same_value(&json!(integer), &json!(integer as f64)));
            prop_assert!(!same_value(&json!(integer), &json!(integer as f64 + 0.5)) || integer.abs() > (1 << 51));
        }
    }
}

//! Whether two JSON values are equal, with the liberties of `equalToJson`.

use serde_json::Value;

use crate::mapping::Pattern;

/// What is overlooked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Leniency {
    /// The order of array items.
    pub(super) any_order: bool,
    /// Properties and items that are not expected.
    pub(super) extra: bool,
}

/// Longer arrays are compared item by item without trying other assignments.
const ASSIGNED: usize = 256;

/// Whether `actual` is what is expected.
pub(super) fn is_equal(expected: &Value, actual: &Value, leniency: Leniency) -> bool {
    match (expected, actual) {
        (Value::String(text), _) if text.starts_with("${json-unit.") => is_placeholder_match(text, actual),
        (Value::Number(expected), Value::Number(actual)) => {
            expected == actual || expected.as_f64().is_some_and(|number| Some(number) == actual.as_f64())
        }
        (Value::Array(expected), Value::Array(actual)) => {
            let right_length =
                expected.len() == actual.len() || leniency.extra && expected.len() < actual.len();
            right_length
                && if leniency.any_order {
                    each_has_its_own(expected, actual, leniency)
                } else {
                    expected.iter().zip(actual).all(|(expected, actual)| is_equal(expected, actual, leniency))
                }
        }
        (Value::Object(expected), Value::Object(actual)) => {
            (leniency.extra || actual.keys().all(|name| expected.contains_key(name)))
                && expected.iter().all(|(name, expected)| match actual.get(name) {
                    Some(actual) => is_equal(expected, actual, leniency),
                    None => expected.as_str() == Some("${json-unit.ignore-element}"),
                })
        }
        _ => expected == actual,
    }
}

/// The placeholders of JsonUnit, which WireMock's users write into expected values.
fn is_placeholder_match(placeholder: &str, actual: &Value) -> bool {
    match placeholder {
        "${json-unit.ignore}" | "${json-unit.ignore-element}" => true,
        "${json-unit.any-string}" => actual.is_string(),
        "${json-unit.any-number}" => actual.is_number(),
        "${json-unit.any-boolean}" => actual.is_boolean(),
        _ => match placeholder.strip_prefix("${json-unit.regex}") {
            Some(regex) => {
                let pattern = regex.parse::<Pattern>().ok();
                pattern.zip(actual.as_str()).is_some_and(|(pattern, text)| pattern.is_match(text))
            }
            None => actual.as_str() == Some(placeholder),
        },
    }
}

/// Whether every expected item has an item of its own: a matching of a bipartite graph, grown by augmenting paths.
fn each_has_its_own(expected: &[Value], actual: &[Value], leniency: Leniency) -> bool {
    if expected.len() > ASSIGNED {
        let mut used = vec![false; actual.len()];
        return expected.iter().all(|wanted| {
            let free = (0..actual.len()).find(|&at| !used[at] && is_equal(wanted, &actual[at], leniency));
            free.inspect(|&at| used[at] = true).is_some()
        });
    }
    let fits = |item: usize, at: usize| is_equal(&expected[item], &actual[at], leniency);
    let mut owner: Vec<Option<usize>> = vec![None; actual.len()];
    (0..expected.len()).all(|item| assign(item, &mut owner, &mut vec![false; actual.len()], &fits))
}

fn assign(
    item: usize,
    owner: &mut [Option<usize>],
    tried: &mut [bool],
    fits: &dyn Fn(usize, usize) -> bool,
) -> bool {
    for at in 0..owner.len() {
        if tried[at] || !fits(item, at) {
            continue;
        }
        tried[at] = true;
        let free = owner[at].is_none_or(|other| assign(other, owner, tried, fits));
        if free {
            owner[at] = Some(item);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equality_with_its_liberties() {
        let exact = Leniency::default();
        let any_order = Leniency { any_order: true, extra: false };
        let extra = Leniency { any_order: false, extra: true };
        let both = Leniency { any_order: true, extra: true };
        let table = [
            (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1}), exact, true),
            (json!({"a": 1}), json!({"a": 1, "b": 2}), exact, false),
            (json!({"a": 1}), json!({"a": 1, "b": 2}), extra, true),
            (json!({"a": 1, "b": 2}), json!({"a": 1}), extra, false),
            (json!([1, 2]), json!([2, 1]), exact, false),
            (json!([1, 2]), json!([2, 1]), any_order, true),
            (json!([1, 1]), json!([1, 2]), any_order, false),
            (json!([1, 2]), json!([1, 2, 3]), extra, true),
            (json!([2]), json!([1, 2]), extra, false),
            (json!([2]), json!([1, 2]), both, true),
            (json!([{"a": 1}, {}]), json!([{"a": 1}, {"a": 1, "b": 1}]), both, true),
            (json!([{}, {"a": 1}]), json!([{"a": 1}, {"c": 1}]), both, true),
            (json!(1), json!(1.0), exact, true),
            (json!(1), json!("1"), exact, false),
            (json!("${json-unit.any-string}"), json!("x"), exact, true),
            (json!("${json-unit.any-number}"), json!("x"), exact, false),
            (json!("${json-unit.regex}[a-z]+"), json!("abc"), exact, true),
            (json!({"a": "${json-unit.ignore}"}), json!({"a": [1]}), exact, true),
        ];
        for (expected, actual, leniency, equal) in table {
            assert_eq!(is_equal(&expected, &actual, leniency), equal, "{expected} {actual} {leniency:?}");
        }
    }
}

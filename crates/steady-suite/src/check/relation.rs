//! Values computed from other places of the same response.

use std::fmt;

use serde_json::Value;
use steady_model::{Place, Relation};

use crate::diff::brief;
use crate::same_value;

/// The value that a relation computes from one response.
#[derive(Debug)]
pub(super) enum Expectation<'a> {
    Value { value: Value, from: &'a Place },
    Number { number: f64, how: &'static str },
    Count { count: usize, of: &'a Place },
}

/// The computed value, or the place that is missing for it.
pub(super) fn expectation(
    relation: &Relation,
    look_up: impl Fn(&Place) -> Option<Value>,
) -> Result<Expectation<'_>, &Place> {
    let number = |place| look_up(place).and_then(|value| value.as_f64()).ok_or(place);
    Ok(match relation {
        Relation::Same(from) => Expectation::Value { value: look_up(from).ok_or(from)?, from },
        Relation::Sum(places) => {
            Expectation::Number { number: places.iter().map(number).sum::<Result<f64, _>>()?, how: "sum" }
        }
        Relation::Product(places) => Expectation::Number {
            number: places.iter().map(number).product::<Result<f64, _>>()?,
            how: "product",
        },
        Relation::Count(of) => {
            let count = look_up(of).and_then(|value| value.as_array().map(Vec::len)).ok_or(of)?;
            Expectation::Count { count, of }
        }
    })
}

/// Whether a relation computes this value; `look_up` reads the response.
pub fn relation_holds(relation: &Relation, value: &Value, look_up: impl Fn(&Place) -> Option<Value>) -> bool {
    expectation(relation, look_up).is_ok_and(|expectation| expectation.admits(value))
}

impl Expectation<'_> {
    pub(super) fn admits(&self, actual: &Value) -> bool {
        match self {
            Self::Value { value, .. } => same_value(value, actual),
            Self::Number { number, .. } => actual.as_f64().is_some_and(|actual| {
                let size = actual.abs().max(number.abs()).max(1.0);
                (actual - number).abs() <= Relation::ROUNDING * size
            }),
            Self::Count { count, .. } => actual.as_f64() == Some(*count as f64),
        }
    }
}

impl fmt::Display for Expectation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { value, from } => write!(f, "{} as at `{from}`", brief(value)),
            Self::Number { number, how } => write!(f, "{number}, the {how}"),
            Self::Count { count, of } => write!(f, "{count}, the number of items at `{of}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_relation_holds_and_breaks() {
        let body = json!({"base": 10, "jitter": 0.1, "id": "x", "items": [1, 2]});
        let look_up = |place: &Place| match place {
            Place::Body(pointer) => body.pointer(pointer).cloned(),
            _ => None,
        };
        let at = |pointer: &str| Place::Body(pointer.to_owned());
        let terms = vec![at("/base"), at("/jitter")];
        let cases = [
            (Relation::Same(at("/id")), json!("x"), json!("y")),
            (Relation::Sum(terms.clone()), json!(10.1), json!(10.2)),
            (Relation::Product(terms), json!(1), json!("1")),
            (Relation::Count(at("/items")), json!(2), json!(3)),
        ];
        for (relation, good, bad) in cases {
            assert!(relation_holds(&relation, &good, look_up), "{relation:?} {good}");
            assert!(!relation_holds(&relation, &bad, look_up), "{relation:?} {bad}");
        }
        assert!(!relation_holds(&Relation::Same(at("/gone")), &json!(null), look_up));
        assert!(!relation_holds(&Relation::Count(at("/id")), &json!(1), look_up));
    }
}

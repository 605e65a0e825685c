//! Values that vary, as `steady_matchers.py` describes them.

use steady_model::Relation;

use super::expression::{literal, pattern, value};
use super::found;
use crate::layout::Code;
use crate::plan::{Bounds, Json, Varying, format_name};

/// The functions of `steady_matchers.py` that tests may call.
pub(super) const FUNCTIONS: [&str; 12] = [
    "at_least",
    "at_most",
    "between",
    "escaped",
    "in_any_order",
    "jwt",
    "matching",
    "one_of",
    "product_of",
    "recent",
    "size_of",
    "sum_of",
];

/// What a value that varies is compared with.
pub(super) fn expectation(varying: &Varying<'_>) -> Code {
    match varying {
        Varying::Relation(relation) => self::relation(relation),
        Varying::Unordered(items) => Code::list("in_any_order(", vec![value(items)], ")"),
        Varying::Jwt { header, claims } => {
            let named = |(name, fields): (&str, &Json<'_>)| {
                let is_asked = matches!(fields, Json::Object(fields) if !fields.is_empty());
                is_asked.then(|| value(fields).after(format!("{name}=")))
            };
            Code::list(
                "jwt(",
                [("header", header), ("claims", claims)].into_iter().filter_map(named).collect(),
                ")",
            )
        }
        Varying::Pattern { regex, what } => {
            Code::list("matching(", vec![pattern(regex), Code::text(literal(what))], ")")
        }
        Varying::Recent(format) => Code::text(format!("recent(\"{}\")", format_name(*format))),
        Varying::OneOf(values) => Code::list("one_of(", vec![value(values)], ")"),
        Varying::Range(bounds) => range(*bounds),
    }
}

fn relation(relation: &Relation) -> Code {
    let function = match relation {
        Relation::Same(place) => return Code::text(found(place)),
        Relation::Sum(_) => "sum_of(",
        Relation::Product(_) => "product_of(",
        Relation::Count(_) => "size_of(",
    };
    Code::list(function, relation.places().iter().map(|place| Code::text(found(place))).collect(), ")")
}

fn range(bounds: Bounds<'_>) -> Code {
    let function = match bounds {
        Bounds::AtLeast(_) => "at_least(",
        Bounds::AtMost(_) => "at_most(",
        Bounds::Between(..) => "between(",
    };
    Code::list(function, bounds.numbers().map(|bound| value(&Json::Number(bound))).collect(), ")")
}

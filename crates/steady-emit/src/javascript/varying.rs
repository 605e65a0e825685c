//! Volatile values, with the matchers of `steady_matchers.js`.

use steady_model::Relation;

use super::expression::{number, value};
use super::found;
use super::regex::regex;
use crate::layout::Code;
use crate::plan::{Bounds, Json, Varying, format_name};

/// Asserts a volatile value; `expect` is the expectation so far.
pub(super) fn varying(expect: &str, varying: &Varying<'_>) -> Code {
    let matcher = |name: &str, arguments: Vec<Code>| Code::list(format!("{expect}.{name}("), arguments, ");");
    match varying {
        Varying::Relation(relation) => {
            let places = relation.places().iter().map(|place| Code::text(found(place)));
            matcher(relation_matcher(relation), places.collect())
        }
        Varying::Unordered(items) => matcher("toHaveInAnyOrder", vec![value(items, false)]),
        Varying::Jwt { header, claims } => {
            let named = |(name, fields): (&str, &Json<'_>)| {
                let is_asked = matches!(fields, Json::Object(fields) if !fields.is_empty());
                is_asked.then(|| value(fields, false).after(format!("{name}: ")))
            };
            let fields: Vec<Code> =
                [("header", header), ("claims", claims)].into_iter().filter_map(named).collect();
            let argument = (!fields.is_empty()).then(|| Code::list("{ ", fields, " }"));
            matcher("toBeJwt", argument.into_iter().collect())
        }
        Varying::Pattern { regex, .. } => matcher("toMatch", vec![Code::text(self::regex(regex))]),
        Varying::Recent(format) => {
            let arguments = [format!("\"{}\"", format_name(*format)), "response".to_owned()];
            matcher("toBeRecent", arguments.map(Code::text).to_vec())
        }
        Varying::OneOf(values) => matcher("toBeOneOf", vec![value(values, false)]),
        Varying::Range(bounds) => {
            let numbers = bounds.numbers().map(|bound| Code::text(number(bound, false)));
            matcher(range_matcher(*bounds), numbers.collect())
        }
    }
}

fn relation_matcher(relation: &Relation) -> &'static str {
    match relation {
        Relation::Same(_) => "toBeSameAs",
        Relation::Sum(_) => "toBeSumOf",
        Relation::Product(_) => "toBeProductOf",
        Relation::Count(_) => "toBeSizeOf",
    }
}

fn range_matcher(bounds: Bounds<'_>) -> &'static str {
    match bounds {
        Bounds::AtLeast(_) => "toBeAtLeast",
        Bounds::AtMost(_) => "toBeAtMost",
        Bounds::Between(..) => "toBeBetween",
    }
}

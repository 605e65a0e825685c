//! Volatile values, with the matchers of `Found`.

use steady_model::Relation;

use super::calls::found;
use super::expression::{literal, template, value};
use super::syntax::Syntax;
use crate::layout::Code;
use crate::plan::{Bounds, Json, Setting, Varying, format_name};

/// An assertion on a volatile value.
pub(super) struct Statement {
    /// The method of `Found`.
    pub(super) java: &'static str,
    /// The function of `Assertions.kt`.
    pub(super) kotlin: &'static str,
    /// Whether that function is infix: between what was found and its one argument.
    pub(super) is_infix: bool,
    /// What the value is held against.
    pub(super) arguments: Vec<Code>,
}

impl Statement {
    pub(super) fn of<S: Syntax>(varying: &Varying<'_>) -> Self {
        match varying {
            Varying::Relation(relation) => self::relation::<S>(relation),
            Varying::Unordered(items) => {
                Self::infix("hasInAnyOrder", "shouldHaveInAnyOrder", value::<S>(items))
            }
            Varying::Jwt { header, claims } => {
                Self::call("isJwt", "shouldBeJwt", vec![value::<S>(header), value::<S>(claims)])
            }
            Varying::Pattern { regex, what } => {
                let texts = [template::<S>(regex, Setting::Regex), literal::<S>(what)].map(Code::text);
                Self::call("matches", "shouldMatch", texts.to_vec())
            }
            Varying::Recent(format) => {
                let name = Code::text(format!("\"{}\"", format_name(*format)));
                Self::infix("isRecent", "shouldBeRecent", name)
            }
            Varying::OneOf(values) => Self::infix("isOneOf", "shouldBeOneOf", value::<S>(values)),
            Varying::Range(bounds) => range::<S>(*bounds),
        }
    }

    fn infix(java: &'static str, kotlin: &'static str, argument: Code) -> Self {
        Self { java, kotlin, is_infix: true, arguments: vec![argument] }
    }

    fn call(java: &'static str, kotlin: &'static str, arguments: Vec<Code>) -> Self {
        Self { java, kotlin, is_infix: false, arguments }
    }
}

fn relation<S: Syntax>(relation: &Relation) -> Statement {
    let places = || relation.places().iter().map(|place| Code::text(found::<S>(place))).collect();
    match relation {
        Relation::Same(place) => {
            Statement::infix("isSameAs", "shouldBeSameAs", Code::text(found::<S>(place)))
        }
        Relation::Sum(_) => Statement::call("isSumOf", "shouldBeSumOf", places()),
        Relation::Product(_) => Statement::call("isProductOf", "shouldBeProductOf", places()),
        Relation::Count(place) => {
            Statement::infix("isSizeOf", "shouldBeSizeOf", Code::text(found::<S>(place)))
        }
    }
}

fn range<S: Syntax>(bounds: Bounds<'_>) -> Statement {
    let bound = |bound| value::<S>(&Json::Number(bound));
    match bounds {
        Bounds::AtLeast(min) => Statement::infix("isAtLeast", "shouldBeAtLeast", bound(min)),
        Bounds::AtMost(max) => Statement::infix("isAtMost", "shouldBeAtMost", bound(max)),
        Bounds::Between(min, max) => {
            Statement::call("isBetween", "shouldBeBetween", vec![bound(min), bound(max)])
        }
    }
}

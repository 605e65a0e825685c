//! Any other call that is given `{ timeout: ms }`.

use super::poll::is_on_page;
use super::{Found, Site};
use crate::facts::value::Told;
use crate::{Form, Kind};

pub(super) fn find(site: &Site<'_, '_>) -> Option<Found> {
    let told = site.option();
    if told == Told::Nothing || is_configuration(site.call.name()) || makes_data(site.call.name()) {
        return None;
    }
    let found = Found::new(Kind::PollTimeout, Form::TimeoutOption, told);
    // What an unknown function gives back may be no promise.
    let is_promise = site.call.root() == "expect" || is_on_page(site.call);
    Some(if is_promise { found } else { found.free() })
}

/// Calls that say how a runner is set up: what is in them is a setting.
fn is_configuration(name: &str) -> bool {
    matches!(name, "defineConfig" | "defineProject" | "mergeConfig" | "extend")
}

/// Functions that make what a test is about: a time in it is a part of that.
fn makes_data(name: &str) -> bool {
    let goes_on = |rest: &str| rest.starts_with(|sign: char| sign.is_ascii_uppercase());
    ["make", "mk", "mock", "fake", "stub", "generate"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(goes_on))
}

/// Calls that compare: a time among their arguments is data.
pub(super) fn is_comparison(name: &str) -> bool {
    name.starts_with("toEqual")
        || name.starts_with("toStrictEqual")
        || name.starts_with("toMatchObject")
        || name.starts_with("toHaveBeenCalled")
        || name.starts_with("toBeCalled")
        || name.starts_with("toHaveBeenLastCalled")
        || name.starts_with("toHaveBeenNthCalled")
        || name.starts_with("toContainEqual")
        || name.starts_with("calledWith")
        || ["deepEqual", "DeepEqual", "deepStrictEqual"].iter().any(|part| name.contains(part))
        || matches!(
            name,
            "objectContaining"
                | "eql"
                | "equal"
                | "equals"
                | "include"
                | "contain"
                | "property"
                | "members"
                | "deep"
                | "match"
                | "toBe"
                | "toMatchInlineSnapshot"
        )
}

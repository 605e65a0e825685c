//! Testing Library and Vitest: `findBy…(text, options, { timeout })`, `waitFor(callback, { timeout })`.

use super::{Shape, Site, Slot, Strength, timeout};

/// How long both poll.
const DEFAULT: u64 = 1_000;

pub(super) fn slot(site: &Site<'_>) -> Option<Slot> {
    let call = site.call;
    let name = call.name.as_str();
    let at = match name {
        _ if is_query(name) && site.count() > 0 => 2 + usize::from(has_container(site)),
        "waitForElementToBeRemoved" | "waitForElement" | "waitForDomChange" => 1,
        "waitFor" | "waitUntil" | "wait" if takes_callback(site) => 1,
        _ => return None,
    };
    Some(Slot::new(timeout(at), Strength::Waits, DEFAULT))
}

fn is_query(name: &str) -> bool {
    ["findBy", "findAllBy"].iter().any(|prefix| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_uppercase()))
    })
}

/// A query that is imported itself, not bound to a screen, takes the element to search in first.
fn has_container(site: &Site<'_>) -> bool {
    let module = site.outline.imports.get(&site.call.name);
    site.call.is_function && module.is_some_and(|module| module.contains("testing-library"))
}

/// `waitFor(() => …)`, alone or as `vi.waitFor`; the `waitFor` of a locator takes its options first.
fn takes_callback(site: &Site<'_>) -> bool {
    let is_function = matches!(site.shape(0), Some(Shape::Function));
    let is_named = matches!(site.shape(0), Some(Shape::Names)) && site.call.name != "wait";
    is_function || (is_named && (site.call.is_function || site.call.root == "vi"))
}

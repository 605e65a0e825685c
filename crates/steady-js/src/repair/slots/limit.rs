//! The longest a test or a hook may take.

use super::{Place, Site, Slot, Strength};
use crate::Framework;

/// Tests.
const TESTS: [&str; 5] = ["it", "test", "specify", "fit", "xit"];
/// What a test may be called besides, and still be one: `it.only`, `it.each(table)(…)`.
const VARIANTS: [&str; 8] = ["only", "skip", "each", "concurrent", "sequential", "fails", "failing", "fixme"];
/// Hooks.
const HOOKS: [&str; 6] = ["before", "after", "beforeEach", "afterEach", "beforeAll", "afterAll"];
/// Suites, whose limit only Mocha has.
const SUITES: [&str; 3] = ["describe", "context", "suite"];

/// Modules of assertions that people use with Mocha.
const ASSERTIONS: [&str; 8] =
    ["chai", "assert", "node:assert", "sinon", "should", "expect.js", "unexpected", "power-assert"];

pub(super) fn slot(site: &Site<'_>) -> Option<Slot> {
    let (root, name) = (site.call.root.as_str(), site.call.name.as_str());
    let place = if TESTS.contains(&root) && (name == root || VARIANTS.contains(&name)) {
        of_test(site)
    } else if HOOKS.contains(&root) || (root == "test" && HOOKS.contains(&name)) {
        of_hook(site)
    } else if SUITES.contains(&root) && name == root && is_mocha(site) {
        own(site)
    } else {
        None
    }?;
    let default = match place {
        Place::AfterTitle { key: "timeout" } => None,
        Place::AfterTitle { .. } => Some(4_000),
        Place::Opening { name: "test.setTimeout", .. } => Some(30_000),
        Place::Argument { .. } => Some(5_000),
        _ => Some(2_000),
    };
    Some(Slot { place, strength: Strength::Limits, default })
}

fn of_test(site: &Site<'_>) -> Option<Place> {
    let (function, _) = site.function()?;
    Some(if site.uses(Framework::Cypress) {
        Place::AfterTitle { key: "defaultCommandTimeout" }
    } else if is_playwright(site) {
        Place::Opening { function, name: "test.setTimeout" }
    } else if is_mocha(site) {
        Place::Chained { name: "timeout" }
    } else if site.uses(Framework::Node) {
        Place::AfterTitle { key: "timeout" }
    } else {
        Place::Argument { at: 2 }
    })
}

fn of_hook(site: &Site<'_>) -> Option<Place> {
    let (function, _) = site.function()?;
    if is_playwright(site) {
        Some(Place::Opening { function, name: "test.setTimeout" })
    } else if is_mocha(site) {
        own(site)
    } else if site.uses(Framework::Cypress) {
        None
    } else if site.uses(Framework::Node) {
        Some(Place::Option { at: 1, key: "timeout", fill: "{}" })
    } else {
        Some(Place::Argument { at: 1 })
    }
}

/// `this.timeout(ms)` in the function itself.
fn own(site: &Site<'_>) -> Option<Place> {
    let (function, body) = site.function()?;
    Some(if body.is_arrow { Place::NoThis } else { Place::Opening { function, name: "this.timeout" } })
}

fn is_playwright(site: &Site<'_>) -> bool {
    site.uses(Framework::Playwright) && site.call.root == "test"
}

/// Mocha is known by itself, or by the assertions that its tests bring with them where nothing speaks for another runner.
fn is_mocha(site: &Site<'_>) -> bool {
    let others =
        [Framework::Jest, Framework::Vitest, Framework::Node, Framework::Playwright, Framework::Cypress];
    // Mocha's hooks are called `before` and `after`.
    let is_other_hook = |name: &str| matches!(name, "beforeAll" | "afterAll");
    let brings = ASSERTIONS.iter().any(|module| site.outline.uses(module));
    site.uses(Framework::Mocha)
        || brings
            && !others.iter().any(|other| site.uses(*other))
            && !site.outline.calls.iter().any(|call| is_other_hook(&call.root))
}

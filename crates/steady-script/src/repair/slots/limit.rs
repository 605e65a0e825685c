//! The longest a test or a hook may take.

use super::{Place, Site, Strength};
use crate::Framework;

/// Tests.
const TESTS: [&str; 5] = ["it", "test", "specify", "fit", "xit"];
/// What a test may be called besides, and still be one: `it.only`, `it.each(table)(…)`.
const VARIANTS: [&str; 8] = ["only", "skip", "each", "concurrent", "sequential", "fails", "failing", "fixme"];
/// Hooks.
const HOOKS: [&str; 6] = ["before", "after", "beforeEach", "afterEach", "beforeAll", "afterAll"];
/// Suites, whose limit only Mocha has.
const SUITES: [&str; 3] = ["describe", "context", "suite"];

pub(super) fn slot(site: &Site<'_>) -> Option<(Place, Strength)> {
    let (root, name) = (site.call.root.as_str(), site.call.name.as_str());
    let (function, body) = site.function()?;
    let is_test = TESTS.contains(&root) && (name == root || VARIANTS.contains(&name));
    let is_hook = HOOKS.contains(&root) || (root == "test" && HOOKS.contains(&name));
    let is_mocha = site.uses(Framework::Mocha) || is_mocha(site);
    let own = |opening: &'static str| Place::Opening { function, name: opening };
    let place = if !is_test && !is_hook {
        match SUITES.contains(&root) && name == root && is_mocha {
            true if body.is_arrow => Place::NoThis,
            true => own("this.timeout"),
            false => return None,
        }
    } else if site.uses(Framework::Cypress) {
        if is_hook {
            return None;
        }
        Place::AfterTitle { key: "defaultCommandTimeout" }
    } else if site.uses(Framework::Playwright) && root == "test" {
        own("test.setTimeout")
    } else if is_mocha {
        match is_test {
            true => Place::Chained { name: "timeout" },
            false if body.is_arrow => Place::NoThis,
            false => own("this.timeout"),
        }
    } else if site.uses(Framework::Node) {
        Place::AfterTitle { key: "timeout" }
    } else {
        Place::Argument { at: if is_test { 2 } else { 1 } }
    };
    Some((place, Strength::Limits))
}

/// Mocha is known by the assertions that its tests bring with them, where nothing speaks for another runner.
fn is_mocha(site: &Site<'_>) -> bool {
    let brings = ["chai", "assert", "node:assert", "mocha", "sinon", "should"]
        .iter()
        .any(|module| site.outline.uses(module));
    brings && !site.uses(Framework::Jest) && !site.uses(Framework::Vitest) && !site.uses(Framework::Node)
}

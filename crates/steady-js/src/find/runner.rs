//! The calls by which runners know tests, hooks and suites.

use std::collections::BTreeSet;

use oxc_ast::ast::Expression;

use crate::chain::{Call, links_of};

/// First names of calls that hold a test.
const TESTS: [&str; 13] = [
    "it", "test", "specify", "scenario", "Scenario", "fit", "xit", "xtest", "bench", "step", "Deno", "QUnit",
    "tap",
];

/// Names of calls that hold tests, or run around them.
const HOLDERS: [&str; 20] = [
    "describe",
    "fdescribe",
    "xdescribe",
    "context",
    "suite",
    "before",
    "beforeEach",
    "beforeAll",
    "after",
    "afterEach",
    "afterAll",
    "setup",
    "teardown",
    "suiteSetup",
    "suiteTeardown",
    "Feature",
    "Before",
    "After",
    "BeforeAll",
    "AfterAll",
];

/// What may stand between such a name and its arguments: `it.only.each(rows)(…)`. The empty name is the call of a result.
const MODIFIERS: [&str; 18] = [
    "",
    "only",
    "skip",
    "each",
    "for",
    "concurrent",
    "serial",
    "sequential",
    "parallel",
    "shuffle",
    "failing",
    "fails",
    "fail",
    "fixme",
    "skipIf",
    "runIf",
    "todo",
    "test",
];

/// Names that a file gives to the function that holds a test: `const signedIn = test.extend(…)`, `import { test as base } from …`.
#[derive(Debug, Clone, Default)]
pub(crate) struct TestNames(BTreeSet<String>);

impl TestNames {
    /// Learns an import of a test under another name.
    pub(crate) fn import(&mut self, local: &str, imported: &str) {
        if local != imported && is_test_name(imported) {
            self.0.insert(local.to_owned());
        }
    }

    /// Learns a name for a test that is made of others.
    pub(crate) fn declare(&mut self, name: &str, value: &Expression<'_>) {
        let links = links_of(value);
        let (Some(first), Some(last)) = (links.first(), links.last()) else { return };
        let is_extended =
            links.len() > 1 && last.name == "extend" && last.arguments.is_some() && self.has(first.name);
        let is_merged = links.len() == 1 && first.name == "mergeTests" && first.arguments.is_some();
        if is_extended || is_merged {
            self.0.insert(name.to_owned());
        }
    }

    /// Whether a call of this name holds a test.
    pub(crate) fn has(&self, name: &str) -> bool {
        is_test_name(name) || self.0.contains(name)
    }
}

/// Whether a call holds one test.
pub(super) fn is_test(call: &Call<'_>, names: &TestNames) -> bool {
    names.has(call.root()) && call.links()[1..].iter().all(|link| MODIFIERS.contains(&link.name))
}

/// Whether a call holds tests, or runs around them: `describe.skip`, `test.describe.serial`, `test.beforeAll`.
pub(super) fn is_holder(call: &Call<'_>, tests: &TestNames) -> bool {
    let names = call.links().iter().map(|link| link.name);
    let known = |name: &str| HOLDERS.contains(&name) || MODIFIERS.contains(&name);
    is_of_runner(call, tests) && names.clone().any(|name| HOLDERS.contains(&name)) && names.skip(1).all(known)
}

/// Whether a call begins with the name of a test, a hook or a suite.
pub(super) fn is_of_runner(call: &Call<'_>, tests: &TestNames) -> bool {
    tests.has(call.root()) || HOLDERS.contains(&call.root())
}

/// `it`, but also `itAsync` and `testIf`.
fn is_test_name(root: &str) -> bool {
    let goes_on = |prefix: &str| {
        root.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_uppercase()))
    };
    TESTS.contains(&root) || goes_on("it") || goes_on("test")
}

//! The calls by which runners know tests, hooks and suites.

use crate::chain::Call;

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

/// Whether a call holds one test.
pub(super) fn is_test(call: &Call<'_>) -> bool {
    is_test_name(call.root()) && call.links()[1..].iter().all(|link| MODIFIERS.contains(&link.name))
}

/// Whether a call holds tests, or runs around them: `describe.skip`, `test.describe.serial`, `test.beforeAll`.
pub(super) fn is_holder(call: &Call<'_>) -> bool {
    let names = call.links().iter().map(|link| link.name);
    let known = |name: &str| HOLDERS.contains(&name) || MODIFIERS.contains(&name);
    is_of_runner(call) && names.clone().any(|name| HOLDERS.contains(&name)) && names.skip(1).all(known)
}

/// Whether a call begins with the name of a test, a hook or a suite.
pub(super) fn is_of_runner(call: &Call<'_>) -> bool {
    is_test_name(call.root()) || HOLDERS.contains(&call.root())
}

/// `it`, but also `itAsync` and `testIf`.
fn is_test_name(root: &str) -> bool {
    let goes_on = |prefix: &str| {
        root.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_uppercase()))
    };
    TESTS.contains(&root) || goes_on("it") || goes_on("test")
}

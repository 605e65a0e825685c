//! Jest, Vitest, Mocha, Playwright Test and Node's own runner, run for real.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use steady_runners::Order;
use steady_testkit::{node_modules, vitest_modules};
use support::{Shop, ids};

/// The tests of every JavaScript fixture: file and titles.
const TITLES: [(&str, &str); 6] = [
    ("cart", "adds an item"),
    ("cart", "totals::sums 1 + 1 (= $2.00)"),
    ("cart", "totals::sums a/b | [c]*"),
    ("cart", "totals::by \"quotes\" & 'more'::nested > deeper"),
    ("user", "logs in"),
    ("user", "is admin"),
];

fn tests(pattern: &str) -> Vec<String> {
    TITLES.iter().map(|(file, titles)| format!("{}::{titles}", pattern.replace('*', file))).collect()
}

/// The whole contract, for a runner that can do all of it.
fn does_everything(shop: &Shop, pattern: &str) {
    let tests = tests(pattern);
    let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
    shop.reports_and_selects(&tests, tests[5], [tests[2], tests[3]]);
    shop.reports_and_selects(&tests, tests[5], [tests[1], tests[4]]);
    shop.keeps_listed_order(&tests, [tests[0], tests[4], tests[3]]);
    shop.keeps_listed_order(&tests, [tests[1], tests[3], tests[0]]);
    shop.shuffles_by_seed(&tests);
}

#[test]
fn jest() {
    does_everything(&Shop::new("jest", &["npx", "jest"]).with_modules(node_modules().unwrap()), "*.test.js");
}

#[test]
fn jest_behind_an_npm_script() {
    let shop = Shop::new("jest", &["npm", "test"]).with_modules(node_modules().unwrap());
    assert_eq!(shop.recognised.runner.name(), "jest");
    let tests = tests("*.test.js");
    let outcome = shop.run(shop.selecting(&[&tests[4]]));
    assert_eq!(outcome.log, [tests[4].clone()], "{}", outcome.finished.output);
}

#[test]
fn vitest() {
    does_everything(
        &Shop::new("vitest", &["npx", "vitest", "run"]).with_modules(vitest_modules().unwrap()),
        "*.test.js",
    );
}

#[test]
fn mocha() {
    does_everything(
        &Shop::new("mocha", &["npx", "mocha"]).with_modules(node_modules().unwrap()),
        "test/*.spec.js",
    );
}

#[test]
fn playwright() {
    does_everything(
        &Shop::new("playwright", &["npx", "playwright", "test"]).with_modules(node_modules().unwrap()),
        "*.spec.js",
    );
}

#[test]
fn node_reports_and_selects_but_keeps_its_order() {
    let shop = Shop::new("node", &["node", "--test"]);
    let tests = tests("*.test.js");
    let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
    shop.reports_and_selects(&tests, tests[5], [tests[2], tests[3]]);
    shop.reports_and_selects(&tests, tests[5], [tests[1], tests[4]]);
    let error = shop.recognised.runner.order(&mut shop.all(), Order::Listed(&ids(&tests))).unwrap_err();
    assert_eq!(error.runner, "node");
}

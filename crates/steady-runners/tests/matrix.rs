//! Every version of the matrix runs selected tests, in a given order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use steady_runners::Order;
use steady_testkit::matrix::{Installed, RELEASES, Release, page_with_versions};
use support::{Shop, ids};

fn shop(release: Release) -> Shop {
    match (release.install().unwrap(), release.runner) {
        (Installed::Interpreter(python), _) => {
            Shop::new("pytest", &[python.to_str().unwrap(), "-m", "pytest"])
        }
        (Installed::Modules(modules), "vitest") => {
            Shop::new("vitest", &["npx", "vitest", "run"]).with_modules(modules)
        }
        (Installed::Modules(modules), "playwright") => {
            Shop::new("playwright", &["npx", "playwright", "test"]).with_modules(modules)
        }
        (Installed::Modules(modules), other) => Shop::new(other, &["npx", other]).with_modules(modules),
    }
}

/// Tests of two files, the later file first.
fn backwards(runner: &str) -> Vec<String> {
    if runner == "pytest" {
        return ["tests/test_user.py::test_login", "tests/test_cart.py::TestTotals::test_sum[1+1 = $2]"]
            .map(str::to_owned)
            .into();
    }
    let (folder, kind) = match runner {
        "mocha" => ("test/", "spec"),
        "playwright" => ("", "spec"),
        _ => ("", "test"),
    };
    [("user", "logs in"), ("cart", "totals::sums 1 + 1 (= $2.00)"), ("cart", "adds an item")]
        .map(|(file, titles)| format!("{folder}{file}.{kind}.js::{titles}"))
        .into()
}

#[track_caller]
fn selects_and_orders(runner: &str) {
    for release in RELEASES.into_iter().filter(|release| release.runner == runner) {
        let shop = shop(release);
        let wanted = backwards(runner);
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let mut invocation = if release.selects { shop.selecting(&wanted) } else { shop.all() };
        let order = ids(&wanted);
        shop.recognised.runner.order(&mut invocation, Order::Listed(&order)).unwrap();
        let ran = shop.run(invocation);
        // Without a selection, other tests of a file run after its listed ones.
        let others = |test: &&String| release.selects || wanted.contains(&test.as_str());
        let log: Vec<&String> = ran.log.iter().filter(others).collect();
        assert_eq!(log, wanted, "{runner} {}: {}", release.version, ran.finished.output);
    }
}

#[test]
fn pytest() {
    selects_and_orders("pytest");
}

#[test]
fn jest() {
    selects_and_orders("jest");
}

#[test]
fn vitest() {
    selects_and_orders("vitest");
}

#[test]
fn mocha() {
    selects_and_orders("mocha");
}

#[test]
fn playwright() {
    selects_and_orders("playwright");
}

#[test]
fn the_documentation_lists_every_version() {
    let page = include_str!("../../../docs/runners.md").to_lowercase();
    for Release { runner, version, selects, .. } in RELEASES {
        let row = page.lines().find(|line| line.starts_with(&format!("| {runner} | {version} | yes |")));
        let selected = if selects { "| yes | yes |" } else { "| no: needs 1.56 | yes |" };
        assert!(row.is_some_and(|row| row.ends_with(selected)), "{runner} {version}: {row:?}");
    }
    let rows = page.lines().filter(|line| line.contains(" | yes | ")).count();
    assert_eq!(rows, RELEASES.len());
}

#[test]
fn the_documentation_is_current() {
    let page = include_str!("../../../docs/runners.md");
    assert_eq!(page_with_versions(page).as_deref(), Some(page), "run `cargo xtask docs`");
}

//! pytest and unittest, run for real.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use steady_model::rerun::Outcome;
use support::Shop;

const PYTEST: [&str; 5] = [
    "tests/test_cart.py::test_adds",
    "tests/test_cart.py::TestTotals::test_sum[1+1 = $2]",
    "tests/test_cart.py::TestTotals::test_sum[a::b/c [x]]",
    "tests/test_user.py::test_login",
    "tests/test_user.py::TestRole::test_admin",
];

const UNITTEST: [&str; 5] = [
    "tests.test_cart.TestCart.test_adds",
    "tests.test_cart.TestCart.test_sums",
    "tests.test_cart.TestTotals.test_total",
    "tests.test_user.TestUser.test_admin",
    "tests.test_user.TestUser.test_login",
];

fn python() -> String {
    steady_testkit::python().unwrap().display().to_string()
}

#[test]
fn pytest_reports_and_selects() {
    let shop = Shop::new("pytest", &[&python(), "-m", "pytest"]);
    shop.reports_and_selects(&PYTEST, PYTEST[4], [PYTEST[2], PYTEST[3]]);
}

#[test]
fn pytest_keeps_an_order() {
    let shop = Shop::new("pytest", &[&python(), "-m", "pytest"]);
    shop.keeps_listed_order(&PYTEST, [PYTEST[1], PYTEST[3], PYTEST[2]]);
    shop.shuffles_by_seed(&PYTEST);
}

#[test]
fn pytest_is_reached_through_a_shell() {
    let shop = Shop::new("pytest", &["sh", "-c", &format!("{} -m pytest -q", python())]);
    assert_eq!(shop.recognised.runner.name(), "pytest");
    shop.reports_and_selects(&PYTEST, PYTEST[4], [PYTEST[0], PYTEST[3]]);
}

#[test]
fn the_users_template_selects_what_it_names() {
    let shop = Shop::new("pytest", &["sh", "-c", &format!("{} -m pytest {{tests}}", python())]);
    let outcome = shop.run(shop.selecting(&[PYTEST[3]]));
    assert_eq!(outcome.log, [PYTEST[3]]);
    assert_eq!(shop.run(shop.all()).log, PYTEST);
}

#[test]
fn a_file_that_cannot_be_imported_is_reported_as_failed() {
    let shop = Shop::new("pytest", &[&python(), "-m", "pytest"]);
    std::fs::write(shop.project().join("tests/test_broken.py"), "import no_such_module\n").unwrap();
    let outcome = shop.run(shop.all());
    assert_eq!(outcome.results, [("tests/test_broken.py".to_owned(), Outcome::Failed)]);
}

#[test]
fn unittest_reports_and_selects() {
    let shop = Shop::new("unittest", &[&python(), "-m", "unittest"]);
    shop.reports_and_selects(&UNITTEST, UNITTEST[3], [UNITTEST[1], UNITTEST[4]]);
}

#[test]
fn unittest_keeps_an_order() {
    let shop = Shop::new("unittest", &[&python(), "-m", "unittest", "discover"]);
    shop.keeps_listed_order(&UNITTEST, [UNITTEST[0], UNITTEST[4], UNITTEST[1]]);
    shop.shuffles_by_seed(&UNITTEST);
}

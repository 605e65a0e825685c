//! `cargo test`, Maven and Go, run for real.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::{Shop, sorted};

const CARGO: [&str; 5] = [
    "shop-cart::tests::adds",
    "shop-cart::tests::nested::deeper",
    "shop-cart::tests::sums",
    "shop-cart::user::is_admin",
    "shop-cart::user::logs_in",
];

fn cargo() -> Shop {
    Shop::new("cargo", &["cargo", "test", "--offline"])
}

#[test]
fn cargo_test_reports_and_selects() {
    cargo().reports_and_selects(&CARGO, CARGO[3], [CARGO[1], CARGO[4]]);
}

#[test]
fn cargo_test_keeps_an_order_within_a_binary() {
    let shop = cargo();
    shop.keeps_listed_order(&CARGO[..3], [CARGO[2], CARGO[0], CARGO[1]]);
    shop.shuffles_by_seed(&CARGO[..3]);
}

const MAVEN: [&str; 7] = [
    "shop.CartTest::adds",
    "shop.CartTest::sums",
    "shop.CartTest::totals(int)[1]",
    "shop.CartTest::totals(int)[2]",
    "shop.CartTest$Inside::deeper",
    "shop.UserTest::isAdmin",
    "shop.UserTest::logsIn",
];

#[test]
fn maven_reports_selects_and_shuffles() {
    let shop = Shop::new("maven", &["mvn", "--batch-mode", "--no-transfer-progress", "test"]);
    shop.reports_and_selects(&MAVEN, MAVEN[5], [MAVEN[4], MAVEN[6]]);
    let whole = shop.run(shop.selecting(&[MAVEN[3]]));
    assert_eq!(whole.log, [MAVEN[2], MAVEN[3]]);
    shop.shuffles_by_seed(&MAVEN);
}

const GO: [&str; 5] = [
    "example.com/shop/cart::TestAdds",
    "example.com/shop/cart::TestSums/1+1=$2",
    "example.com/shop/cart::TestSums/one",
    "example.com/shop/user::TestAdds",
    "example.com/shop/user::TestIsAdmin",
];

#[test]
#[ignore = "needs Go, which is not part of the set-up"]
fn go_test_reports_selects_and_shuffles() {
    let shop = Shop::new("go", &["go", "test", "./..."]);
    let outcome = shop.run(shop.all());
    let reported: Vec<&str> = outcome.results.iter().map(|(id, _)| id.as_str()).collect();
    let parent = "example.com/shop/cart::TestSums";
    assert_eq!(sorted(&reported), sorted(&[&GO[..], &[parent]].concat()), "{}", outcome.finished.output);
    let two = [GO[0], GO[1]];
    assert_eq!(shop.run(shop.selecting(&two)).log, two);
    shop.shuffles_by_seed(&GO);
}

//! `cargo test`, run for real.

mod support;

use support::Shop;

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

use shop_cart::log;

#[test]
fn is_admin() {
    log("shop-cart::user::is_admin");
    panic!("no such role");
}

#[test]
fn logs_in() {
    log("shop-cart::user::logs_in");
}

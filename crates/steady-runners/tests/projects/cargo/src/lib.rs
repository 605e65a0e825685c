//! A shop's cart.
//!
//! ```
//! assert_eq!(shop_cart::add(1, 1), 2);
//! ```

/// Adds.
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

/// Writes down that a test ran.
pub fn log(id: &str) {
    use std::io::Write;
    let path = std::env::var("STEADY_TEST_LOG").unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(format!("{id}\n").as_bytes()).unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        log("shop-cart::tests::adds");
        assert_eq!(add(1, 1), 2);
    }

    mod nested {
        #[test]
        fn deeper() {
            crate::log("shop-cart::tests::nested::deeper");
        }
    }

    #[test]
    fn sums() {
        log("shop-cart::tests::sums");
    }
}

pub mod cart {
    /// ```
    /// assert_eq!(shop::cart::total(1, 1), 2);
    /// ```
    pub fn total(a: i32, b: i32) -> i32 {
        a + b
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn adds_up() {
            assert_eq!(super::total(1, 1), 2);
        }

        #[test]
        fn takes_ten_per_cent() {
            println!("ünï 🛒 <&\"'> \x1b[31mred\x1b[0m");
            assert_eq!(super::total(10, -1), 8, "discount");
        }

        #[test]
        #[ignore = "not on this machine"]
        fn is_skipped() {}

        #[test]
        #[should_panic]
        fn should_have_panicked() {}

        #[test]
        fn grüße() -> Result<(), String> {
            Err("returned".to_owned())
        }
    }
}

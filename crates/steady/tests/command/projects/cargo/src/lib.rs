//! The smallest crate with a flaky test.

#[cfg(test)]
mod tests {
    use std::fs;

    #[test]
    fn calm() {}

    #[test]
    fn flaky() {
        let attempts = fs::read_to_string("attempts.txt").unwrap_or_default() + "x";
        fs::write("attempts.txt", &attempts).unwrap();
        assert!(attempts.len() % 2 != 0, "every second time");
    }
}

//! How alike two lines are.

use xxhash_rust::xxh3::xxh3_64;

/// Only the beginning of a line is compared, by this much weight.
const WEIGHT: usize = 128;
/// Stands for any number.
const NUMBER: u64 = 0;
/// From here on, a line counts as a changed form of another; the threshold separates the two in hunks of real test files.
pub(crate) const ALIKE: f64 = 0.6;

/// The words, numbers and signs of a line. A word weighs twice as much as a sign; a number is half any number, half itself.
pub(crate) fn words(line: &str) -> Vec<u64> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next()
        && words.len() + 2 <= WEIGHT
    {
        let is_word = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
        let end = match is_word(first) {
            true => rest.find(|character| !is_word(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let word = xxh3_64(&rest.as_bytes()[..end]);
        match first {
            _ if first.is_ascii_digit() => words.extend([NUMBER, word]),
            _ if is_word(first) => words.extend([word, word]),
            _ => words.push(word),
        }
        rest = rest[end..].trim_start();
    }
    words
}

/// The share of words that both have in the same order, between 0 and 1.
pub(crate) fn similarity(one: &[u64], two: &[u64]) -> f64 {
    let all = one.len() + two.len();
    if all == 0 || 2.0 * one.len().min(two.len()) as f64 / (all as f64) < ALIKE {
        return 0.0;
    }
    let mut row = [0_u8; WEIGHT + 1];
    for a in one {
        let mut diagonal = 0;
        for (column, b) in two.iter().enumerate().take(WEIGHT) {
            let above = row[column + 1];
            row[column + 1] = if a == b { diagonal + 1 } else { above.max(row[column]) };
            diagonal = above;
        }
    }
    2.0 * f64::from(row[two.len().min(WEIGHT)]) / all as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, two: &str) -> f64 {
        similarity(&words(one), &words(two))
    }

    #[test]
    fn another_number_is_alike_and_another_statement_is_not() {
        assert!((alike("  await sleep(500);", "await sleep( 2_000 );") - 16.0 / 18.0).abs() < 1e-9);
        assert!(alike("10000,", "20000,") > ALIKE);
        assert!(alike("await sleep(500);", "expect(cart.total).toBe(3);") < ALIKE);
        assert!(alike("sleep(3);", "close();") < ALIKE);
        assert!((alike("a b c", "a b c") - 1.0).abs() < 1e-9);
        assert!(alike("", "") < ALIKE && alike("x", "") < ALIKE);
    }

    #[test]
    fn an_option_added_to_a_call_is_alike() {
        assert!(alike("await findByText('Done')", "await findByText('Done', {}, { timeout: 5 })") > 0.5);
    }

    #[test]
    fn endless_lines_are_compared_by_their_beginning() {
        let endless = "x ".repeat(100_000);
        assert!((alike(&endless, &endless) - 1.0).abs() < 1e-9);
    }
}

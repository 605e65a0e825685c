//! How the values of a place went from one to the next.

use serde_json::Value;

use crate::compare::Variation;

/// The largest step of a counter between two runs.
const MAX_STEP: u64 = 1_000;

/// How values went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// Whole numbers, each a little more, or each a little less, than the one before.
    Counting,
    /// Numbers, up and down or far apart.
    Jumping,
    /// Texts of the same words in another order.
    Shuffled,
    /// Anything else.
    Other,
}

impl Movement {
    /// How the values of a variation went, in the order first seen.
    pub fn of(variation: &Variation) -> Self {
        let values = &variation.values;
        if values.len() < 2 {
            return Self::Other;
        }
        if values.iter().all(Value::is_number) {
            return if is_counting(values) { Self::Counting } else { Self::Jumping };
        }
        let words: Option<Vec<Vec<&str>>> = values.iter().map(|value| value.as_str().map(words)).collect();
        match words {
            Some(words) if is_shuffled(&words) => Self::Shuffled,
            _ => Self::Other,
        }
    }
}

fn is_counting(values: &[Value]) -> bool {
    let Some(numbers) = values.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>() else { return false };
    let steps: Vec<(bool, u64)> =
        numbers.windows(2).map(|pair| (pair[0] < pair[1], pair[0].abs_diff(pair[1]))).collect();
    steps.iter().all(|(up, size)| *up == steps[0].0 && (1..=MAX_STEP).contains(size))
}

fn words(text: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
    let mut words: Vec<&str> =
        text.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words
}

fn is_shuffled(words: &[Vec<&str>]) -> bool {
    let [first, rest @ ..] = words else { return false };
    first.len() >= 2 && rest.iter().all(|other| other == first)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steady_model::Place;

    use super::*;
    use crate::compare::Kind;

    #[test]
    fn movements_are_told_apart() {
        let cases = [
            (vec![json!(1), json!(2)], Movement::Counting),
            (vec![json!(30), json!(20), json!(10)], Movement::Counting),
            (vec![json!(1), json!(3), json!(2)], Movement::Jumping),
            (vec![json!(1), json!(1_000_000)], Movement::Jumping),
            (vec![json!(0.25), json!(0.75)], Movement::Jumping),
            (vec![json!(i64::MIN), json!(i64::MAX)], Movement::Jumping),
            (vec![json!("[a, b]"), json!("[b, a]")], Movement::Shuffled),
            (vec![json!("a b"), json!("a c")], Movement::Other),
            (vec![json!(1), json!("a")], Movement::Other),
            (vec![json!(1)], Movement::Other),
        ];
        for (values, expected) in cases {
            let variation = Variation::new(Place::Status, Kind::Value, values.clone());
            assert_eq!(Movement::of(&variation), expected, "{values:?}");
        }
    }
}

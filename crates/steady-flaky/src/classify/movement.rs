//! How the values of a place went from one to the next.

use serde_json::Value;

use crate::compare::Variation;

/// The largest step of a counter between two runs.
const MAX_STEP: u64 = 1_000;
/// Steps in one direction that random numbers hardly make: one sequence in 20,000.
const OFTEN: usize = 7;
/// Shorter texts may differ everywhere and still be words.
const TOKEN: usize = 12;
/// The same after a word that stays.
const SHORT_TOKEN: usize = 8;

/// How values went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// Whole numbers, each a little more, or each a little less, than the one before.
    Counting,
    /// Numbers, up and down or far apart.
    Jumping,
    /// The same few values, coming back.
    Recurring,
    /// Texts of the same words in another order.
    Shuffled,
    /// Tokens of one length with hardly a character in common.
    Drawn,
    /// Anything else.
    Other,
}

impl Movement {
    /// How the values of a variation went, and those that were seen one after the other with nothing changed in between.
    pub fn of(variation: &Variation, in_place: &[Value]) -> Self {
        let values = &variation.values;
        if values.len() < 2 {
            return Self::Other;
        }
        let words: Option<Vec<Vec<&str>>> = values.iter().map(|value| value.as_str().map(words)).collect();
        if words.is_some_and(|words| is_shuffled(&words)) {
            return Self::Shuffled;
        }
        let steps = if in_place.len() < 2 { values } else { in_place };
        match numbers(steps) {
            Some(numbers) if is_counting(&numbers) => Self::Counting,
            _ if is_recurring(in_place) => Self::Recurring,
            _ if values.iter().all(Value::is_number) => Self::Jumping,
            // A value written by hand may be shorter than a drawn one.
            _ if is_drawn(values) || is_drawn(in_place) => Self::Drawn,
            _ => Self::Other,
        }
    }
}

/// The values as whole numbers: themselves, or the one number that differs in texts that are otherwise the same.
fn numbers(values: &[Value]) -> Option<Vec<i64>> {
    if values.iter().all(Value::is_number) {
        return values.iter().map(Value::as_i64).collect();
    }
    let texts: Vec<&str> = values.iter().map(Value::as_str).collect::<Option<_>>()?;
    let first = texts.first()?;
    let start = texts.iter().map(|text| shared(text.bytes(), first.bytes())).min()?;
    // A number that begins alike still begins where its first digit is.
    let start = first[..first.floor_char_boundary(start)]
        .trim_end_matches(|digit: char| digit.is_ascii_digit())
        .len();
    let end = texts.iter().map(|text| shared(text.bytes().rev(), first.bytes().rev())).min()?;
    let tail = &first[first.ceil_char_boundary(first.len() - end)..];
    let end = tail.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    texts.iter().map(|text| text.get(start..text.len().checked_sub(end)?)?.parse().ok()).collect()
}

fn shared(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// Whether a value came back after another one had been there.
fn is_recurring(values: &[Value]) -> bool {
    let mut steps = values.to_vec();
    steps.dedup();
    steps.iter().enumerate().any(|(index, value)| steps[..index].contains(value))
}

/// Whether these are tokens that were drawn: that is seen from several of them better than from the look of each.
fn is_drawn(values: &[Value]) -> bool {
    let Some(texts) = values.iter().map(Value::as_str).collect::<Option<Vec<_>>>() else { return false };
    if texts.len() < 2 {
        return false;
    }
    let is_token =
        |text: &&str| text.len() >= TOKEN && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/');
    let differ = |pair: &[&str]| {
        let alike = pair[0].bytes().zip(pair[1].bytes()).filter(|(one, other)| one == other).count();
        pair[0].len() == pair[1].len() && alike * 3 <= pair[0].len()
    };
    let is_whole = texts.iter().all(is_token) && texts.windows(2).all(differ);
    is_whole || is_drawn_after_prefix(&texts)
}

/// Whether these are drawn after a word that stays: `tok_9f3a…`, `sess-01ab…`.
fn is_drawn_after_prefix(texts: &[&str]) -> bool {
    let Some(first) = texts.first() else { return false };
    let alike = texts.iter().map(|text| shared(text.bytes(), first.bytes())).min().unwrap_or(0);
    let is_end = |sign: char| matches!(sign, '_' | '-' | ':' | '.');
    // What is drawn may begin alike by chance.
    let Some(prefix) = first[..first.floor_char_boundary(alike)].rfind(is_end).map(|at| at + 1) else {
        return false;
    };
    let drawn: Vec<&str> = texts.iter().filter_map(|text| text.get(prefix..)).collect();
    let is_token = |text: &&str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        text.len() >= SHORT_TOKEN && text.bytes().all(is_part)
    };
    // Names are not drawn, and have no digits.
    let with_digit = drawn.iter().filter(|text| text.bytes().any(|byte| byte.is_ascii_digit())).count();
    let differ = |pair: &[&str]| {
        let alike = pair[0].bytes().zip(pair[1].bytes()).filter(|(one, other)| one == other).count();
        pair[0].len() == pair[1].len() && alike * 2 <= pair[0].len()
    };
    let distinct = drawn.windows(2).all(|pair| pair[0] != pair[1]);
    drawn.len() > 1
        && distinct
        && drawn.iter().all(is_token)
        && with_digit * 2 > drawn.len()
        && drawn.windows(2).all(differ)
}

/// Whether numbers go one way, in small steps or often enough to be no coincidence.
fn is_counting(numbers: &[i64]) -> bool {
    let mut numbers = numbers.to_vec();
    numbers.dedup();
    let steps: Vec<(bool, u64)> =
        numbers.windows(2).map(|pair| (pair[0] < pair[1], pair[0].abs_diff(pair[1]))).collect();
    let one_way = steps.iter().all(|(up, _)| *up == steps[0].0);
    let small = steps.iter().all(|(_, size)| *size <= MAX_STEP);
    !steps.is_empty() && one_way && (small || steps.len() >= OFTEN)
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
    fn what_came_one_after_the_other_says_more() {
        let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect::<Vec<_>>();
        let cases = [
            (texts(&["/orders/79", "/orders/84", "/orders/101"]), Movement::Counting),
            (texts(&["\"v9\"", "\"v10\"", "\"v11\""]), Movement::Counting),
            (texts(&["blue", "green", "blue"]), Movement::Recurring),
            (texts(&["blue", "green", "green"]), Movement::Other),
            (vec![json!(true), json!(false), json!(false), json!(true)], Movement::Recurring),
            (texts(&["LqZkPWoTmAeGhNbYcVdRs", "-xKpQwErTyUiOpAsDfGhJ"]), Movement::Drawn),
            (texts(&["a-guide-to-rest-tests", "a-guide-to-rest-mocks"]), Movement::Other),
            (texts(&["tok_9f3a0c71e2b4", "tok_01be77d2aa93", "tok_c3d4e5f6a7b8"]), Movement::Drawn),
            (texts(&["sess-079deccee3", "sess-93443beae0"]), Movement::Drawn),
            (texts(&["user-katherine", "user-sebastien"]), Movement::Other),
            (texts(&["order 7 of 9", "order 9 of 7", "order 8 of 1"]), Movement::Other),
        ];
        for (values, expected) in cases {
            let variation = Variation::new(Place::Status, Kind::Value, values.clone());
            assert_eq!(Movement::of(&variation, &values), expected, "{values:?}");
        }
    }

    #[test]
    fn movements_are_distinguished() {
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
            assert_eq!(Movement::of(&variation, &[]), expected, "{values:?}");
        }
    }
}

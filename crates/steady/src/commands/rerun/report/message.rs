//! The part of a failure's message that says what differed.

use crate::ui::first_line;

/// How many values of a failed comparison are shown.
const MOST_VALUES: usize = 4;

/// The longest part of a failure's message that is shown.
const MESSAGE_WIDTH: usize = 160;

/// The first line that says something, and the values after it: Jest and Playwright write `expect(received).toBe(expected)`
/// there, and what was expected and received in lines of their own, before the stack.
pub(super) fn failure_message(message: &str) -> String {
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = shortened(lines.next().unwrap_or_default());
    let before_stack = lines.take_while(|line| !line.starts_with("at "));
    let values: Vec<&str> = before_stack.filter(|line| is_value(line)).take(MOST_VALUES).collect();
    if values.is_empty() { first } else { format!("{first}; {}", shortened(&values.join(", "))) }
}

/// `Expected: 3`, `Received string: "a"`, and the lines of a difference: `- 3`, `+ "b": 2,`.
fn is_value(line: &str) -> bool {
    let labelled = line.split_once(": ").is_some_and(|(label, value)| {
        let mut words = label.split(' ');
        let capital = words.next().is_some_and(|word| {
            word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) && is_lower(&word[1..])
        });
        capital && words.all(is_lower) && !value.trim().is_empty()
    });
    let differs = line.strip_prefix(['-', '+']).is_some_and(|rest| {
        // pytest explains a value after `+  where` and `+  and`.
        rest.starts_with(' ')
            && !rest.trim_start().starts_with("where ")
            && !rest.trim_start().starts_with("and   ")
            && !rest.trim_start().starts_with("Expected")
            && !rest.trim_start().starts_with("Received")
    });
    labelled || differs
}

fn is_lower(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The first line that says something, shortened.
fn shortened(message: &str) -> String {
    first_line(message, MESSAGE_WIDTH).unwrap_or_else(|| "(no message)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_the_values_that_differ() {
        let jest = "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2\n    at Object.<anonymous> (a.js:1:2)\nNode: x";
        assert_eq!(
            failure_message(jest),
            "Error: expect(received).toBe(expected) // Object.is equality; Expected: 3, Received: 2"
        );
        let equal = "Error: expect(received).toEqual(expected)\n\n- Expected  - 1\n+ Received  + 1\n\n  Object {\n-   \"a\": 1,\n+   \"a\": 2,\n  }\n    at x";
        assert_eq!(
            failure_message(equal),
            "Error: expect(received).toEqual(expected); -   \"a\": 1,, +   \"a\": 2,"
        );
        assert_eq!(
            failure_message("assert 4 == 5\ndef test():\n>  assert 4 == 5\nE  AssertionError: x"),
            "assert 4 == 5"
        );
        let explained = "assert False\n +  where False = f()\n +    and   {'a'} = shop.TAGS";
        assert_eq!(failure_message(explained), "assert False");
    }
}

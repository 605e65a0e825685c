//! The user's own way to name tests: `{tests}` in the command.
//!
//! A word that is just `{tests}` becomes one word per test. Inside a longer word the tests are joined by a space, or by
//! what follows the colon: `-Dtest={tests:,}`. In a shell's script, each is quoted. Without a selection it
//! becomes nothing.

use steady_model::rerun::TestId;

use crate::command::base;

const OPEN: &str = "{tests";

/// Whether the command names the place for its tests.
pub(crate) fn has(command: &[String]) -> bool {
    command.iter().any(|word| hole(word).is_some())
}

/// The command with its tests filled in.
pub(crate) fn fill(command: &[String], tests: &[TestId]) -> Vec<String> {
    let shell =
        command.first().is_some_and(|program| matches!(base(program), "sh" | "bash" | "dash" | "zsh"));
    let mut filled = Vec::new();
    for word in command {
        if word == "{tests}" {
            filled.extend(tests.iter().map(TestId::to_string));
            continue;
        }
        let mut rest = word.as_str();
        let mut text = String::new();
        while let Some((before, joiner, after)) = hole(rest) {
            let names: Vec<String> = tests
                .iter()
                .map(|test| if shell { quoted(test.as_str()) } else { test.to_string() })
                .collect();
            text.push_str(before);
            text.push_str(&names.join(joiner));
            rest = after;
        }
        text.push_str(rest);
        filled.push(text);
    }
    filled
}

/// The text before the first placeholder, its joiner, and the text after it.
fn hole(word: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = word.split_once(OPEN)?;
    let (inside, after) = rest.split_once('}')?;
    match inside.strip_prefix(':') {
        Some(joiner) => Some((before, joiner, after)),
        None => inside.is_empty().then_some((before, " ", after)),
    }
}

/// A word as a POSIX shell reads it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(command: &[&str], tests: &[&str]) -> Vec<String> {
        let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
        let tests: Vec<TestId> = tests.iter().map(|&test| test.into()).collect();
        fill(&command, &tests)
    }

    #[test]
    fn a_word_of_its_own_becomes_one_word_per_test() {
        assert_eq!(filled(&["run", "{tests}", "-v"], &["a b", "c"]), ["run", "a b", "c", "-v"]);
        assert_eq!(filled(&["run", "{tests}"], &[]), ["run"]);
    }

    #[test]
    fn inside_a_word_tests_are_joined() {
        assert_eq!(filled(&["mvn", "-Dtest={tests:,}"], &["A#a", "B#b"]), ["mvn", "-Dtest=A#a,B#b"]);
        assert_eq!(filled(&["x", "{tests:|}/{tests}"], &["a", "b"]), ["x", "a|b/a b"]);
    }

    #[test]
    fn a_shell_sees_each_test_as_one_word() {
        assert_eq!(
            filled(&["sh", "-c", "run {tests}"], &["a b", "it's"]),
            ["sh", "-c", r"run 'a b' 'it'\''s'"]
        );
    }

    #[test]
    fn other_braces_stay() {
        assert!(!has(&["{testsuite}".to_owned(), "{tests".to_owned()]));
        assert_eq!(filled(&["{testsuite}"], &["a"]), ["{testsuite}"]);
    }
}

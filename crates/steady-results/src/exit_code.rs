//! The fallback for a command that reports nothing: its exit code.

use steady_model::rerun::{Ending, Outcome, TestId, TestResult};

use crate::text;

/// The whole command as one test, named after the command; the exit code decides whether it passed.
///
/// The name is the command as given, so the same command is the same test in every run.
pub fn exit_code(ending: Ending, command: &[String]) -> TestResult {
    let id = command_id(command);
    let outcome = if ending.is_success() { Outcome::Passed } else { Outcome::Failed };
    let message = (outcome == Outcome::Failed).then(|| format!("the command ended with {ending}"));
    TestResult { id, outcome, milliseconds: None, message }
}

/// The name of the whole command as a test.
pub fn command_id(command: &[String]) -> TestId {
    let name: Vec<&str> = command.iter().map(|word| text::front(word.trim(), 200)).collect();
    TestId::from(text::front(&name.join(" "), 400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_is_the_outcome() {
        let command = ["make".to_owned(), "check".to_owned()];
        let passed = exit_code(Ending::Exited(0), &command);
        assert_eq!(
            (passed.id.as_str(), passed.outcome, passed.message),
            ("make check", Outcome::Passed, None)
        );
        for (ending, message) in [
            (Ending::Exited(3), "the command ended with exit code 3"),
            (Ending::Signalled(11), "the command ended with signal 11"),
            (Ending::TimedOut, "the command ended with timeout"),
        ] {
            let failed = exit_code(ending, &command);
            assert_eq!((failed.outcome, failed.message.as_deref()), (Outcome::Failed, Some(message)));
        }
    }
}

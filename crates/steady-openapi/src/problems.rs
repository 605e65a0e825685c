//! The problems of a document, bounded in number.

use std::collections::BTreeSet;

use crate::Problem;

const MAX_PROBLEMS: usize = 1_000;
const MAX_LENGTH: usize = 400;

/// Collects problems, each once.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Problem>,
    seen: BTreeSet<(String, String)>,
}

impl Problems {
    /// Notes something that was left out or repaired.
    pub fn note(&mut self, place: &str, message: impl AsRef<str>) {
        self.add(place, message.as_ref(), false);
    }

    /// Notes an operation that was left out.
    pub fn skip(&mut self, operation: &str, message: impl AsRef<str>) {
        self.add(operation, message.as_ref(), true);
    }

    fn add(&mut self, place: &str, message: &str, skipped_operation: bool) {
        if self.list.len() >= MAX_PROBLEMS {
            return;
        }
        let (place, message) = (clip(place, MAX_LENGTH), clip(message, MAX_LENGTH));
        if self.seen.insert((place.clone(), message.clone())) {
            self.list.push(Problem { place, message, skipped_operation });
        }
        if self.list.len() == MAX_PROBLEMS {
            let message = "more problems follow and are not listed; correct these first".to_owned();
            self.list.push(Problem { place: "#".to_owned(), message, skipped_operation: false });
        }
    }

    /// The problems, in the order they were met.
    pub fn into_list(self) -> Vec<Problem> {
        self.list
    }
}

/// At most the first `length` characters of a text.
pub(crate) fn clip(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_noted_once_and_bounded() {
        let mut problems = Problems::default();
        for number in 0..5_000 {
            problems.note("GET /a", format!("{number}{}", "é".repeat(1_000)));
            problems.note("GET /a", "again");
        }
        let list = problems.into_list();
        assert_eq!(list.len(), MAX_PROBLEMS + 1);
        assert_eq!(list.iter().filter(|problem| problem.message == "again").count(), 1);
        assert!(list.iter().all(|problem| problem.message.chars().count() <= MAX_LENGTH + 1));
    }
}

//! steady's own format, which its plugins write and others may: the file `steady-results.jsonl`.
//!
//! The crate's documentation defines it. An object per line, written when a test ends, so that what ran before a crash is
//! kept.

use indexmap::IndexMap;
use serde::Deserialize;
use steady_model::rerun::Outcome;

use super::json;
use super::lines::{self, Noise};
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::{identity, text};

pub(crate) fn sniff(start: &[u8]) -> bool {
    json::begins_with_keys(start, &["id", "outcome"])
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let mut tests: IndexMap<String, Vec<Option<Attempt>>> = IndexMap::new();
    for line in lines::objects::<Line>(&text, Format::Steady, Noise::Refused) {
        let line = line?;
        let tries = tests.entry(identity::of_node(base, &line.id)).or_default();
        let outcome = match line.outcome {
            Word::Started => {
                tries.push(None);
                continue;
            }
            Word::Passed => Outcome::Passed,
            Word::Failed => Outcome::Failed,
            Word::Skipped => Outcome::Skipped,
        };
        let attempt = Some(Attempt::new(outcome, line.ms, line.message.as_deref().unwrap_or("")));
        match tries.last_mut() {
            Some(open @ None) => *open = attempt,
            _ => tries.push(attempt),
        }
    }
    let cases = tests.into_iter().map(|(id, tries)| {
        let attempts = tries.into_iter().map(|attempt| attempt.unwrap_or_else(Attempt::unfinished)).collect();
        Case { id, line: 0, attempts }
    });
    Ok(cases.collect())
}

#[derive(Deserialize)]
struct Line {
    id: String,
    outcome: Word,
    #[serde(default)]
    ms: Option<f64>,
    #[serde(default)]
    message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Started,
    Passed,
    Failed,
    Skipped,
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed, Skipped};

    use super::*;

    fn outcomes(words: &[&str]) -> Vec<Outcome> {
        let line = |word: &&str| format!(r#"{{"id":"/home/ann/shop/a.py::t","outcome":"{word}","ms":1}}"#);
        let text = words.iter().map(line).collect::<Vec<_>>().join("\n");
        let cases = read(text.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        assert_eq!(cases[0].id, "a.py::t");
        cases[0].attempts.iter().map(|attempt| attempt.outcome).collect()
    }

    #[test]
    fn a_line_is_a_try() {
        assert_eq!(outcomes(&["started", "passed"]), [Passed]);
        assert_eq!(outcomes(&["skipped"]), [Skipped]);
        assert_eq!(outcomes(&["failed", "started", "passed"]), [Failed, Passed]);
        assert_eq!(outcomes(&["started"]), [Failed]);
    }

    #[test]
    fn an_unknown_outcome_is_an_error() {
        let error = read(b"{\"id\":\"a\",\"outcome\":\"odd\"}\n", &Base::new("/home/ann/shop")).unwrap_err();
        assert!(error.to_string().contains("line 1: unknown variant `odd`"), "{error}");
    }
}

//! steady's own format, which its plugins write and others may: the file `steady-results.jsonl`.
//!
//! The crate's documentation defines it. An object per line, written when a test ends, so that what ran before a crash is
//! kept.

use std::collections::BTreeMap;

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
    let mut tests: Vec<(String, Vec<Option<Attempt>>)> = Vec::new();
    let mut latest: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines::objects::<Line>(&text, Format::Steady, Noise::Refused) {
        let line = line?;
        let id = identity::of_node(base, &line.id);
        let attempt = match line.outcome {
            Word::Started => None,
            Word::Passed => Some(Outcome::Passed),
            Word::Failed => Some(Outcome::Failed),
            Word::Skipped => Some(Outcome::Skipped),
        }
        .map(|outcome| Attempt::new(outcome, line.ms, line.message.as_deref().unwrap_or("")));
        let known = latest.get(&id).and_then(|index| tests.get_mut(*index)).map(|(_, tries)| tries);
        match known {
            Some(tries) if attempt.is_some() && tries.last().is_some_and(Option::is_none) => {
                tries.pop();
                tries.push(attempt);
            }
            Some(tries) if line.retry > 0 => tries.push(attempt),
            // The same name again, and no retry: another test.
            _ => {
                latest.insert(id.clone(), tests.len());
                tests.push((id, vec![attempt]));
            }
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
    #[serde(default)]
    retry: u32,
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

    fn tries(words: &[(&str, u32)]) -> Vec<Vec<Outcome>> {
        let line = |(word, retry): &(&str, u32)| {
            format!(r#"{{"id":"/home/ann/shop/a.py::t","outcome":"{word}","ms":1,"retry":{retry}}}"#)
        };
        let text = words.iter().map(line).collect::<Vec<_>>().join("\n");
        let cases = read(text.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        assert!(cases.iter().all(|case| case.id == "a.py::t"));
        let outcomes = |case: &Case| case.attempts.iter().map(|attempt| attempt.outcome).collect();
        cases.iter().map(outcomes).collect()
    }

    #[test]
    fn a_line_is_a_try() {
        assert_eq!(tries(&[("started", 0), ("passed", 0)]), [[Passed]]);
        assert_eq!(tries(&[("skipped", 0)]), [[Skipped]]);
        assert_eq!(tries(&[("failed", 0), ("started", 1), ("passed", 1)]), [[Failed, Passed]]);
        assert_eq!(tries(&[("started", 0)]), [[Failed]]);
    }

    #[test]
    fn a_name_that_comes_again_without_a_retry_is_another_test() {
        assert_eq!(
            tries(&[("started", 0), ("passed", 0), ("started", 0), ("failed", 0)]),
            [[Passed], [Failed]]
        );
    }

    #[test]
    fn an_unknown_outcome_is_an_error() {
        let error = read(b"{\"id\":\"a\",\"outcome\":\"odd\"}\n", &Base::new("/home/ann/shop")).unwrap_err();
        assert!(error.to_string().contains("line 1: unknown variant `odd`"), "{error}");
    }
}

//! Which values vary between runs, and what became of their assertions.
//!
//! ```text
//! 3 values vary between runs
//!   Rand  (1)
//!     GET /price/estimate 200 body:/jitter: 3 vs. 7
//!       now integer, in 2 tests (rerun)
//! …
//! ```

use std::collections::BTreeMap;

use steady_model::Flaky;

use crate::ui::{Verbosity, counted, escape_controls};

/// How many values of a category are listed before the rest is only counted.
const PER_CATEGORY: usize = 3;
const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The values that vary, by category; `rest` says where those that are not listed are.
pub fn flaky_lines(flaky: &[Flaky], verbosity: Verbosity, rest: &str) -> String {
    if flaky.is_empty() || verbosity == Verbosity::Quiet {
        return String::new();
    }
    let mut by_category: BTreeMap<&str, Vec<&Flaky>> = BTreeMap::new();
    for value in flaky {
        by_category.entry(&value.category).or_default().push(value);
    }
    let vary = if flaky.len() == 1 { "varies" } else { "vary" };
    let mut text = format!("{} {vary} between runs\n", counted(flaky.len(), "value"));
    for (category, values) in by_category {
        text.push_str(&format!("  {BOLD}{category}{BOLD:#} {} ({})\n", meaning(category), values.len()));
        let shown = if verbosity == Verbosity::Verbose { values.len() } else { PER_CATEGORY };
        values.iter().take(shown).for_each(|value| text.push_str(&lines(value)));
        if values.len() > shown {
            text.push_str(&format!("    and {} more{rest}\n", values.len() - shown));
        }
    }
    text.push('\n');
    text
}

fn lines(value: &Flaky) -> String {
    let became = match (value.handling.as_str(), &value.note) {
        ("kept", Some(note)) => format!("left as it was: {}", escape_controls(note)),
        ("kept", None) => "left as it was".to_owned(),
        ("disabled", _) => "now a comment".to_owned(),
        _ => format!("now {}", value.matcher.replace('_', " ")),
    };
    format!(
        "    {} {} {}: {}\n      {became}, in {} ({})\n",
        escape_controls(&value.operation.to_string()),
        value.status,
        escape_controls(&value.place.to_string()),
        escape_controls(&value.observed.join(" vs. ")),
        counted(value.tests.len(), "test"),
        evidence(value).join(", "),
    )
}

/// How it is known, in short: what moves without a reason also moves with one.
fn evidence(value: &Flaky) -> Vec<&str> {
    let all = value.evidence.iter().map(String::as_str);
    if value.evidence.iter().any(|step| step == "rerun") {
        return all.filter(|step| !step.starts_with("perturbed:")).collect();
    }
    all.collect()
}

fn meaning(category: &str) -> &'static str {
    match category {
        "Time" => "the clock",
        "Rand" => "something drawn at random",
        "Crypt" => "a salt, a nonce or a signature",
        "Unord" => "items in any order",
        "RunMsg" => "what the runtime says about itself",
        "State" => "what earlier calls left behind",
        "Env" => "the machine and its settings",
        _ => "unexplained",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(handling: &str, matcher: &str, note: Option<&str>) -> Flaky {
        Flaky {
            operation: "GET /price".parse().unwrap(),
            status: 200,
            place: "body:/jitter".parse().unwrap(),
            category: "Rand".to_owned(),
            evidence: vec!["rerun".to_owned()],
            observed: vec!["3".to_owned(), "7\u{1b}[2J".to_owned()],
            handling: handling.to_owned(),
            matcher: matcher.to_owned(),
            note: note.map(str::to_owned),
            tests: vec!["a".to_owned(), "b".to_owned()],
        }
    }

    #[test]
    fn values_come_with_their_reason_and_what_became_of_them() {
        let text = flaky_lines(&[value("relaxed", "integer", None)], Verbosity::Normal, "");
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            "1 value varies between runs\n  Rand something drawn at random (1)\n    GET /price 200 body:/jitter: \
             3 vs. 7\\u{1b}[2J\n      now integer, in 2 tests (rerun)\n\n"
        );
    }

    #[test]
    fn an_assertion_that_stays_says_why_it_holds() {
        let kept = |note| lines(&value("kept", "equals", note));
        assert!(kept(None).contains("      left as it was, in 2 tests"));
        assert!(
            kept(Some("a new name each time")).contains("left as it was: a new name each time, in 2 tests")
        );
    }
}

//! Which values vary between runs, and how their assertions were handled.
//!
//! ```text
//! 3 values vary between runs
//!   Rand  (1)
//!     GET /price/estimate 200 body:/jitter: 3 vs. 7
//!       now integer, in 2 tests (rerun)
//! …
//! ```

use std::collections::BTreeMap;

use steady_model::rerun::Category;
use steady_model::{Flaky, Handling, Step};

use crate::ui::{Verbosity, counted, escape_controls};

/// How many values of a category are listed before the rest is only counted.
const PER_CATEGORY: usize = 3;
const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The values that vary, by category; `rest` says where those that are not listed are.
pub fn flaky_lines(flaky: &[Flaky], verbosity: Verbosity, rest: &str) -> String {
    if flaky.is_empty() || verbosity == Verbosity::Quiet {
        return String::new();
    }
    let mut by_category: BTreeMap<Category, Vec<&Flaky>> = BTreeMap::new();
    for value in flaky {
        by_category.entry(value.category).or_default().push(value);
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
    let became = match (value.handling, &value.note) {
        (Handling::Kept, Some(note)) => format!("left as it was: {}", escape_controls(note)),
        (Handling::Kept, None) => "left as it was".to_owned(),
        (Handling::Disabled, _) => "now a comment".to_owned(),
        _ => format!("now {}", value.matcher.to_string().replace('_', " ")),
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
fn evidence(value: &Flaky) -> Vec<String> {
    let moves_in_place = value.evidence.contains(&Step::Rerun);
    let is_shown = |step: &&Step| !moves_in_place || matches!(step, Step::Rerun | Step::Inferred);
    value.evidence.iter().filter(is_shown).map(Step::to_string).collect()
}

fn meaning(category: Category) -> &'static str {
    match category {
        Category::Time => "the clock",
        Category::Rand => "something drawn at random",
        Category::Crypt => "a salt, a nonce or a signature",
        Category::Unord => "items in any order",
        Category::RunMsg => "what the runtime says about itself",
        Category::State => "what earlier calls left behind",
        Category::Env => "the machine and its settings",
        Category::Async => "load or latency",
        Category::Unk => "unexplained",
    }
}

#[cfg(test)]
mod tests {
    use steady_model::MatcherName;

    use super::*;

    fn value(handling: Handling, matcher: MatcherName, note: Option<&str>) -> Flaky {
        Flaky {
            operation: "GET /price".parse().unwrap(),
            status: 200,
            place: "body:/jitter".parse().unwrap(),
            category: Category::Rand,
            evidence: vec![Step::Rerun],
            observed: vec!["3".to_owned(), "7\u{1b}[2J".to_owned()],
            handling,
            matcher,
            note: note.map(str::to_owned),
            tests: vec!["a".to_owned(), "b".to_owned()],
        }
    }

    #[test]
    fn values_come_with_their_reason_and_what_became_of_them() {
        let text =
            flaky_lines(&[value(Handling::Relaxed, MatcherName::Integer, None)], Verbosity::Normal, "");
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            "1 value varies between runs\n  Rand something drawn at random (1)\n    GET /price 200 body:/jitter: \
             3 vs. 7\\u{1b}[2J\n      now integer, in 2 tests (rerun)\n\n"
        );
    }

    #[test]
    fn an_assertion_that_stays_says_why_it_holds() {
        let kept = |note| lines(&value(Handling::Kept, MatcherName::Equals, note));
        assert!(kept(None).contains("      left as it was, in 2 tests"));
        assert!(
            kept(Some("a new name each time")).contains("left as it was: a new name each time, in 2 tests")
        );
    }
}

//! The candidates of `steady waits tune`, best first, each with the line it came from.
//!
//! ```text
//! e2e/cart.spec.ts:41 await page.waitForTimeout(300)
//! A sleep of 300 ms: every run pays for it.
//!
//!        ms  score  from
//!     1,000   0.83  e2e/login.spec.ts:18  await page.waitForTimeout(1000)
//!                   same call, chosen as a fix twice
//!       500   0.11  e2e/cart.spec.ts:77 in 3f2a91c  await page.waitForTimeout(500)
//!     2,000   0.06  a guess
//! ```

use steady_js::Kind;
use steady_waits::{Candidate, Origin};

use crate::ui::{cut, duration, escape_controls, grouped};

/// Candidates shown unless all are asked for.
const SHOWN: usize = 8;
/// How much of a line is shown.
const WIDTH: usize = 72;
const STRONG: anstyle::Style = anstyle::Style::new().bold();
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// What a wait costs, in a sentence.
pub fn cost_of(kind: Kind, ms: Option<u64>) -> String {
    let (what, cost) = match kind {
        Kind::Sleep => ("a sleep", "every run pays for it"),
        Kind::Timer => ("a timer", "whoever waits for it pays for it in every run"),
        Kind::PollTimeout => ("a time limit of a call that polls", "free when what it waits for comes"),
        Kind::TestTimeout => ("a time limit of a test", "free when the test passes"),
    };
    match ms {
        Some(ms) => format!("{what}, {}: {cost}", duration(ms)),
        None => format!("{what}: {cost}"),
    }
}

/// The table.
pub fn candidates_table(candidates: &[Candidate], all: bool) -> String {
    let mut text = format!("{DIM}{:>10}  score  from{DIM:#}\n", "ms");
    let shown = if all { candidates.len() } else { SHOWN };
    for (index, candidate) in candidates.iter().take(shown).enumerate() {
        let style = if index == 0 { STRONG } else { anstyle::Style::new() };
        let ms = grouped(candidate.ms);
        text.push_str(&format!(
            "{style}{ms:>10}{style:#}  {:>5.2}  {}\n",
            candidate.score,
            source(candidate)
        ));
        if !candidate.why.is_empty() {
            text.push_str(&format!("{DIM}{:>19}{}{DIM:#}\n", "", escape_controls(&candidate.why)));
        }
    }
    if candidates.len() > shown {
        text.push_str(&format!("{:>19}and {} more, with -v\n", "", candidates.len() - shown));
    }
    text
}

/// The line a value came from.
fn source(candidate: &Candidate) -> String {
    let Some(path) = &candidate.path else { return "a guess".to_owned() };
    let mut source = escape_controls(&path.display().to_string());
    if let Some(line) = candidate.line {
        source.push_str(&format!(":{line}"));
    }
    if let (Origin::History, Some(commit)) = (candidate.origin, &candidate.commit) {
        source.push_str(&format!(" in {}", commit.get(..7).unwrap_or(commit)));
    }
    if let Some(line) = &candidate.text {
        source.push_str(&format!("  {DIM}{}{DIM:#}", clipped(line)));
    }
    source
}

/// A line of code, cut where it is too long to show.
pub fn clipped(line: &str) -> String {
    cut(line.trim(), WIDTH)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn candidate(ms: u64, origin: Origin) -> Candidate {
        let known = origin != Origin::Guess;
        Candidate {
            ms,
            score: 0.825,
            origin,
            path: known.then(|| PathBuf::from("e2e/login.spec.ts")),
            line: known.then_some(18),
            commit: (origin == Origin::History).then(|| "3f2a91c0d4".to_owned()),
            text: known.then(|| format!("  await page.waitForTimeout({ms})")),
            kind: known.then_some(Kind::Sleep),
            form: None,
            why: if known { "same call".to_owned() } else { String::new() },
        }
    }

    #[test]
    fn each_value_is_shown_with_the_line_it_came_from() {
        let candidates = [
            candidate(1000, Origin::Current),
            candidate(500, Origin::History),
            candidate(2000, Origin::Guess),
        ];
        let table = anstream::adapter::strip_str(&candidates_table(&candidates, false)).to_string();
        let expected = "        ms  score  from
     1,000   0.82  e2e/login.spec.ts:18  await page.waitForTimeout(1000)
                   same call
       500   0.82  e2e/login.spec.ts:18 in 3f2a91c  await page.waitForTimeout(500)
                   same call
     2,000   0.82  a guess
";
        assert_eq!(table, expected);
    }
}

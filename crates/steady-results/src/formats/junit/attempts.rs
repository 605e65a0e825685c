//! The tries of a JUnit case and their outcomes.

use steady_model::rerun::Outcome;

use super::element::{OpenCase, OutcomeElement, Verdict};
use crate::case::Attempt;
use crate::text;

/// The tries that failed, then the one that counts.
///
/// `<flakyFailure>` stands beside no failure: the test passed in the end. `<rerunFailure>` stands beside a `<failure>`:
/// every try failed. Either way each of them is one more try.
pub(super) fn of(case: &OpenCase) -> Vec<Attempt> {
    let milliseconds = case.seconds.map(|seconds| seconds * 1_000.0);
    let outcome = |kind| case.verdicts.iter().find(|verdict| verdict.kind == kind);
    let last = match (outcome(OutcomeElement::Skipped), outcome(OutcomeElement::Failure)) {
        (Some(skipped), _) => Attempt::new(Outcome::Skipped, milliseconds, &said(skipped)),
        (None, Some(failure)) => Attempt::new(Outcome::Failed, milliseconds, &said(failure)),
        (None, None) if case.not_run => Attempt::new(Outcome::Skipped, milliseconds, ""),
        (None, None) => Attempt::new(Outcome::Passed, milliseconds, ""),
    };
    let retries = case.verdicts.iter().filter(|verdict| verdict.kind == OutcomeElement::Retry);
    let retries = retries.map(|retry| {
        Attempt::new(Outcome::Failed, retry.seconds.map(|seconds| seconds * 1_000.0), &said(retry))
    });
    retries.chain([last]).collect()
}

fn said(verdict: &Verdict) -> String {
    // gotestsum's headline for everything.
    let headline = if verdict.headline == "Failed" { "" } else { &verdict.headline };
    text::headline_and_body(without_frame(headline), without_frame(&verdict.body)).unwrap_or_default()
}

/// Without the line that Go prints above what a test says.
fn without_frame(text: &str) -> &str {
    let framed = text.starts_with("=== RUN ");
    if framed { text.split_once('\n').map_or("", |(_, said)| said) } else { text }
}

//! What was found against what is known.

use steady_fuzz::Outcome;
use steady_model::{Assertion, Flaky, Matcher, Place, Segment, Suite};
use steady_testkit::catalogue::{Api, Label};

/// The labels of an API by outcome, and the look-alikes.
#[derive(Debug, Default)]
pub struct Labels {
    /// All of them.
    pub all: usize,
    /// Found, with a category the label accepts.
    pub right: usize,
    /// Of these: never seen to vary, suspected by their form.
    pub inferred: usize,
    /// Of these: still asserted exactly, by tests that bring about themselves what the value depends on.
    pub avoided: usize,
    /// What is wrong: missed, put down to another cause, or a look-alike touched.
    pub wrong: Vec<String>,
    /// The look-alikes.
    pub constants: usize,
    /// Look-alikes that lost their exact assertion.
    pub touched: usize,
}

/// Holds the findings of a run against the labels of its API.
pub fn hold_against(api: &Api, outcome: &Outcome) -> Labels {
    let mut labels = Labels { all: api.flaky().len(), constants: api.stable().len(), ..Labels::default() };
    for label in api.flaky() {
        judge(label, outcome, &mut labels);
    }
    for constant in api.stable() {
        let spot = (constant.operation.as_str(), constant.status, &constant.place);
        let found = found(outcome, spot);
        let weak = asserted(&outcome.suite, spot).find(|assertion| !assertion.matcher.is_exact());
        if found.is_some() || weak.is_some() {
            labels.touched += 1;
            let matcher = weak.map(|assertion| assertion.matcher.name());
            let evidence = found.map(|flaky| (&flaky.category, &flaky.evidence, &flaky.observed));
            labels.wrong.push(format!(
                "look-alike touched: {}, asserted as {matcher:?}, found as {evidence:?}",
                written(spot)
            ));
        }
    }
    labels
}

/// Operation, status and place.
type Spot<'a> = (&'a str, u16, &'a Place);

fn judge(label: &Label, outcome: &Outcome, labels: &mut Labels) {
    let spot = (label.operation.as_str(), label.status, &label.place);
    match found(outcome, spot) {
        Some(flaky) if is_right(label, flaky) => {
            labels.right += 1;
            labels.inferred += usize::from(flaky.is_inferred());
            labels.avoided += usize::from(flaky.note.is_some());
        }
        Some(flaky) => labels.wrong.push(format!(
            "{} is {}, said to be {} ({:?}, {:?})",
            written(spot),
            label.category,
            flaky.category,
            flaky.evidence,
            flaky.observed
        )),
        // The API's own address is not a finding: the suite compares it with the address in use.
        None if follows_the_address(&outcome.suite, spot) => labels.right += 1,
        None => {
            let reached =
                outcome.suite.tests.iter().flat_map(|test| &test.calls).any(|call| is_at(call, spot));
            let why = if reached { "not found" } else { "never reached by the suite" };
            labels.wrong.push(format!(
                "{} ({}, moved by {:?}): {why}",
                written(spot),
                label.category,
                label.mover
            ));
        }
    }
}

/// Whether a place is asserted, and always by the address in use.
fn follows_the_address(suite: &Suite, spot: Spot<'_>) -> bool {
    let has_address = |assertion: &Assertion| {
        assertion
            .templates()
            .any(|text| text.segments().iter().any(|part| matches!(part, Segment::Base { .. })))
    };
    let mut asserted = asserted(suite, spot).peekable();
    asserted.peek().is_some() && asserted.all(has_address)
}

fn is_right(label: &Label, flaky: &Flaky) -> bool {
    let names = [Some(label.category), label.or];
    names.into_iter().flatten().any(|category| category == flaky.category)
}

fn found<'a>(outcome: &'a Outcome, (operation, status, place): Spot<'_>) -> Option<&'a Flaky> {
    outcome.findings.flaky.iter().find(|flaky| {
        flaky.operation.to_string() == operation && flaky.status == status && flaky.place == *place
    })
}

/// What a suite says about a place in an answer of an operation.
fn asserted<'a>(suite: &'a Suite, spot: Spot<'a>) -> impl Iterator<Item = &'a Assertion> {
    let calls = suite.tests.iter().flat_map(|test| &test.calls).filter(move |call| is_at(call, spot));
    calls.flat_map(|call| &call.expect).filter(move |assertion| assertion.place == *spot.2)
}

fn is_at(call: &steady_model::Call, (operation, status, _): Spot<'_>) -> bool {
    let expects = |assertion: &Assertion| {
        assertion.place == Place::Status
            && matches!(&assertion.matcher, Matcher::Equals(value) if value.as_u64() == Some(status.into()))
    };
    call.operation.to_string() == operation && call.expect.iter().any(expects)
}

fn written((operation, status, place): Spot<'_>) -> String {
    format!("`{operation}` {status} `{place}`")
}

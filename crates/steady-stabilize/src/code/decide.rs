//! Which assertions do not hold every time, and what they become.

use indexmap::IndexMap;
use steady_flaky::relax::{Handled, Policy, Seen, Subject, handle};
use steady_model::{
    Assertion, Call, Flaky, Matcher, Method, OperationId, Place, RequestTemplate, Text as Template,
};
use steady_replay::{Variables, check};
use steady_source::{Change, Edit, RewriteError, SourceAssertion};

use super::project::TestCode;
use super::runs::{Answer, Runs};

/// A file's text and how it came from the one that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    pub text: String,
    pub edits: Vec<Edit>,
}

/// What becomes of the files.
pub(super) struct Decided {
    /// One per file, in the project's order.
    pub texts: Vec<Text>,
    pub flaky: Vec<Flaky>,
    pub notes: Vec<String>,
}

/// Holds every assertion against what was recorded.
pub(super) fn decide(runs: &Runs<'_>, policy: Policy) -> Decided {
    let mut flaky: IndexMap<(String, u16, Place), Flaky> = IndexMap::new();
    let mut texts = Vec::new();
    let mut notes = Vec::new();
    for code in &runs.project.code {
        let mut changes = Vec::new();
        for (index, assertion) in code.source.assertions().iter().enumerate() {
            let answers = runs.seen(&code.path, assertion.call.first_line, assertion.call.last_line);
            let Some(first) = answers.first() else { continue };
            if !is_understood(assertion, &answers) {
                continue;
            }
            let handled = handled(assertion, &answers, runs, policy);
            for moving in &handled.moving {
                let key = (first.request.clone(), first.response.status, moving.place.clone());
                let test = first.test.as_ref().map_or(assertion.test.as_str(), |test| test.as_str());
                let entry = flaky.entry(key).or_insert_with(|| finding(first, moving));
                if !entry.tests.iter().any(|known| known == test) {
                    entry.tests.push(test.to_owned());
                }
            }
            changes.extend(change(assertion, &handled).map(|change| (index, change)));
        }
        texts.push(rewritten(code, changes, &mut notes));
    }
    Decided { texts, flaky: flaky.into_values().collect(), notes }
}

/// Whether an assertion holds of what was recorded whenever its test passed: if not, it speaks of something else.
fn is_understood(assertion: &SourceAssertion, answers: &[&Answer]) -> bool {
    let holds = |answer: &&&Answer| {
        let document = answer.response.document();
        assertion
            .places
            .iter()
            .all(|place| check(place, &answer.response, &document, &Variables::default()).is_ok())
    };
    answers.iter().filter(|answer| answer.approved).all(|answer| holds(&answer))
}

fn handled(assertion: &SourceAssertion, answers: &[&Answer], runs: &Runs<'_>, policy: Policy) -> Handled {
    let documents: Vec<_> = answers.iter().map(|answer| answer.response.document()).collect();
    let variables = Variables::default();
    let seen: Vec<Seen<'_>> = answers
        .iter()
        .zip(&documents)
        .map(|(answer, document)| Seen {
            step: answer.step,
            response: &answer.response,
            document,
            variables: &variables,
        })
        .collect();
    let call = call();
    let subject =
        Subject { call: &call, seen: &seen, schema: None, now: runs.now, own: &runs.own, fresh: &[] };
    handle(&assertion.places, &subject, policy)
}

/// Nothing is known about what the test sends, and it captures nothing that steady knows of.
fn call() -> Call {
    let request =
        RequestTemplate { method: Method::Get, target: Template::default(), headers: Vec::new(), body: None };
    let operation = OperationId::new(Method::Get, "/".to_owned());
    Call { operation, identity: None, request, captures: Vec::new(), expect: Vec::new() }
}

/// What an assertion becomes; nothing when it stays.
fn change(assertion: &SourceAssertion, handled: &Handled) -> Option<Change> {
    if handled.expect == assertion.places {
        return None;
    }
    let changed: Vec<Assertion> =
        handled.expect.iter().filter(|now| !assertion.places.contains(now)).cloned().collect();
    // Without a helper, a recent time is no more than a pattern, and there is one already.
    let is_recent = |now: &Assertion| matches!(now.matcher, Matcher::Recent(_));
    let changed: Vec<Assertion> = changed.into_iter().filter(|now| !is_recent(now)).collect();
    let disabled = changed.iter().find(|now| now.matcher == Matcher::Disabled);
    match disabled {
        Some(disabled) => Some(Change::Disable { note: disabled.note.clone().unwrap_or_default() }),
        None if !assertion.supported => Some(disable(handled)),
        None => Some(Change::Relax(changed)),
    }
}

/// The comment for an assertion that has no weaker form in its framework.
fn disable(handled: &Handled) -> Change {
    let note = handled.moving.first().map(|moving| {
        let field = match &moving.place {
            Place::Body(pointer) if !pointer.is_empty() => pointer.clone(),
            other => other.to_string(),
        };
        format!("Flaky value of field {field}: {}", moving.observed.join(" vs. "))
    });
    Change::Disable { note: note.unwrap_or_default() }
}

/// The file's new text; what cannot be said in its framework becomes a comment instead.
fn rewritten(code: &TestCode, mut changes: Vec<(usize, Change)>, notes: &mut Vec<String>) -> Text {
    let unchanged = || Text { text: code.source.text().to_owned(), edits: Vec::new() };
    for _ in 0..=changes.len() {
        match code.source.rewrite(&changes) {
            Ok(rewritten) => return Text { text: rewritten.text, edits: rewritten.edits },
            Err(RewriteError::Unsupported { line, place, matcher }) => {
                let is_it = |index: usize| {
                    code.source.assertions().get(index).is_some_and(|found| found.line == line)
                };
                let Some((_, change)) = changes
                    .iter_mut()
                    .find(|(index, change)| is_it(*index) && matches!(change, Change::Relax(_)))
                else {
                    break;
                };
                let seen = match &change {
                    Change::Relax(now) => now.iter().find_map(|now| now.note.clone()).unwrap_or_default(),
                    Change::Disable { note } => note.clone(),
                };
                *change = Change::Disable {
                    note: format!("Flaky value of field {place} (no {matcher} here): {seen}"),
                };
            }
            Err(error) => {
                notes.push(format!("{}: {error}; the file is left alone", code.path.display()));
                return unchanged();
            }
        }
    }
    unchanged()
}

fn finding(answer: &Answer, moving: &steady_flaky::relax::Moving) -> Flaky {
    let operation = answer.request.parse().unwrap_or_else(|_| OperationId::new(Method::Get, "/".to_owned()));
    Flaky {
        operation,
        status: answer.response.status,
        place: moving.place.clone(),
        category: steady_flaky::relax::category_name(moving.category).to_owned(),
        evidence: moving.evidence.clone(),
        observed: moving.observed.clone(),
        handling: moving.handling.to_string(),
        matcher: moving.matcher.clone(),
        note: moving.handling.note().map(str::to_owned),
        tests: Vec::new(),
    }
}

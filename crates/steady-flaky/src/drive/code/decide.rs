//! Which assertions do not hold every time, and what they become.

use std::collections::{BTreeMap, BTreeSet};

use crate::Observation;
use crate::relax::{Handled, Moving, Policy, Subject, handle};
use indexmap::IndexMap;
use serde_json::Value;
use steady_assertions::{Change, RewriteError, SourceAssertion};
use steady_edit::Edit;
use steady_model::rerun::TestId;
use steady_model::{
    Assertion, Call, Document, Flaky, Handling, Matcher, Method, OperationId, Place, RequestTemplate,
    Text as Template,
};
use steady_suite::check;

use super::code_tests::{Answer, CodeTests};
use super::earlier::relate;
use super::note::{note, note_of_values};
use super::project::TestCode;

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
    /// Assertions that are about something else than what was recorded: the index of their file, their line and why.
    pub unclear: BTreeMap<(usize, usize), &'static str>,
    /// Tests with an assertion that changes.
    pub changed: BTreeSet<TestId>,
    pub notes: Vec<String>,
}

/// Holds every assertion against what was recorded.
pub(super) fn decide(runs: &CodeTests<'_>, policy: Policy) -> Decided {
    let mut flaky: IndexMap<(String, u16, Place), Flaky> = IndexMap::new();
    let mut texts = Vec::new();
    let mut notes = Vec::new();
    let mut tests = BTreeSet::new();
    let mut unclear = BTreeMap::new();
    for (file, code) in runs.project.code.iter().enumerate() {
        let (mut changes, mut seen) = (Vec::new(), BTreeMap::new());
        for (index, assertion) in code.source.assertions().iter().enumerate() {
            let answers = answers(runs, code, assertion);
            let Some(first) = answers.first() else {
                unclear.insert((file, assertion.line), "no request was seen where its value is made");
                continue;
            };
            if !is_understood(assertion, &answers) {
                unclear.insert((file, assertion.line), "its value is not what the response has there");
                continue;
            }
            if holds_in_any_order(assertion, &answers) {
                continue;
            }
            let mut handled = handled(assertion, &answers, runs, policy);
            relate(&mut handled, assertion, &answers, |held| {
                runs.seen(code.source.file_of(&held.call), held.call.first_line, held.call.last_line)
            });
            let change = change(assertion, &handled);
            for moving in handled.moving.iter().filter(|moving| is_reported(moving, change.as_ref())) {
                let key = (first.request.clone(), first.observation.response.status, moving.place.clone());
                let test = first.test.as_ref().map_or(assertion.test.as_str(), |test| test.as_str());
                let entry = flaky.entry(key).or_insert_with(|| finding(first, moving));
                // What one assertion only suspects, another may have seen.
                if entry.is_inferred() && !moving.is_inferred() {
                    *entry = Flaky { tests: std::mem::take(&mut entry.tests), ..finding(first, moving) };
                }
                if !entry.tests.iter().any(|known| known == test) {
                    entry.tests.push(test.to_owned());
                }
            }
            if let Some(change) = change {
                tests.extend(tests_of(assertion, &answers));
                seen.insert(index, handled.moving.first().map(note_of_values).unwrap_or_default());
                changes.push((index, change));
            }
        }
        texts.push(rewritten(code, changes, &seen, &mut notes));
    }
    Decided { texts, flaky: flaky.into_values().collect(), unclear, changed: tests, notes }
}

/// What the requests that an assertion is about got, in all runs.
fn answers<'r>(runs: &'r CodeTests<'_>, code: &TestCode, assertion: &SourceAssertion) -> Vec<&'r Answer> {
    let calls = std::iter::once(&assertion.call).chain(&assertion.also);
    calls.flat_map(|call| runs.seen(code.source.file_of(call), call.first_line, call.last_line)).collect()
}

/// The tests that run an assertion. Requests that are made before every test are other tests' as well.
fn tests_of(assertion: &SourceAssertion, answers: &[&Answer]) -> BTreeSet<TestId> {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let name = letters(&assertion.test);
    let plain = |test: &TestId| letters(test.as_str().split('[').next().unwrap_or_default());
    let all: BTreeSet<TestId> = answers.iter().filter_map(|answer| answer.test.clone()).collect();
    let own: BTreeSet<TestId> = all.iter().filter(|test| plain(test).ends_with(&name)).cloned().collect();
    if own.is_empty() || !assertion.also.is_empty() { all } else { own }
}

/// Whether a place that varies is news: an assertion that already allows for it stays, and holds.
fn is_reported(moving: &Moving, change: Option<&Change>) -> bool {
    match change {
        Some(Change::Relax(now)) => now.iter().any(|now| now.place == moving.place),
        Some(Change::Disable { .. }) => true,
        None => moving.handling == Handling::Kept,
    }
}

/// Whether an assertion holds of what was recorded whenever its test passed: if not, it speaks of something else. So does one about
/// the result of a function elsewhere when the body has no such place.
fn is_understood(assertion: &SourceAssertion, answers: &[&Answer]) -> bool {
    let is_there =
        |answer: &Answer| assertion.places.iter().all(|place| answer.observation.at(&place.place).is_some());
    if assertion.assumed && !answers.iter().all(|answer| is_there(answer)) {
        return false;
    }
    // What runs before every test is answered in tests, too, that do not make this assertion.
    let own = tests_of(assertion, answers);
    let is_own = |answer: &Answer| answer.test.as_ref().is_none_or(|test| own.contains(test));
    let approved = answers.iter().filter(|answer| answer.approved && is_own(answer));
    approved.into_iter().all(|answer| holds(&assertion.places, answer))
}

fn holds(places: &[Assertion], answer: &Answer) -> bool {
    let Observation { response, variables, .. } = &answer.observation;
    let document = answer.observation.document();
    places.iter().all(|place| check(place, response, document, variables).is_ok())
}

/// Whether what an assertion says of an item of a list is true of all the items, every time: that the list has no order is then
/// nothing to it.
fn holds_in_any_order(assertion: &SourceAssertion, answers: &[&Answer]) -> bool {
    let mut is_of_an_item = false;
    let holds_of_all = answers.iter().all(|answer| {
        let Document::Json(body) = answer.observation.document() else { return false };
        let of_all: Vec<Assertion> = assertion
            .places
            .iter()
            .flat_map(|place| {
                let places = in_any_order(&place.place, body);
                is_of_an_item |= places.len() > 1;
                places.into_iter().map(|other| Assertion { place: other, ..place.clone() })
            })
            .collect();
        holds(&of_all, answer)
    });
    is_of_an_item && holds_of_all
}

/// A place of the body, and the same place of every other item of the lists it lies in.
fn in_any_order(place: &Place, body: &Value) -> Vec<Place> {
    let Place::Body(pointer) = place else { return vec![place.clone()] };
    let mut places = vec![String::new()];
    for step in pointer.split('/').skip(1) {
        let next = |outer: String| match body.pointer(&outer) {
            Some(Value::Array(items)) => (0..items.len()).map(|index| format!("{outer}/{index}")).collect(),
            _ => vec![format!("{outer}/{step}")],
        };
        places = places.into_iter().flat_map(next).collect();
    }
    places.into_iter().map(Place::Body).collect()
}

fn handled(
    assertion: &SourceAssertion,
    answers: &[&Answer],
    runs: &CodeTests<'_>,
    policy: Policy,
) -> Handled {
    let seen: Vec<&Observation> = answers.iter().map(|answer| &answer.observation).collect();
    let call = call();
    let subject = Subject {
        call: &call,
        seen: &seen,
        schema: None,
        now: runs.now,
        own: &runs.own,
        borrowed: false,
        fresh: &[],
    };
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
    let note = |place: &Place| handled.moving.iter().find(|moving| moving.place == *place).map(note);
    let changed = handled.expect.iter().filter(|now| !assertion.places.contains(now));
    let changed: Vec<Assertion> = changed
        .map(|now| Assertion { note: now.note.as_ref().and_then(|_| note(&now.place)), ..now.clone() })
        .collect();
    let disabled = changed.iter().find(|now| now.matcher == Matcher::Disabled);
    if disabled.is_some() || !assertion.supported {
        let place = disabled.map(|now| &now.place);
        let moving = handled.moving.iter().find(|moving| place.is_none_or(|place| moving.place == *place));
        return Some(Change::Disable {
            note: moving.or(handled.moving.first()).map(note_of_values).unwrap_or_default(),
        });
    }
    Some(Change::Relax(changed))
}

/// The file's new text; what cannot be said in its framework becomes a comment instead.
fn rewritten(
    code: &TestCode,
    mut changes: Vec<(usize, Change)>,
    seen: &BTreeMap<usize, String>,
    notes: &mut Vec<String>,
) -> Text {
    let unchanged = || Text { text: code.source.text().to_owned(), edits: Vec::new() };
    for _ in 0..=changes.len() {
        match code.source.rewrite(&changes) {
            Ok(rewritten) => return Text { text: rewritten.text, edits: rewritten.edits },
            Err(RewriteError::Unsupported { line, .. }) => {
                let is_it = |index: usize| {
                    code.source.assertions().get(index).is_some_and(|found| found.line == line)
                };
                let Some((index, change)) = changes
                    .iter_mut()
                    .find(|(index, change)| is_it(*index) && matches!(change, Change::Relax(_)))
                else {
                    break;
                };
                *change = Change::Disable { note: seen.get(index).cloned().unwrap_or_default() };
            }
            Err(error) => {
                notes.push(format!("{}: {error}; the file is left alone", code.path.display()));
                return unchanged();
            }
        }
    }
    unchanged()
}

fn finding(answer: &Answer, moving: &Moving) -> Flaky {
    let operation = answer.request.parse().unwrap_or_else(|_| OperationId::new(Method::Get, "/".to_owned()));
    moving.finding(operation, answer.observation.response.status)
}

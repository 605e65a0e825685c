//! Secrets that a call of the test itself issues: later calls speak of them by a variable.

use serde_json::Value;
use steady_model::{
    Assertion, Boundary, Call, Capture, Matcher, Place, Replacement, Secrets, Segment, Substitution, Take,
    TestCase, words,
};

/// Captures what later calls mention of the secrets that a call's answer is made of.
pub(super) fn capture_issued(test: &mut TestCase, secrets: &Secrets) {
    for index in 0..test.calls.len() {
        let expect = test.calls[index].expect.clone();
        for assertion in &expect {
            let Some(secret) = issued(assertion, secrets) else { continue };
            let replacement = |name: String| Replacement {
                literal: secret.to_owned(),
                segment: Segment::Variable { var: name },
                boundary: Boundary::Anywhere,
            };
            let name = known_name(&test.calls[index], &assertion.place);
            let name = name.unwrap_or_else(|| new_name(test, &assertion.place));
            let substitution = Substitution::new([replacement(name.clone())]);
            let (before, after) = test.calls.split_at_mut(index + 1);
            let later = || after.iter().chain(&test.cleanup);
            if !later().any(|call| mentions(call, &substitution)) {
                continue;
            }
            for call in after.iter_mut().chain(&mut test.cleanup) {
                substitution.request(&mut call.request);
                substitution.expectations(&mut call.expect);
            }
            if let Some(call) = before.last_mut()
                && !call.captures.iter().any(|capture| capture.name == name)
            {
                call.captures.push(Capture { name, from: assertion.place.clone(), take: Take::Whole });
            }
        }
    }
}

/// The secret that an assertion expects to be all there is at its place.
fn issued<'a>(assertion: &'a Assertion, secrets: &Secrets) -> Option<&'a str> {
    let Matcher::Equals(Value::String(text)) = &assertion.matcher else { return None };
    let found = secrets.find(text);
    found.iter().any(|found| found.plain && found.range == (0..text.len())).then_some(text)
}

fn mentions(call: &Call, substitution: &Substitution) -> bool {
    let (mut request, mut expect) = (call.request.clone(), call.expect.clone());
    substitution.request(&mut request);
    substitution.expectations(&mut expect);
    request != call.request || expect != call.expect
}

/// The variable that a call takes from this very place already.
fn known_name(call: &Call, place: &Place) -> Option<String> {
    let mut captures = call.captures.iter().filter(|capture| capture.take == Take::Whole);
    captures.find(|capture| capture.from == *place).map(|capture| capture.name.clone())
}

fn new_name(test: &TestCase, place: &Place) -> String {
    let name = match place {
        Place::Status => "",
        Place::Header(name) => name,
        Place::Body(pointer) => {
            let named = |token: &&str| !token.bytes().all(|byte| byte.is_ascii_digit());
            pointer.rsplit('/').find(named).unwrap_or_default()
        }
    };
    let words: Vec<String> = words(name)
        .into_iter()
        .filter(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .collect();
    let stem = if words.is_empty() { "secret".to_owned() } else { words.join("_") };
    let captured = test.calls.iter().chain(&test.cleanup).flat_map(|call| &call.captures);
    let taken: Vec<&str> = test
        .fresh
        .iter()
        .map(|fresh| fresh.name.as_str())
        .chain(captured.map(|one| one.name.as_str()))
        .collect();
    let mut name = stem.clone();
    let mut number = 2;
    while taken.contains(&name.as_str()) {
        name = format!("{stem}_{number}");
        number += 1;
    }
    name
}

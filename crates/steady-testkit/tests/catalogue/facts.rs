//! What is true of an answer whenever it is given: exact where nothing varies, a form or a relation where something does.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use steady_model::Place;
use steady_model::rerun::Category;
use steady_testkit::catalogue::{Api, Label, Mover};

use crate::client::Response;
use crate::labels::walk;

/// Tokens this long are recognised by their length, shorter ones are not recognised.
const TOKEN: usize = 16;
/// Seconds since 1970 are fewer than this for the next thousand years, milliseconds are more since 1973.
const SECONDS: f64 = 1e11;
/// A number is drawn from a range that ends below this, or from one that hardly ever comes so low.
const DRAWN: f64 = 1e3;

/// The facts about an answer to an operation.
pub fn facts(api: &Api, operation: &str, response: &Response) -> BTreeSet<String> {
    let mut facts = BTreeSet::from([format!("status {}", response.status)]);
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    let mut note = |place: Place, value: &Value| {
        facts.insert(format!("{place} is {}", kind(value)));
        match label(api, operation, response.status, &place) {
            None if value.is_object() || value.is_array() => {}
            None => drop(facts.insert(format!("{place} = {value}"))),
            Some(label) => {
                match value {
                    // The position of an item in a shuffled list is meaningless.
                    _ if label.category == Category::Unord => {}
                    Value::Number(number) => numbers.push((place.clone(), number.as_f64().unwrap())),
                    Value::String(text) => texts.push((place.clone(), text.clone())),
                    _ => {}
                }
                facts.extend(form(label, value).into_iter().map(|fact| format!("{place} {fact}")));
            }
        }
    };
    walk(&response.body, &mut String::new(), &mut note);
    for (name, value) in
        response.headers.iter().filter(|(name, _)| name.starts_with("x-") || name == "location")
    {
        note(Place::Header(name.clone()), &Value::from(value.as_str()));
    }
    for (one, first) in &numbers {
        facts.extend(numbers.iter().map(|(other, second)| format!("{one} - {other} = {}", first - second)));
    }
    for (one, text) in &texts {
        let inside = texts.iter().filter(|(_, part)| part.len() >= TOKEN && text.contains(part));
        facts.extend(inside.map(|(other, _)| format!("{one} contains {other}")));
    }
    facts
}

/// The label of a place, unless the same calls give the same value there in every process.
fn label<'a>(api: &'a Api, operation: &str, status: u16, place: &Place) -> Option<&'a Label> {
    let fixed = [Mover::State, Mover::Locale, Mover::Temp, Mover::Folder, Mover::HashSeed, Mover::Machine];
    api.flaky().iter().find(|label| {
        let inside = label.category == Category::Unord
            && matches!((&label.place, place), (Place::Body(list), Place::Body(inner)) if inner.starts_with(list));
        label.operation == operation
            && label.status == status
            && (label.place == *place || inside)
            && !fixed.contains(&label.mover)
    })
}

/// What holds of a value that varies.
fn form(label: &Label, value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) if label.category == Category::Unord => {
            let mut items: Vec<String> = items.iter().map(Value::to_string).collect();
            items.sort_unstable();
            vec![format!("has {items:?}")]
        }
        Value::Number(number) if label.mover != Mover::Restart => {
            let limit = if label.category == Category::Rand { DRAWN } else { SECONDS };
            (number.as_f64().unwrap() < limit).then(|| format!("is below {limit}")).into_iter().collect()
        }
        Value::String(text) => match claims(text) {
            Some(claims) => claims,
            None if label.mover == Mover::Call && !text.contains(' ') => {
                (text.len() >= TOKEN).then(|| format!("is {} long", text.len())).into_iter().collect()
            }
            None if label.mover == Mover::Zone => Vec::new(),
            None => words(text).chain([format!("has the form {}", outline(text))]).collect(),
        },
        _ => Vec::new(),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The claims of a JSON web token that are not times.
fn claims(text: &str) -> Option<Vec<String>> {
    let [_, payload, _] = text.split('.').collect::<Vec<_>>()[..] else { return None };
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    let fixed = claims.as_object()?.iter().filter(|(_, value)| value.is_string());
    Some(fixed.map(|(name, value)| format!("claims {name} = {value}")).collect())
}

/// Words of letters alone.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let word = |run: &&str| run.len() >= 3 && run.chars().all(char::is_alphabetic);
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(word)
        .map(|word| format!("has the word {word}"))
}

/// Letters and digits as `w`, everything else as it is.
fn outline(text: &str) -> String {
    let mut outline = String::new();
    for letter in text.chars() {
        if !letter.is_alphanumeric() {
            outline.push(letter);
        } else if !outline.ends_with('w') {
            outline.push('w');
        }
    }
    outline
}

//! What other places of the same response make a value.

use serde_json::Value;
use steady_model::{Document, Matcher, Place, Relation};
use steady_suite::relation_holds;

use super::site::Site;
use crate::infer::Family;

/// Places looked at for a relation.
const MAX_PLACES: usize = 200;
/// Numbers beside one whose sums are tried.
const MAX_TERMS: usize = 12;
/// Different values after which a relation is no coincidence.
const ENOUGH: usize = 3;
/// Numbers as large as this hardly agree by coincidence.
const LARGE: f64 = 100.0;
/// Text as long as this hardly agrees by coincidence.
const LONG: usize = 6;

pub(super) fn form(site: &Site<'_>, _: &[Family]) -> Option<Vec<Matcher>> {
    let values = site.all()?;
    let is_distinctive = |value: &&Value| match value {
        Value::String(text) => text.len() >= LONG,
        other => other.as_f64().is_some_and(|number| number.abs() >= LARGE),
    };
    if site.distinct() < 2 || (site.distinct() < ENOUGH && !values.iter().all(is_distinctive)) {
        return None;
    }
    let mut candidates = same(site);
    if values.iter().all(|value| value.is_number()) {
        candidates.extend(counts(site));
        candidates.extend(sums(site));
    }
    let holds = |relation: &Relation| {
        let seen = site.subject.seen.iter().zip(&values);
        seen.into_iter().all(|(seen, value)| relation_holds(relation, value, |place| seen.at(place)))
    };
    candidates.into_iter().find(holds).map(|relation| vec![Matcher::Relation(relation)])
}

/// Leaves that come before: of two places that are always equal, the first is described by itself.
fn same(site: &Site<'_>) -> Vec<Relation> {
    let Place::Body(own) = site.place else { return Vec::new() };
    let sample = site.sample();
    let before = leaves(site).into_iter().take_while(|(pointer, _)| pointer != own);
    before
        .filter(|(_, value)| Some(*value) == sample)
        .map(|(pointer, _)| Relation::Same(Place::Body(pointer)))
        .collect()
}

fn counts(site: &Site<'_>) -> Vec<Relation> {
    let mut lists = Vec::new();
    if let Some(body) = body(site) {
        walk(body, &mut String::new(), &mut |pointer, value| {
            if value.is_array() {
                lists.push(Relation::Count(Place::Body(pointer.to_owned())));
            }
        });
    }
    lists
}

/// Sums and products of two or three numbers of the same object.
fn sums(site: &Site<'_>) -> Vec<Relation> {
    let Place::Body(own) = site.place else { return Vec::new() };
    let Some((parent, _)) = own.rsplit_once('/') else { return Vec::new() };
    let is_beside = |pointer: &str| pointer.rsplit_once('/').is_some_and(|(other, _)| other == parent);
    let terms: Vec<Place> = leaves(site)
        .into_iter()
        .filter(|(pointer, value)| pointer != own && is_beside(pointer) && value.is_number())
        .map(|(pointer, _)| Place::Body(pointer))
        .take(MAX_TERMS)
        .collect();
    // Adding nothing and taking once make no relation, where it is so every time.
    let is_ever = |place: &Place, is: fn(f64) -> bool| {
        site.subject.seen.iter().filter_map(|seen| seen.at(place)?.as_f64()).any(is)
    };
    let adds = |term: &&Place| is_ever(term, |number| number != 0.0);
    let multiplies = |term: &&Place| is_ever(term, |number| number != 0.0 && number != 1.0);
    let mut relations: Vec<Relation> =
        pairs(&terms.iter().filter(adds).collect::<Vec<_>>()).into_iter().map(Relation::Sum).collect();
    relations.extend(
        pairs(&terms.iter().filter(multiplies).collect::<Vec<_>>()).into_iter().map(Relation::Product),
    );
    relations.extend(triples(&terms.iter().filter(adds).collect::<Vec<_>>()).into_iter().map(Relation::Sum));
    relations
}

fn pairs(terms: &[&Place]) -> Vec<Vec<Place>> {
    let mut found = Vec::new();
    for (index, one) in terms.iter().enumerate() {
        for other in &terms[index + 1..] {
            found.push(vec![(*one).clone(), (*other).clone()]);
        }
    }
    found
}

fn triples(terms: &[&Place]) -> Vec<Vec<Place>> {
    let mut found = Vec::new();
    for (index, one) in terms.iter().enumerate() {
        for mut pair in pairs(&terms[index + 1..]) {
            pair.insert(0, (*one).clone());
            found.push(pair);
        }
    }
    found
}

fn body<'a>(site: &Site<'a>) -> Option<&'a Value> {
    match site.subject.seen.first()?.document() {
        Document::Json(value) => Some(value),
        _ => None,
    }
}

/// The leaves of the first response, in its order.
fn leaves<'a>(site: &Site<'a>) -> Vec<(String, &'a Value)> {
    let mut found = Vec::new();
    if let Some(body) = body(site) {
        walk(body, &mut String::new(), &mut |pointer, value| {
            if !value.is_array() && !value.is_object() && found.len() < MAX_PLACES {
                found.push((pointer.to_owned(), value));
            }
        });
    }
    found
}

/// Visits a value and all that is in it, each with its pointer.
pub(super) fn walk<'a>(value: &'a Value, pointer: &mut String, visit: &mut impl FnMut(&str, &'a Value)) {
    visit(pointer, value);
    let length = pointer.len();
    let mut step = |name: &str, inner: &'a Value| {
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        walk(inner, pointer, visit);
        pointer.truncate(length);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, inner)| step(name, inner)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| step(&index.to_string(), item));
        }
        _ => {}
    }
}

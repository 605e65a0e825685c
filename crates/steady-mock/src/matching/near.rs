//! The stubs that came closest to a request that none matched.

use std::sync::Arc;

use super::Received;
use super::fields::{Field, compare};
use crate::mapping::RequestPattern;
use crate::stub::Stub;

/// A stub that did not match, and how far it was from doing so.
#[derive(Debug, Clone)]
pub struct NearMiss {
    /// The stub.
    pub stub: Arc<Stub>,
    /// Everything it asks for.
    pub fields: Vec<Field>,
    /// How far it is: 0 is a match, 1 is nothing alike.
    pub distance: f64,
}

/// How many stubs are compared with a request; the newest of them.
const COMPARED: usize = 500;
/// Stubs that are further away are of no help.
const FAR: f64 = 0.6;

/// The closest stubs, the nearest first.
pub fn near_misses<'s>(
    stubs: impl Iterator<Item = &'s Arc<Stub>>,
    received: &Received,
    limit: usize,
) -> Vec<NearMiss> {
    let mut misses: Vec<NearMiss> = stubs
        .take(COMPARED)
        .map(|stub| {
            let fields = compare(&stub.mapping.request, received);
            let distance = overall(&fields);
            NearMiss { stub: Arc::clone(stub), fields, distance }
        })
        .filter(|miss| miss.distance < FAR)
        .collect();
    misses.sort_by(|one, other| one.distance.total_cmp(&other.distance));
    misses.truncate(limit);
    misses
}

/// What a person reads when no stub matched.
pub fn explain(received: &Received, nearest: Option<&NearMiss>) -> String {
    let mut text = String::from("Request was not matched\n=======================\n\n");
    let Some(miss) = nearest else {
        text.push_str(&format!("{} {}\n\nNo stub is close to it.\n", received.method, received.url()));
        return text;
    };
    let name = miss.stub.mapping.name.as_deref().map_or_else(|| miss.stub.id.to_string(), str::to_owned);
    text.push_str(&format!("Closest stub: {name}\n\n"));
    let rows = miss.fields.iter().map(|field| {
        let actual = field.actual.as_deref().unwrap_or("(missing)");
        (field, actual)
    });
    let rows: Vec<_> = rows.collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0).clamp(8, 58);
    let names = width(&mut rows.iter().map(|(field, _)| field.name.chars().count()));
    let expected = width(&mut rows.iter().map(|(field, _)| field.expected.chars().count()));
    text.push_str(&format!("  {:names$} | {:expected$} | request\n", "", "stub"));
    for (field, actual) in rows {
        let mark = if field.matches { "" } else { "   <<<<< does not match" };
        text.push_str(&format!("  {:names$} | {:expected$} | {actual}{mark}\n", field.name, field.expected));
    }
    if miss.fields.iter().all(|field| field.matches) {
        text.push_str("\nEverything matches but the scenario, which is in another state.\n");
    }
    text
}

/// The requests closest to a pattern, with how far each is from it; the nearest first.
pub fn closest_requests(
    pattern: &RequestPattern,
    requests: impl Iterator<Item = Received>,
    limit: usize,
) -> Vec<(Received, f64)> {
    let mut closest: Vec<(Received, f64)> = requests
        .map(|received| {
            let distance = overall(&compare(pattern, &received));
            (received, distance)
        })
        .collect();
    closest.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    closest.truncate(limit);
    closest
}

/// The distances of all fields, weighed.
fn overall(fields: &[Field]) -> f64 {
    let weight: f64 = fields.iter().map(|field| field.weight).sum();
    let sum: f64 = fields.iter().map(|field| field.distance * field.weight).sum();
    if weight > 0.0 { sum / weight } else { 0.0 }
}

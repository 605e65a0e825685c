//! Walks several documents side by side.

use serde_json::Value;
use steady_model::Place;

use super::tree::Tree;
use super::variation::{Kind, Variation};

/// Differences reported of one body; beyond, the rest is not looked at.
const MAX_VARIATIONS: usize = 1_000;

/// The differences found so far, and where the walk is.
pub struct Differences {
    pub pointer: String,
    pub found: Vec<Variation>,
}

impl Differences {
    /// What differs between documents.
    pub fn between(trees: &[&Tree<'_>]) -> Vec<Variation> {
        let mut differences = Self { pointer: String::new(), found: Vec::new() };
        differences.walk(trees);
        differences.found
    }

    /// Compares the values at the walk's place.
    pub fn walk(&mut self, trees: &[&Tree<'_>]) {
        let [first, rest @ ..] = trees else { return };
        if self.found.len() >= MAX_VARIATIONS {
            return;
        }
        match first {
            Tree::Object(_) if rest.iter().all(|tree| matches!(tree, Tree::Object(_))) => self.objects(trees),
            Tree::Array(_) if rest.iter().all(|tree| matches!(tree, Tree::Array(_))) => self.arrays(trees),
            _ => self.scalars(first, rest, trees),
        }
    }

    /// Goes one step deeper, compares, and comes back.
    pub fn step(&mut self, token: &str, trees: &[&Tree<'_>]) {
        let length = self.pointer.len();
        self.pointer.push('/');
        push_escaped(&mut self.pointer, token);
        self.walk(trees);
        self.pointer.truncate(length);
    }

    /// Reports a difference at the walk's place.
    pub fn report(&mut self, kind: Kind, seen: impl IntoIterator<Item = Value>) {
        if self.found.len() < MAX_VARIATIONS {
            self.found.push(Variation::new(Place::Body(self.pointer.clone()), kind, seen));
        }
    }

    fn objects(&mut self, trees: &[&Tree<'_>]) {
        let members: Vec<_> = trees
            .iter()
            .filter_map(|tree| if let Tree::Object(members) = tree { Some(members.as_slice()) } else { None })
            .collect();
        let [first, rest @ ..] = members.as_slice() else { return };
        let mut values: Vec<&Tree<'_>> = Vec::with_capacity(trees.len());
        for (near, (name, value)) in first.iter().enumerate() {
            values.clear();
            values.push(value);
            values.extend(rest.iter().filter_map(|other| Tree::member(other, name, near)));
            if values.len() == members.len() {
                // Most members are equal leaves; they need no pointer.
                if !values.iter().skip(1).all(|other| same_leaf(value, other)) {
                    self.step(name, &values);
                }
            } else {
                self.presence(name, &values);
            }
        }
        // Members the first response lacks, each reported once.
        for (index, other) in rest.iter().enumerate() {
            for (near, (name, value)) in other.iter().enumerate() {
                let known = std::iter::once(first).chain(&rest[..index]);
                if known.clone().all(|earlier| Tree::member(earlier, name, near).is_none()) {
                    self.presence(name, &[value]);
                }
            }
        }
    }

    fn presence(&mut self, name: &str, values: &[&Tree<'_>]) {
        let length = self.pointer.len();
        self.pointer.push('/');
        push_escaped(&mut self.pointer, name);
        self.report(Kind::Presence, values.iter().map(|value| value.quoted()));
        self.pointer.truncate(length);
    }

    fn scalars(&mut self, first: &Tree<'_>, rest: &[&Tree<'_>], trees: &[&Tree<'_>]) {
        if rest.iter().all(|other| first.same(other)) {
            return;
        }
        let kind = if rest.iter().all(|other| std::mem::discriminant(first) == std::mem::discriminant(*other))
        {
            Kind::Value
        } else {
            Kind::Type
        };
        let texts: Option<Vec<&str>> = trees
            .iter()
            .map(|tree| if let Tree::Text(text) = tree { Some(text.as_ref()) } else { None })
            .collect();
        let seen = trees.iter().map(|tree| tree.quoted());
        let place = Place::Body(self.pointer.clone());
        self.found.push(match texts {
            Some(texts) => Variation::text(place, &texts, seen),
            None => Variation::new(place, kind, seen),
        });
    }
}

/// Whether two values are leaves and equal.
fn same_leaf(one: &Tree<'_>, other: &Tree<'_>) -> bool {
    !matches!(one, Tree::Array(_) | Tree::Object(_)) && one.same(other)
}

/// Appends a reference token (RFC 6901 section 3).
fn push_escaped(pointer: &mut String, token: &str) {
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

//! What must not be written down: the credentials a run was given, and what the API issued.
//!
//! A run has one [`Secrets`]. Whoever sends requests tells it what was sent and what came back; whoever writes for people or
//! files asks it first. Names, shapes and places say what is a secret ([`detect`]); from then on its value is one, wherever it
//! stands and however it is encoded ([`find`]). A value of fewer than eight characters, or one that the API's document holds,
//! is one only where it was found.

mod address;
mod detect;
mod find;
mod names;
mod parts;
mod report;
mod runs;
mod shape;
#[cfg(test)]
mod tests;
mod values;
mod views;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use serde_json::Value;

pub use find::Found;
pub use names::is_credential_header;
pub use values::Origin;

use crate::{
    Boundary, Encoding, Place, Replacement, Request, Response, Secret, Segment, Substitution, percent,
};
use detect::{in_header, in_request, in_response, in_value, item, member};
use find::Finder;
use names::Naming;
use parts::parts;
use values::{Entry, LEAST, Values};

/// What stands in place of a secret that no environment variable holds.
pub const MASK: &str = "***";
/// Values sent under the names of secrets that are remembered.
const MOST_OWN: usize = 1 << 20;

/// The secrets of a run; clones share what they know.
#[derive(Clone, Default)]
pub struct Secrets(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// By the environment variable that holds it.
    given: BTreeMap<String, Secret>,
    values: Values,
    /// Texts of the API's document.
    documented: IndexSet<String>,
    /// Those that are choices of a closed list, and so never secret.
    choices: IndexSet<String>,
    /// Digests of values that the run itself made up.
    own: IndexSet<u64>,
    digest: RandomState,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(&self.known().given).finish()
    }
}

impl Secrets {
    /// Secrets that were given, by the environment variables that hold them.
    pub fn new(given: impl IntoIterator<Item = (String, Secret)>) -> Self {
        let secrets = Self::default();
        for (name, secret) in given {
            secrets.give(name, secret);
        }
        secrets
    }

    /// Adds a credential that was given; the parts of it that are credentials themselves are known from now on, too.
    pub fn give(&self, name: String, secret: Secret) {
        let mut known = self.known();
        for part in parts(secret.reveal()) {
            known.values.give(&part, Origin::Other);
        }
        known.values.give(secret.reveal(), Origin::Given(name.clone()));
        known.given.insert(name, secret);
    }

    /// Whether nothing is masked by its value.
    pub fn is_empty(&self) -> bool {
        self.known().values.is_empty()
    }

    /// A credential that was given, by its environment variable.
    pub fn get(&self, name: &str) -> Option<Secret> {
        self.known().given.get(name).cloned()
    }

    /// The credentials that were given.
    pub fn given(&self) -> Vec<Secret> {
        self.known().given.values().cloned().collect()
    }

    /// Texts of the API's document are public: they are secrets only at the places they are found at.
    pub fn document(&self, texts: impl IntoIterator<Item = String>) {
        self.known().documented.extend(texts);
    }

    /// Texts that the document lists as all there can be at a place: none of them is a secret anywhere.
    pub fn choices(&self, texts: impl IntoIterator<Item = String>) {
        self.known().choices.extend(texts);
    }

    /// What a login won: a header's value, or a parameter's.
    pub fn issue(&self, credential: &str) {
        let mut known = self.known();
        known.values.issue(credential);
        for part in parts(credential) {
            known.values.issue(&part);
        }
    }

    /// A request is about to be sent, and this is it without credentials: what it says under the name of a secret was made up,
    /// unless it is known to be one.
    pub fn sent(&self, request: &Request) {
        let known = &mut *self.known();
        let Known { values, own, digest, .. } = known;
        in_request(request, &mut |value| {
            if own.len() < MOST_OWN && !values.knows(value) {
                own.insert(digest.hash_one(value));
            }
        });
    }

    /// The answer to such a request: what it issues is a secret from now on.
    pub fn saw(&self, request: &Request, response: &Response) {
        let known = &mut *self.known();
        let Known { values, own, digest, .. } = known;
        in_response(response, &mut |value| {
            if !own.contains(&digest.hash_one(value)) && !says(request, value) {
                values.issue(value);
            }
        });
    }

    /// Each credential that was given, and the lookup that takes its place wherever a suite mentions it.
    pub fn lookups(&self) -> Substitution {
        let known = self.known();
        let counts = |value: &str| value.len() >= LEAST && !known.is_public(value);
        let given = known.given.iter().filter(|(_, secret)| counts(secret.reveal()));
        Substitution::new(given.flat_map(|(name, secret)| {
            Encoding::ALL.map(|encoded| Replacement {
                literal: encoded.apply(secret.reveal()),
                segment: Segment::environment(name).encoded(encoded),
                boundary: Boundary::Anywhere,
            })
        }))
    }

    /// The secrets in a text.
    pub fn find(&self, text: &str) -> Vec<Found> {
        let known = self.known();
        let accepts = |entry: &Entry| known.accepts(entry);
        Finder { values: &known.values, accepts, cut: false }.find(text)
    }

    /// The text without its secrets. Of a text that was cut, what is left of one is masked as well.
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let known = self.known();
        let accepts = |entry: &Entry| known.accepts(entry);
        let found = Finder { values: &known.values, accepts, cut: true }.find(text);
        replaced(text, &found)
    }

    /// The parts of a text at a place of a response that are secrets by that place. `status` is the response's.
    pub fn at_place(&self, place: &Place, text: &str, status: u16) -> Vec<Found> {
        let known = self.known();
        let is_public =
            |value: &str| known.choices.contains(value) || known.own.contains(&known.digest.hash_one(value));
        by_place(place, text, status)
            .into_iter()
            .filter(|found| !is_public(&text[found.range.clone()]))
            .collect()
    }

    /// A value at a place of a response, as it may be told.
    pub fn mask_at(&self, place: &Place, text: &str) -> String {
        let at_place = replaced(text, &self.at_place(place, text, 0)).into_owned();
        self.mask(&at_place).into_owned()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn accepts(&self, entry: &Entry) -> bool {
        !self.is_public(&entry.value)
    }

    /// Whether the document holds a value.
    fn is_public(&self, value: &str) -> bool {
        self.documented.contains(value) || self.choices.contains(value)
    }
}

/// A value at a place of a response without what is a secret by that place, whoever made it up.
pub fn mask_by_place<'t>(place: &Place, text: &'t str) -> Cow<'t, str> {
    replaced(text, &by_place(place, text, 0))
}

/// A text for people without the passwords and secret parameters of the addresses in it.
pub fn mask_address(text: &str) -> String {
    mask_by_place(&Place::Body(String::new()), text).into_owned()
}

fn by_place(place: &Place, text: &str, status: u16) -> Vec<Found> {
    let doubtful = status >= 400;
    let ranges = match place {
        Place::Status => Vec::new(),
        Place::Header(name) => in_header(name, text, doubtful),
        Place::Body(pointer) => in_value(naming_at(pointer), text, doubtful),
    };
    ranges.into_iter().map(|range| Found { range, origin: Origin::Other, plain: true }).collect()
}

/// What the place that a JSON pointer leads to is called.
fn naming_at(pointer: &str) -> Naming {
    pointer.split('/').skip(1).fold(Naming::Plain, |naming, segment| {
        if segment.bytes().all(|byte| byte.is_ascii_digit()) {
            item(naming)
        } else {
            member(naming, &segment.replace("~1", "/").replace("~0", "~"))
        }
    })
}

fn replaced<'t>(text: &'t str, found: &[Found]) -> Cow<'t, str> {
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for Found { range, origin, .. } in found {
        masked.push_str(&text[from..range.start]);
        match origin {
            Origin::Given(name) => masked.push_str(&format!("${{{name}}}")),
            Origin::Other => masked.push_str(MASK),
        }
        from = range.end;
    }
    masked.push_str(&text[from..]);
    Cow::Owned(masked)
}

/// Whether a request says a value itself, encoded or not.
fn says(request: &Request, value: &str) -> bool {
    let body = request.body.as_ref().map(crate::Payload::as_bytes).unwrap_or_default();
    let body = String::from_utf8_lossy(body);
    let quoted = Value::from(value).to_string();
    let escaped = &quoted[1..quoted.len() - 1];
    [value, escaped, &percent::encode_field(value)].iter().any(|value| body.contains(value))
        || request.target.contains(value)
        || percent::decode(&request.target).contains(value)
        || request.headers.iter().any(|(_, header)| header.contains(value))
}

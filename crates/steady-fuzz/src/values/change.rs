//! One change to a value, and which of many to make.

use serde_json::Value;

use super::allowance::{MAX_PARTS, parts};
use crate::random::Random;

/// Parts of values that may be copied and looked at to find one change.
const MAX_WORK: usize = 200_000;
/// The changes that are tried in any case.
const LEAST_TRIES: usize = 10;

/// A place and what is different there.
#[derive(Debug, Clone, PartialEq)]
pub struct Alteration {
    /// Where in the value, by JSON pointer.
    pub pointer: String,
    /// What is different, in a few words: `wrong type`, `at its maximum`.
    pub what: &'static str,
}

/// A change that can be made.
#[derive(Debug, Clone)]
pub struct Change {
    alteration: Alteration,
    replacement: Replacement,
}

/// What stands at the place afterwards.
#[derive(Debug, Clone)]
enum Replacement {
    /// This value.
    Value(Value),
    /// A text of this length; written only if the change is made, for most are not.
    Text(usize),
    /// Nothing.
    Nothing,
}

impl Change {
    /// Puts another value at a place.
    pub fn replace(pointer: &str, what: &'static str, with: Value) -> Self {
        Self::at(pointer, what, Replacement::Value(with))
    }

    /// Puts a text of this many characters at a place.
    pub fn text(pointer: &str, what: &'static str, length: usize) -> Self {
        Self::at(pointer, what, Replacement::Text(length))
    }

    /// Puts a list of one item, so many times, at a place; `None` when that would be too large.
    pub fn repeat(pointer: &str, what: &'static str, item: &Value, times: usize) -> Option<Self> {
        let fits = parts(item).saturating_mul(times) < MAX_PARTS;
        fits.then(|| Self::replace(pointer, what, Value::Array(vec![item.clone(); times])))
    }

    /// Takes the value at a place away.
    pub fn remove(pointer: &str, what: &'static str) -> Self {
        Self::at(pointer, what, Replacement::Nothing)
    }

    fn at(pointer: &str, what: &'static str, replacement: Replacement) -> Self {
        Self { alteration: Alteration { pointer: pointer.to_owned(), what }, replacement }
    }

    /// What is different afterwards, and where.
    pub fn alteration(&self) -> &Alteration {
        &self.alteration
    }

    fn apply(&self, value: &Value) -> Option<Value> {
        let mut changed = value.clone();
        let pointer = &self.alteration.pointer;
        match &self.replacement {
            Replacement::Value(value) => *changed.pointer_mut(pointer)? = value.clone(),
            Replacement::Text(length) => *changed.pointer_mut(pointer)? = Value::String("a".repeat(*length)),
            Replacement::Nothing => take(&mut changed, pointer)?,
        }
        Some(changed)
    }
}

/// Makes one of the changes: of those whose result is `wanted`, one that was `tried` least often.
pub fn alter(
    value: &Value,
    changes: Vec<Change>,
    tried: &dyn Fn(&Alteration) -> u32,
    wanted: &dyn Fn(&Value) -> bool,
    random: &mut Random,
) -> Option<(Value, Alteration)> {
    let mut order: Vec<(u32, u64, Change)> =
        changes.into_iter().map(|change| (tried(&change.alteration), random.bits(), change)).collect();
    order.sort_by_key(|(times, draw, _)| (*times, *draw));
    // Every try copies the value and looks at all of it.
    let tries = (MAX_WORK / parts(value)).max(LEAST_TRIES);
    order.into_iter().take(tries).find_map(|(_, _, change)| {
        let changed = change.apply(value)?;
        wanted(&changed).then_some((changed, change.alteration))
    })
}

/// A property's name as a JSON pointer token (RFC 6901 section 3).
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Takes away what is at a place: a property goes, anything else becomes null. `None` when nothing is there.
pub fn take(value: &mut Value, pointer: &str) -> Option<()> {
    if let Some((parent, name)) = pointer.rsplit_once('/')
        && let Some(object) = value.pointer_mut(parent).and_then(Value::as_object_mut)
    {
        let name = name.replace("~1", "/").replace("~0", "~");
        return object.shift_remove(&name).map(|_| ());
    }
    value.pointer_mut(pointer).map(|place| *place = Value::Null)
}

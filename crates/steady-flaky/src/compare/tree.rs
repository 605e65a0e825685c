//! A JSON document that borrows its texts from the body it was read from.
//!
//! Much faster to build than `serde_json::Value`: no table per object, no copy per text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};
use xxhash_rust::xxh3::xxh3_64;

/// Whole numbers below this are exact as floats.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Members beyond which an object is searched by halves.
const MANY_MEMBERS: usize = 32;
/// Room made for an object's members before any is read.
const USUAL_MEMBERS: usize = 8;
/// Characters of a subtree that are worth quoting.
const MAX_QUOTED: usize = 400;

/// A value in a document.
#[derive(Debug, Clone)]
pub enum Tree<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    Array(Vec<Tree<'a>>),
    /// Members in the order written, many members by name.
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

impl<'a> Tree<'a> {
    /// Reads a JSON text.
    pub fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// An object; many members are sorted, to be found quickly.
    pub fn object(mut members: Vec<(Cow<'a, str>, Self)>) -> Self {
        if members.len() > MANY_MEMBERS {
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
        }
        Self::Object(members)
    }

    /// The member of this name; `near` is where it is most likely.
    pub fn member(members: &'a [(Cow<'a, str>, Self)], name: &str, near: usize) -> Option<&'a Self> {
        match members.get(near) {
            Some((key, value)) if key == name => Some(value),
            _ if members.len() > MANY_MEMBERS => {
                let index = members.binary_search_by(|(key, _)| key.as_ref().cmp(name)).ok()?;
                members.get(index).map(|(_, value)| value)
            }
            _ => members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value),
        }
    }

    /// Whether two values are equal; numbers by value, objects whatever their order.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(one), Self::Bool(two)) => one == two,
            (Self::Number(one), Self::Number(two)) => {
                one == two || one.as_f64() == two.as_f64() && either_float(one, two)
            }
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::Array(one), Self::Array(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.same(two))
            }
            (Self::Object(one), Self::Object(two)) => {
                one.len() == two.len()
                    && one.iter().enumerate().all(|(near, (name, value))| {
                        Tree::member(two, name, near).is_some_and(|other| value.same(other))
                    })
            }
            _ => false,
        }
    }

    /// A number that is the same for equal values, and for different ones but by the rarest chance.
    pub fn digest(&self) -> u64 {
        match self {
            Self::Null => 1,
            Self::Bool(value) => 2 + u64::from(*value),
            Self::Number(number) => {
                let key = number_key(number);
                mix(mix(4, key as u64), (key >> 64) as u64)
            }
            Self::Text(text) => xxh3_64(text.as_bytes()),
            Self::Array(items) => items.iter().fold(6, |sum, item| mix(sum, item.digest())),
            // A sum, because the order of members does not count.
            Self::Object(members) => members.iter().fold(7, |sum: u64, (name, value)| {
                sum.wrapping_add(mix(xxh3_64(name.as_bytes()), value.digest()))
            }),
        }
    }

    /// The value to quote: scalars as they are, the rest as short text.
    pub fn quoted(&self) -> Value {
        match self {
            Self::Array(_) | Self::Object(_) => {
                let mut text = String::new();
                self.write(&mut text);
                Value::String(text)
            }
            scalar => scalar.scalar(),
        }
    }

    fn scalar(&self) -> Value {
        match self {
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone().into_owned()),
            Self::Null | Self::Array(_) | Self::Object(_) => Value::Null,
        }
    }

    fn write(&self, text: &mut String) {
        if text.len() > MAX_QUOTED {
            return;
        }
        match self {
            Self::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(members) => {
                text.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    text.push_str(if index == 0 { "\"" } else { ",\"" });
                    text.push_str(name);
                    text.push_str("\":");
                    value.write(text);
                }
                text.push('}');
            }
            scalar => text.push_str(&scalar.scalar().to_string()),
        }
    }
}

/// Two numbers as one in which every bit of both counts (the finaliser of SplitMix64).
fn mix(one: u64, other: u64) -> u64 {
    let mut bits = one.rotate_left(29).wrapping_add(other).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A number's value as bits: whole numbers of any size exactly, `1.0` like `1`.
fn number_key(number: &Number) -> i128 {
    if let Some(whole) = number.as_i128() {
        return whole;
    }
    let float = number.as_f64().unwrap_or_default();
    if float.fract() == 0.0 && float.abs() < EXACT {
        float as i128
    } else {
        i128::from(float.to_bits()) << 64
    }
}

fn either_float(one: &Number, two: &Number) -> bool {
    one.is_f64() || two.is_f64()
}

impl<'de: 'a, 'a> Deserialize<'de> for Tree<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

/// A text, borrowed where it holds no escape.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl<'de> Visitor<'de> for NameVisitor {
            type Value = Name<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree<'de>, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree<'de>, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree<'de>, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree<'de>, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree<'de>, E> {
        Ok(Number::from_f64(value).map_or(Tree::Null, Tree::Number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Tree::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree<'de>, A::Error> {
        let mut members = Vec::with_capacity(USUAL_MEMBERS);
        while let Some(Name(name)) = access.next_key()? {
            members.push((name, access.next_value()?));
        }
        Ok(Tree::object(members))
    }
}

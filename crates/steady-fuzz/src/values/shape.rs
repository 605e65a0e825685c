//! What a schema's values look like, ready to draw from.

use std::rc::Rc;

use serde_json::Value;

use super::format::Format;
use super::pattern::Pattern;

/// The values of one schema.
#[derive(Debug, Clone)]
pub struct Shape {
    /// What kind of value.
    pub kind: Kind,
    /// Examples, defaults and constants the document offers.
    pub examples: Vec<Value>,
    /// Whether only responses carry it.
    pub read_only: bool,
}

/// The kinds of value.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Anything.
    Any,
    /// Only null.
    Null,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer(Numeric),
    /// A number.
    Number(Numeric),
    /// Text.
    String(StringShape),
    /// A list.
    Array {
        /// What each item is.
        items: Box<Shape>,
        /// Items with a shape of their own, at the front.
        prefix: Vec<Shape>,
        /// The fewest items.
        min: usize,
        /// The most items.
        max: Option<usize>,
        /// Whether no two items may be equal.
        unique: bool,
    },
    /// An object.
    Object {
        /// Its known properties.
        properties: Vec<Property>,
        /// What other properties hold; `None` when there may be none.
        additional: Option<Box<Shape>>,
        /// The fewest properties.
        min: usize,
    },
    /// One of these values.
    Enumeration(Vec<Value>),
    /// A value of one of these shapes.
    Union(Vec<Shape>),
    /// The shape of a named definition; how recursion is written.
    Reference(Rc<str>),
    /// Nothing satisfies it.
    Never,
}

/// A property of an object.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its values.
    pub shape: Shape,
    /// Whether it must be there.
    pub required: bool,
}

/// The limits of a number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Numeric {
    /// The least value.
    pub min: Option<f64>,
    /// The greatest value.
    pub max: Option<f64>,
    /// Whether `min` itself is excluded.
    pub exclusive_min: bool,
    /// Whether `max` itself is excluded.
    pub exclusive_max: bool,
    /// Whether the document states `min`, or it is only the type's.
    pub states_min: bool,
    /// Whether the document states `max`, or it is only the type's.
    pub states_max: bool,
    /// What every value is a multiple of.
    pub multiple_of: Option<f64>,
}

/// The limits of text.
#[derive(Debug, Clone, Default)]
pub struct StringShape {
    /// The fewest characters.
    pub min: usize,
    /// The most characters.
    pub max: Option<usize>,
    /// What the text stands for.
    pub format: Option<Format>,
    /// The expression it matches.
    pub pattern: Option<Rc<Pattern>>,
}

impl Shape {
    /// A shape without examples.
    pub fn of(kind: Kind) -> Self {
        Self { kind, examples: Vec::new(), read_only: false }
    }

    /// The values to cover one by one: enumerations and booleans.
    pub fn enumerable(&self) -> Option<Vec<Value>> {
        match &self.kind {
            Kind::Enumeration(values) if values.len() <= 20 => Some(values.clone()),
            Kind::Boolean => Some(vec![Value::Bool(true), Value::Bool(false)]),
            _ => None,
        }
    }
}

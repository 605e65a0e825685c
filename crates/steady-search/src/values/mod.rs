//! Values from schemas: typical, at the edges, and deliberately wrong.
//!
//! A schema is compiled once into a [`Shape`]; [`Generator`] draws values from it and [`violations`](invalid) spoils
//! them. Whether a value really is valid is for the schema's validator to say, not for this module.

mod compile;
mod flatten;
mod format;
mod generate;
pub mod invalid;
mod pattern;
mod shape;

pub use compile::Shapes;
pub use format::Format;
pub use generate::{Flavour, Generator};
pub use shape::{Kind, Shape, StringShape};

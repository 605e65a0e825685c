//! Values from schemas: typical, at the edges, and deliberately wrong.
//!
//! A schema is compiled once into a [`Shape`]; [`Generator`] draws values from it, [`edges`] puts
//! them at their limits and [`violations`] spoils them. Whether a value really is valid is for the schema's validator to say, not for this module.

mod change;
mod compile;
mod edges;
mod flatten;
mod format;
mod generate;
mod invalid;
mod pattern;
mod shape;

pub use change::{Alteration, alter, escape};
pub use compile::Shapes;
pub use edges::edges;
pub use format::Format;
pub use generate::{Flavour, Generator};
pub use invalid::violations;
pub use shape::{Kind, Shape, StringShape};

//! Values from schemas: typical, at the edges, and deliberately wrong.
//!
//! A schema is compiled once into a [`Shape`]; [`Generator`] draws values from it, [`edges`] puts
//! them at their limits, [`violations`] spoils them, and [`odd_parameters`], [`odd_queries`] and [`odd_bodies`] do not ask. Whether a value really is valid is for the schema's validator to say, not for this module.

mod allowance;
mod change;
mod compile;
mod edges;
mod flatten;
mod format;
mod generate;
mod invalid;
mod odd;
mod pattern;
mod shape;

pub use allowance::Excess;
pub use change::{Alteration, Change, alter, escape, take};
pub use compile::Shapes;
pub use edges::{PROMISED, edges};
pub use format::Format;
pub use generate::{Flavour, Generator};
pub use invalid::violations;
pub use odd::{odd_bodies, odd_parameters, odd_queries};
pub use shape::{Kind, Shape, StringShape};

//! Which stub answers a request, and which came closest when none does.
//!
//! A [`Received`] request is looked up in a [`StubIndex`], whose cost hardly depends on the number of stubs. [`near_misses`] compares
//! a request with stubs field by field.

mod fields;
mod index;
mod json;
mod near;
mod pattern;
mod received;
mod subject;
mod value;

pub use fields::Field;
pub use index::StubIndex;
pub use near::{NearMiss, closest_requests, explain, near_misses};
pub use pattern::matches;
pub use received::{Received, Scheme};

pub(crate) use pattern::path_variables;

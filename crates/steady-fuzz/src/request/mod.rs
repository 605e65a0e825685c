//! Requests from chosen values: parameter styles, bodies by media type.

mod arguments;
mod body;
mod parameter;
mod render;

pub use arguments::{Arguments, BodyArgument, RawBody, Slot};
pub use body::{BodyKind, body_kind};
pub use parameter::{header, scalar};
pub use render::render;

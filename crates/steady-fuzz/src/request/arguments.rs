//! The values chosen for one call, before they are written as a request.

use serde_json::Value;

/// Values for an operation's parameters and body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments {
    /// One entry per parameter of the operation; `None` leaves it out.
    pub parameters: Vec<Option<Value>>,
    /// The body; `None` sends none.
    pub body: Option<BodyArgument>,
    /// Headers that are no parameters.
    pub headers: Vec<(String, String)>,
}

/// A chosen body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyArgument {
    /// Which of the operation's media types.
    pub media: usize,
    /// What it holds.
    pub value: Value,
    /// What is sent in its place, to the letter.
    pub raw: Option<RawBody>,
}

/// A body that is not what its media type promises.
#[derive(Debug, Clone, PartialEq)]
pub struct RawBody {
    /// The content type it claims.
    pub content_type: &'static str,
    /// What is sent.
    pub bytes: &'static [u8],
}

/// A place in the arguments that a variable can fill.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// A parameter, by its index.
    Parameter(usize),
    /// A value in the body, by JSON pointer.
    Body(String),
}

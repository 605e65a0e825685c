//! What a stub answers: headers and body prepared once, templates filled in per request, waits drawn.

mod prepare;
mod template;
mod wait;

pub(crate) use prepare::Answer;
pub use prepare::AnswerError;
pub use template::ParseTemplateError;
pub(crate) use wait::wait;

/// The source of everything random in answers; a seed makes it repeatable.
pub(crate) type Random = chacha20::ChaCha8Rng;

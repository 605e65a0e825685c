//! A mapping that can be matched and answered.

use std::path::Path;

use crate::answer::{Answer, AnswerError};
use crate::mapping::{Mapping, StubId};

/// A mapping with an identity, a place in the order, and its answer prepared.
#[derive(Debug)]
pub struct Stub {
    /// Its identity.
    pub id: StubId,
    /// What it was made from; its identity included.
    pub mapping: Mapping,
    /// Higher is newer.
    pub order: u64,
    /// What it answers.
    pub(crate) answer: Answer,
}

impl Stub {
    /// Prepares a mapping; bodies in files are below `files`.
    pub fn new(mut mapping: Mapping, order: u64, files: Option<&Path>) -> Result<Self, AnswerError> {
        let id = mapping.stated_id().unwrap_or_else(StubId::random);
        mapping.id = Some(id);
        let answer = Answer::prepare(&mapping, id, files)?;
        Ok(Self { id, mapping, order, answer })
    }
}

//! Whether the API is ours to stop and start.

use std::fmt;

use steady_model::rerun::{Condition, Perturbation};
use steady_sut::Sut;

use crate::error::StabilizeError;

/// What may be done with the API besides calling it.
pub enum Footing<'a> {
    /// Somebody else runs it: nothing.
    Foreign,
    /// It may be reset and restarted, under other conditions too.
    Ours(&'a mut Sut),
}

impl fmt::Debug for Footing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("Foreign"),
            Self::Ours(sut) => f.debug_tuple("Ours").field(&sut.url()).finish(),
        }
    }
}

impl Footing<'_> {
    /// Whether it may be restarted.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Ours(_))
    }

    /// Starts it anew.
    pub(crate) async fn restart(&mut self, condition: &Condition) -> Result<(), StabilizeError> {
        match self {
            Self::Foreign => Ok(()),
            Self::Ours(sut) => Ok(sut.restart(condition).await?),
        }
    }

    /// Takes it back to how it was at the start.
    pub(crate) async fn reset(&mut self) -> Result<(), StabilizeError> {
        match self {
            Self::Foreign => Ok(()),
            Self::Ours(sut) => Ok(sut.reset().await?),
        }
    }

    /// One condition for each of these perturbations that can be had.
    pub(crate) fn conditions(&self, wanted: &[Perturbation]) -> Vec<(Perturbation, Condition)> {
        let Self::Ours(sut) = self else { return Vec::new() };
        let possible = sut.perturbations();
        let first = |perturbation: &Perturbation| {
            let condition = possible.iter().find(|condition| condition.0.contains_key(perturbation))?;
            Some((*perturbation, condition.clone()))
        };
        wanted.iter().filter_map(first).collect()
    }
}

//! What becomes of flaky assertions.

use clap::ValueEnum;
use serde::Deserialize;
use steady_flaky::relax::Policy;

/// What becomes of an assertion that does not hold every time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyChoice {
    /// Say the strongest thing that is true
    #[default]
    Relax,
    /// Make it a comment
    Disable,
    /// Leave it, and report it
    Keep,
}

impl From<PolicyChoice> for Policy {
    fn from(choice: PolicyChoice) -> Self {
        match choice {
            PolicyChoice::Relax => Self::Relax,
            PolicyChoice::Disable => Self::Disable,
            PolicyChoice::Keep => Self::Keep,
        }
    }
}

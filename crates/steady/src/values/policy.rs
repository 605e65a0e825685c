//! What becomes of flaky assertions.

use std::str::FromStr;

use steady_flaky::relax::Policy;

use super::ValueError;

/// What becomes of an assertion that does not hold every time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PolicyChoice {
    /// It says the strongest thing that is true.
    #[default]
    Relax,
    /// It becomes a comment.
    Disable,
    /// It stays, and is reported.
    Keep,
}

impl PolicyChoice {
    /// The names on the command line.
    pub const NAMES: [&str; 3] = ["relax", "disable", "keep"];
}

impl FromStr for PolicyChoice {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "relax" => Ok(Self::Relax),
            "disable" => Ok(Self::Disable),
            "keep" => Ok(Self::Keep),
            _ => Err(ValueError {
                given: text.to_owned(),
                expected: "a way to treat flaky assertions; write relax, disable or keep",
            }),
        }
    }
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

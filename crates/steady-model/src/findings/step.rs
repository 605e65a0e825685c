//! The ways in which tests are run again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::rerun::{ParsePerturbationError, Perturbation};

/// A way to run a test again. As evidence it names the runs that moved a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub enum Step {
    /// Once more, nothing changed.
    Rerun,
    /// After the API's state was reset.
    Reset,
    /// After the API was restarted.
    Restart,
    /// With something around the API changed.
    Perturbed(Perturbation),
    /// Not run: by the form of the value, or by what other answers of the API showed.
    Inferred,
}

impl Step {
    const PERTURBED: &'static str = "perturbed:";
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rerun => f.write_str("rerun"),
            Self::Reset => write!(f, "{}reset", Self::PERTURBED),
            Self::Restart => write!(f, "{}restart", Self::PERTURBED),
            Self::Perturbed(perturbation) => write!(f, "{}{perturbation}", Self::PERTURBED),
            Self::Inferred => f.write_str("inferred"),
        }
    }
}

/// A text does not name a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown evidence `{0}`, expected `rerun`, `inferred` or `perturbed:` with what was changed")]
pub struct ParseStepError(String);

impl FromStr for Step {
    type Err = ParseStepError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.strip_prefix(Self::PERTURBED)) {
            ("rerun", _) => Ok(Self::Rerun),
            ("inferred", _) => Ok(Self::Inferred),
            (_, Some("reset")) => Ok(Self::Reset),
            (_, Some("restart")) => Ok(Self::Restart),
            (_, Some(name)) => {
                let unknown = |_: ParsePerturbationError| ParseStepError(text.to_owned());
                name.parse().map(Self::Perturbed).map_err(unknown)
            }
            _ => Err(ParseStepError(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Step {
    type Error = ParseStepError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Step> for String {
    fn from(step: Step) -> Self {
        step.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_read_as_it_is_written() {
        let perturbed = Perturbation::ALL.into_iter().map(Step::Perturbed);
        for step in [Step::Rerun, Step::Reset, Step::Restart, Step::Inferred].into_iter().chain(perturbed) {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        for text in ["", "again", "perturbed:", "perturbed:moon"] {
            assert!(text.parse::<Step>().is_err(), "{text}");
        }
    }
}

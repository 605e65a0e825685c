//! Which perturbations are tried.

use std::str::FromStr;

use steady_model::rerun::{ParsePerturbationError, Perturbation};

/// Which perturbations are tried: `auto`, `off`, or a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Perturbations {
    /// All of them, to explain what is flaky.
    #[default]
    Auto,
    /// None.
    Off,
    /// These, in any case.
    These(Vec<Perturbation>),
}

impl FromStr for Perturbations {
    type Err = PerturbationsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "auto" => return Ok(Self::Auto),
            "off" => return Ok(Self::Off),
            _ => {}
        }
        let mut these = Vec::new();
        for name in text.split(',').map(str::trim) {
            let perturbation = match name {
                // What people say for it.
                "cpu" => Perturbation::Load,
                name => name.parse()?,
            };
            if !these.contains(&perturbation) {
                these.push(perturbation);
            }
        }
        Ok(Self::These(these))
    }
}

/// Unknown name of a perturbation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; known are {known}, auto and off", known = Perturbation::ALL.map(Perturbation::name).join(", "))]
pub struct PerturbationsError(#[from] ParsePerturbationError);

deserialize_from_str!(Perturbations);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_each_once() {
        assert_eq!(
            "tz, clock,tz,cpu".parse(),
            Ok(Perturbations::These(vec![Perturbation::Tz, Perturbation::Clock, Perturbation::Load]))
        );
        assert_eq!("auto".parse(), Ok(Perturbations::Auto));
        assert_eq!("off".parse(), Ok(Perturbations::Off));
    }

    #[test]
    fn an_unknown_name_brings_the_known_ones() {
        let error = "tz,weather".parse::<Perturbations>().unwrap_err().to_string();
        assert!(error.starts_with("unknown perturbation `weather`; known are order, hash"), "{error}");
    }
}

//! Which steps of the detection are taken.

use std::str::FromStr;

use steady_model::rerun::{ParsePerturbationError, Perturbation};

/// Load is for test commands: an API's tests are not timed.
const TRIED: [Perturbation; 8] = [
    Perturbation::Clock,
    Perturbation::Tz,
    Perturbation::Locale,
    Perturbation::Tmp,
    Perturbation::Hash,
    Perturbation::Random,
    Perturbation::Latency,
    Perturbation::Order,
];
const RESTART: &str = "restart";

/// What is changed around an API between runs of its tests: `auto`, `off`, or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSteps {
    /// Whether it is restarted.
    pub restart: bool,
    /// What is changed.
    pub perturb: Vec<Perturbation>,
}

impl PlanSteps {
    /// All of them.
    pub fn all() -> Self {
        Self { restart: true, perturb: TRIED.to_vec() }
    }
}

impl FromStr for PlanSteps {
    type Err = PlanStepsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut steps = Self { restart: false, perturb: Vec::new() };
        match text.trim() {
            "auto" => return Ok(Self::all()),
            "off" => return Ok(steps),
            _ => {}
        }
        for name in text.split(',').map(str::trim) {
            if name == RESTART {
                steps.restart = true;
                continue;
            }
            let perturbation: Perturbation = name.parse()?;
            if !TRIED.contains(&perturbation) {
                return Err(ParsePerturbationError { name: name.to_owned() }.into());
            }
            if !steps.perturb.contains(&perturbation) {
                steps.perturb.push(perturbation);
            }
        }
        Ok(steps)
    }
}

/// Unknown name of a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; known are {known}, restart, auto and off", known = TRIED.map(Perturbation::name).join(", "))]
pub struct PlanStepsError(#[from] ParsePerturbationError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_each_step_once() {
        let steps: PlanSteps = "tz, restart,clock,tz".parse().unwrap();
        assert_eq!(steps, PlanSteps { restart: true, perturb: vec![Perturbation::Tz, Perturbation::Clock] });
        assert_eq!("off".parse(), Ok(PlanSteps { restart: false, perturb: Vec::new() }));
        assert_eq!("auto".parse(), Ok(PlanSteps::all()));
    }

    #[test]
    fn an_unknown_step_brings_the_known_ones() {
        for name in ["weather", "load"] {
            let error = name.parse::<PlanSteps>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("unknown perturbation `{name}`; known are clock, tz")),
                "{error}"
            );
        }
    }
}

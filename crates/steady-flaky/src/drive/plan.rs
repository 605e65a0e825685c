//! Which changes a detection plan makes, as the command line names them: `auto`, `off`, or a list.

use std::str::FromStr;

use steady_model::rerun::{ParsePerturbationError, Perturbation};

use super::DetectionPlan;

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

impl DetectionPlan {
    /// Every change there is, and the usual number of reruns.
    pub fn auto() -> Self {
        Self { restart: true, perturb: TRIED.to_vec(), ..Self::default() }
    }

    /// No change, and the usual number of reruns.
    pub fn off() -> Self {
        Self { restart: false, perturb: Vec::new(), ..Self::default() }
    }
}

impl FromStr for DetectionPlan {
    type Err = UnknownChange;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut plan = Self::off();
        match text.trim() {
            "auto" => return Ok(Self::auto()),
            "off" => return Ok(plan),
            _ => {}
        }
        for name in text.split(',').map(str::trim) {
            if name == RESTART {
                plan.restart = true;
                continue;
            }
            let perturbation: Perturbation = name.parse()?;
            if !TRIED.contains(&perturbation) {
                return Err(ParsePerturbationError { name: name.to_owned() }.into());
            }
            if !plan.perturb.contains(&perturbation) {
                plan.perturb.push(perturbation);
            }
        }
        Ok(plan)
    }
}

/// The text names a change that detection does not make.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; known are {known}, restart, auto and off", known = TRIED.map(Perturbation::name).join(", "))]
pub struct UnknownChange(#[from] ParsePerturbationError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_each_change_once() {
        let plan: DetectionPlan = "tz, restart,clock,tz".parse().unwrap();
        assert_eq!((plan.restart, plan.perturb), (true, vec![Perturbation::Tz, Perturbation::Clock]));
        assert_eq!("off".parse(), Ok(DetectionPlan::off()));
        assert_eq!("auto".parse(), Ok(DetectionPlan::auto()));
    }

    #[test]
    fn an_unknown_change_brings_the_known_ones() {
        for name in ["weather", "load"] {
            let error = name.parse::<DetectionPlan>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("unknown perturbation `{name}`; known are clock, tz")),
                "{error}"
            );
        }
    }
}

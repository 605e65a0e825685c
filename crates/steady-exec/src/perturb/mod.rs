//! What can be changed around a command, one file per [`Perturbation`].
//!
//! Each of these files lists the values to try, how often before anything is concluded, and what a value means for the
//! [`Overrides`] of a run. Values are short words: they appear in reports and are the same on every machine.

mod clock;
mod hash;
mod latency;
mod load;
mod locale;
mod order;
mod random;
mod tmp;
mod tz;

use steady_model::rerun::{Condition, Perturbation};

use crate::capabilities::Capabilities;
use crate::overrides::Overrides;

pub(crate) use hash::vary as vary_hash_seeds;

/// A condition to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The condition.
    pub condition: Condition,
    /// How often it is tried at first.
    pub first: u32,
    /// How many more runs follow when a test seems affected.
    pub more: u32,
}

/// The conditions to try for a perturbation; none where this machine or command cannot be perturbed so.
pub fn probes(perturbation: Perturbation, capabilities: &Capabilities, seed: u64) -> Vec<Probe> {
    let (values, first, more) = match perturbation {
        Perturbation::Order => (order::values(capabilities, seed), order::FIRST, order::MORE),
        Perturbation::Load => (load::values(), load::FIRST, load::MORE),
        Perturbation::Clock => (clock::values(capabilities), clock::FIRST, clock::MORE),
        Perturbation::Tz => (tz::values(), tz::FIRST, tz::MORE),
        Perturbation::Locale => (locale::values(capabilities), locale::FIRST, locale::MORE),
        Perturbation::Tmp => (tmp::values(), tmp::FIRST, tmp::MORE),
        Perturbation::Hash => (hash::values(), hash::FIRST, hash::MORE),
        Perturbation::Random => (random::values(capabilities), random::FIRST, random::MORE),
        Perturbation::Latency => (latency::values(capabilities), latency::FIRST, latency::MORE),
    };
    let condition = |value| Condition::of(perturbation, value);
    values.into_iter().map(|value| Probe { condition: condition(value), first, more }).collect()
}

/// Further seeds, for a test that behaves alike under all of the first ones; tried only for such a test.
pub fn spare_seeds(perturbation: Perturbation, capabilities: &Capabilities) -> Vec<Probe> {
    let (values, more) = match perturbation {
        Perturbation::Hash => (hash::spare(), hash::MORE),
        Perturbation::Random => (random::spare(capabilities), random::MORE),
        _ => return Vec::new(),
    };
    let condition = |value| Condition::of(perturbation, value);
    values.into_iter().map(|value| Probe { condition: condition(value), first: 0, more }).collect()
}

/// The overrides of a condition.
pub fn overrides(condition: &Condition) -> Overrides {
    let mut overrides = Overrides::default();
    for (perturbation, value) in &condition.0 {
        match perturbation {
            Perturbation::Order => order::apply(value, &mut overrides),
            Perturbation::Load => load::apply(value, &mut overrides),
            Perturbation::Clock => clock::apply(value, &mut overrides),
            Perturbation::Tz => tz::apply(value, &mut overrides),
            Perturbation::Locale => locale::apply(value, &mut overrides),
            Perturbation::Tmp => tmp::apply(value, &mut overrides),
            Perturbation::Hash => hash::apply(value, &mut overrides),
            Perturbation::Random => random::apply(value, &mut overrides),
            Perturbation::Latency => latency::apply(value, &mut overrides),
        }
    }
    overrides
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everything() -> Capabilities {
        Capabilities {
            locales: vec!["C".to_owned(), "tr_TR.utf8".to_owned()],
            own_language_data: true,
            can_order: true,
            can_preload: true,
        }
    }

    #[test]
    fn every_value_offered_changes_the_surroundings() {
        for perturbation in Perturbation::ALL {
            let probes = probes(perturbation, &everything(), 7);
            assert!(!probes.is_empty(), "{perturbation}");
            for probe in probes {
                assert_ne!(overrides(&probe.condition), Overrides::default(), "{}", probe.condition);
            }
        }
    }

    #[test]
    fn nothing_is_offered_that_cannot_be_had() {
        let bare = Capabilities::default();
        for perturbation in
            [Perturbation::Order, Perturbation::Clock, Perturbation::Random, Perturbation::Latency]
        {
            assert!(probes(perturbation, &bare, 7).is_empty(), "{perturbation}");
        }
    }

    #[test]
    fn no_two_values_mean_the_same() {
        for perturbation in Perturbation::ALL {
            let probes = probes(perturbation, &everything(), 7);
            for (index, one) in probes.iter().enumerate() {
                for other in &probes[index + 1..] {
                    assert_ne!(overrides(&one.condition), overrides(&other.condition));
                }
            }
        }
    }
}

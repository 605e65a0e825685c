//! What can be changed around a command, one file per [`Perturbation`], and the changing itself.
//!
//! Each of these files says which values to try, how often before anything is concluded, and what a value means for the
//! [`Surroundings`] of a run. Values are short words: they appear in reports and are the same on every machine. [`probes`] lists what
//! can be had on a [`Ground`], [`surroundings`] says what a condition means, and [`surround`] puts a command there, with
//! folders from a [`Workshop`]:
//!
//! ```
//! use steady_model::rerun::{Condition, Perturbation};
//! use steady_perturb::{Workshop, surround, surroundings};
//! use steady_process::{Spec, Cancel, Stream, spawn};
//!
//! let state = tempfile::tempdir()?;
//! let workshop = Workshop::open(state.path())?;
//! let far_east = surroundings(&Condition::of(Perturbation::Tz, "Pacific/Kiritimati"));
//! let command = Spec::shell("echo $TZ");
//! let (command, _control) = surround(command, &far_east, &workshop, 0)?;
//! let finished = spawn(&command)?.wait(&Cancel::new()?);
//! assert_eq!(finished.output.bytes(Stream::Stdout), b"Pacific/Kiritimati\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod ground;
mod hash;
mod latency;
mod load;
mod locale;
mod order;
mod preload;
mod random;
mod surround;
mod surroundings;
mod tmp;
mod tz;
mod workshop;

use steady_model::rerun::{Condition, Perturbation};

pub use ground::{Ground, installed_locales};
pub use hash::vary as vary_hash_seeds;
pub use preload::{PreloadError, steer};
pub use surround::{SurroundError, surround};
pub use surroundings::{Before, Surroundings, Variable};
pub use workshop::{Workshop, WorkshopError, keep_out_of_git};

/// A condition to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The condition.
    pub condition: Condition,
    /// How often it is tried at first.
    pub first: u32,
    /// How often more when a test seems to notice.
    pub more: u32,
}

/// The conditions to try for a perturbation; none where this machine or command cannot have it.
pub fn probes(perturbation: Perturbation, ground: &Ground, seed: u64) -> Vec<Probe> {
    let (values, first, more) = match perturbation {
        Perturbation::Order => (order::values(ground, seed), order::FIRST, order::MORE),
        Perturbation::Load => (load::values(), load::FIRST, load::MORE),
        Perturbation::Clock => (clock::values(ground), clock::FIRST, clock::MORE),
        Perturbation::Tz => (tz::values(), tz::FIRST, tz::MORE),
        Perturbation::Locale => (locale::values(ground), locale::FIRST, locale::MORE),
        Perturbation::Tmp => (tmp::values(), tmp::FIRST, tmp::MORE),
        Perturbation::Hash => (hash::values(), hash::FIRST, hash::MORE),
        Perturbation::Random => (random::values(ground), random::FIRST, random::MORE),
        Perturbation::Latency => (latency::values(ground), latency::FIRST, latency::MORE),
    };
    let condition = |value| Condition::of(perturbation, value);
    values.into_iter().map(|value| Probe { condition: condition(value), first, more }).collect()
}

/// Further seeds, for a test that does the same under all of the first ones; they are tried only when a test asks for one.
pub fn spare_seeds(perturbation: Perturbation, ground: &Ground) -> Vec<Probe> {
    let (values, more) = match perturbation {
        Perturbation::Hash => (hash::spare(), hash::MORE),
        Perturbation::Random => (random::spare(ground), random::MORE),
        _ => return Vec::new(),
    };
    let condition = |value| Condition::of(perturbation, value);
    values.into_iter().map(|value| Probe { condition: condition(value), first: 0, more }).collect()
}

/// What a condition means for a run.
pub fn surroundings(condition: &Condition) -> Surroundings {
    let mut surroundings = Surroundings::default();
    for (perturbation, value) in &condition.0 {
        match perturbation {
            Perturbation::Order => order::apply(value, &mut surroundings),
            Perturbation::Load => load::apply(value, &mut surroundings),
            Perturbation::Clock => clock::apply(value, &mut surroundings),
            Perturbation::Tz => tz::apply(value, &mut surroundings),
            Perturbation::Locale => locale::apply(value, &mut surroundings),
            Perturbation::Tmp => tmp::apply(value, &mut surroundings),
            Perturbation::Hash => hash::apply(value, &mut surroundings),
            Perturbation::Random => random::apply(value, &mut surroundings),
            Perturbation::Latency => latency::apply(value, &mut surroundings),
        }
    }
    surroundings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everything() -> Ground {
        Ground {
            locales: vec!["C".to_owned(), "tr_TR.utf8".to_owned()],
            own_language_data: true,
            can_order: true,
            can_interpose: true,
        }
    }

    #[test]
    fn every_value_offered_changes_the_surroundings() {
        for perturbation in Perturbation::ALL {
            let probes = probes(perturbation, &everything(), 7);
            assert!(!probes.is_empty(), "{perturbation}");
            for probe in probes {
                assert_ne!(surroundings(&probe.condition), Surroundings::default(), "{}", probe.condition);
            }
        }
    }

    #[test]
    fn nothing_is_offered_that_cannot_be_had() {
        let bare = Ground::default();
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
                    assert_ne!(surroundings(&one.condition), surroundings(&other.condition));
                }
            }
        }
    }
}

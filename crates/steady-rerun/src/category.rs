//! Why a test is not stable, from what changes its outcome.

use steady_model::rerun::{Category, Flip, Perturbation};

/// The category that the flips support; `flips` begin with the most certain one.
pub fn category(flips: &[Flip]) -> Category {
    let Some(first) = flips.first() else { return Category::Unk };
    let by = |perturbation| flips.iter().any(|flip| flip.perturbation == perturbation);
    // A fixed source of randomness may fix the seeds of hash tables and the order of the tests as well: the narrower
    // cause is the right one.
    match first.perturbation {
        Perturbation::Random if by(Perturbation::Hash) => Category::Unord,
        Perturbation::Random if by(Perturbation::Order) => Category::State,
        perturbation => of(perturbation),
    }
}

fn of(perturbation: Perturbation) -> Category {
    match perturbation {
        Perturbation::Order => Category::State,
        Perturbation::Clock | Perturbation::Tz => Category::Time,
        Perturbation::Locale | Perturbation::Tmp => Category::Env,
        Perturbation::Hash => Category::Unord,
        Perturbation::Random => Category::Rand,
        Perturbation::Load | Perturbation::Latency => Category::Async,
    }
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Counts;

    use super::*;

    fn flip(perturbation: Perturbation) -> Flip {
        Flip { perturbation, value: String::new(), counts: Counts::default(), p_value: 0.001 }
    }

    #[test]
    fn the_most_certain_flip_decides() {
        assert_eq!(category(&[flip(Perturbation::Tz), flip(Perturbation::Load)]), Category::Time);
        assert_eq!(category(&[flip(Perturbation::Order)]), Category::State);
    }

    #[test]
    fn hash_seeds_are_a_narrower_cause_than_randomness() {
        assert_eq!(category(&[flip(Perturbation::Random), flip(Perturbation::Hash)]), Category::Unord);
        assert_eq!(category(&[flip(Perturbation::Tz), flip(Perturbation::Hash)]), Category::Time);
        assert_eq!(category(&[flip(Perturbation::Random), flip(Perturbation::Order)]), Category::State);
    }

    #[test]
    fn without_a_flip_the_cause_is_not_known() {
        assert_eq!(category(&[]), Category::Unk);
    }
}

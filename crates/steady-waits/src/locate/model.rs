//! The learnt ranking: what is known about a value becomes a number.
//!
//! Each source of evidence ([`SHARES`]) is a distribution over values: the share of the file's waits that have it, the share of the
//! folder's raises that chose it, and so on. They are mixed with fitted weights, so that a source that knows nothing says nothing.
//! The logarithm of the mixture, and a few facts about the value itself ([`FACTS`]), add up to its score; the exponentials of the scores,
//! normalised, are the probability that a developer would choose it.

use super::target::KINDS;
use steady_js::Kind;

/// The sources of evidence, in the order of the weights.
pub const SHARES: [&str; 15] = [
    "file",
    "file_callee",
    "folder",
    "folder_form",
    "folder_callee",
    "around",
    "raised",
    "raised_from",
    "added",
    "had",
    "similar",
    "nearby",
    "usual",
    "past_factor",
    "usual_step",
];
/// Facts about a value, in the order of the weights.
pub const FACTS: [&str; 22] = [
    "usual_factor",
    "log_factor",
    "log_factor_if_free",
    "digits",
    "is_1_2_5",
    "log_if_free",
    "log_if_paid",
    "withdrawn",
    "in_folder",
    "guessable",
    "place_by_frequency",
    "place_by_similarity",
    "place_by_size",
    "place_by_frequency_if_added",
    "below_default",
    "raised_to_some",
    "raised_to_many",
    "raised_to_most",
    "raised_to_one_of_three",
    "raised_as_usual",
    "raised_in_usual_step",
    "raised_out_of_proportion",
];
/// What the mixture is never below.
const FLOOR: f64 = 2e-3;

/// A value, with all that is known about it as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Rated {
    /// How long, in milliseconds.
    pub ms: u64,
    /// By source, as in [`SHARES`].
    pub shares: [f64; SHARES.len()],
    /// As in [`FACTS`].
    pub facts: [f64; FACTS.len()],
}

/// How sources are mixed.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture {
    /// Each source's weight.
    pub weights: [f64; SHARES.len()],
    /// How much the mixture counts.
    pub trust: f64,
}

/// A fitted model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// For a wait that is raised, and for one that is added.
    pub mixtures: [Mixture; 2],
    /// Weights of the facts.
    pub facts: [f64; FACTS.len()],
    /// What is usual.
    pub tables: Tables,
}

/// What is usual, counted over many projects.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tables {
    /// By how much a time was raised, in hundredths, and how often.
    pub factors: Vec<(u64, f64)>,
    /// From which leading digits by how much a time was raised, in hundredths, and how often: developers go from 2 to 5 and from 3 to 5.
    pub steps: Vec<(u64, u64, f64)>,
    /// How often a time was chosen, by kind.
    pub values: [Vec<(u64, f64)>; 4],
    /// Which kind of wait was added, by [`Context`](super::target::Context).
    pub kinds: [[f64; 4]; 5],
}

impl Mixture {
    /// The mixture for a value.
    pub fn mixed(&self, rated: &Rated) -> f64 {
        FLOOR + rated.shares.iter().zip(&self.weights).map(|(share, weight)| share * weight).sum::<f64>()
    }
}

impl Model {
    /// The mixture for a place.
    pub fn mixture(&self, is_raise: bool) -> &Mixture {
        &self.mixtures[usize::from(!is_raise)]
    }

    /// How much speaks for a value; comparable among the values for one place.
    pub fn score(&self, rated: &Rated, is_raise: bool) -> f64 {
        let mixture = self.mixture(is_raise);
        let facts: f64 = rated.facts.iter().zip(&self.facts).map(|(fact, weight)| fact * weight).sum();
        facts + mixture.trust * mixture.mixed(rated).ln()
    }
}

/// Scores as probabilities.
pub fn probabilities(scores: &[f64]) -> Vec<f64> {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
    let all: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / all).collect()
}

impl Tables {
    /// How usual a time is for waits of some kinds, weighed.
    pub fn usual(&self, ms: u64, kinds: &[f64; 4]) -> f64 {
        let of = |values: &[(u64, f64)]| {
            let all: f64 = values.iter().map(|(_, count)| count).sum();
            let this = values.iter().find(|(value, _)| *value == ms).map_or(0.0, |(_, count)| *count);
            (this + 0.01) / (all + 2.0)
        };
        kinds.iter().zip(&self.values).map(|(share, values)| share * of(values)).sum()
    }

    /// How usual it is to raise a time by a factor, as a logarithm.
    pub(crate) fn usual_factor(&self, factor: f64) -> f64 {
        let all: f64 = self.factors.iter().map(|(_, count)| count).sum();
        let hundredths = (factor * 100.0).round() as u64;
        let this = self.factors.iter().find(|(one, _)| *one == hundredths).map_or(0.0, |(_, count)| *count);
        let background = 0.24 * (-(factor.log2() - 1.2).abs()).exp();
        ((this + background) / (all + 3.0)).ln()
    }

    /// How often a time that begins as `old` does was raised by as much.
    pub(crate) fn usual_step(&self, old: u64, ms: u64) -> f64 {
        let step = (leading(old), (ms as f64 / old as f64 * 100.0).round() as u64);
        self.steps.iter().find(|(from, by, _)| (*from, *by) == step).map_or(0.0, |(.., count)| *count)
    }

    /// Which kinds of wait may be added, before the folder is looked at.
    pub(crate) fn added_kinds(&self, context: usize) -> [f64; 4] {
        let counts = &self.kinds[context];
        let all: f64 = counts.iter().sum();
        counts.map(|count| (count + 0.5) / (all + 2.0))
    }
}

/// A time without the zeros at its end.
pub fn leading(ms: u64) -> u64 {
    let mut rest = ms;
    while rest > 0 && rest.is_multiple_of(10) {
        rest /= 10;
    }
    rest
}

/// A kind's place in the tables.
pub(crate) fn place_of(kind: Kind) -> usize {
    KINDS.iter().position(|one| *one == kind).unwrap_or_default()
}

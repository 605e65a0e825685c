//! The rank of the developer's value in each ranking.

use std::collections::BTreeMap;

use steady_waits::locate::{Evidence, Model, Ranking, ordered, ranked};

use super::case::Example;

/// The rank of the developer's value.
#[derive(Debug, Clone, Copy)]
pub struct Rank {
    /// Among the candidates that are offered, from 1.
    pub offered: Option<usize>,
    /// The worst place that candidates with the same score could have.
    pub at_worst: Option<usize>,
    /// How many are offered.
    pub count: usize,
    /// How likely the model held it.
    pub likely: f64,
    /// Its place among all values that the model knows.
    pub among_all: Option<usize>,
    /// How likely the model held it, over how likely it held the likeliest.
    pub beside_first: f64,
    /// The same of the values that would come first in a longer list.
    pub list: [f64; LONGEST],
}

/// The longest list that is looked at.
pub const LONGEST: usize = 8;

/// Ranks an example by what is known.
pub fn place(example: &Example, evidence: &Evidence, ranking: Ranking, model: &Model) -> Rank {
    let chosen = example.case.chosen();
    let candidates = ranked(evidence, ranking, model);
    let offered = candidates.iter().position(|one| one.ms == chosen);
    let at_worst =
        offered.map(|index| candidates.iter().filter(|one| one.score >= candidates[index].score).count());
    let all = ordered(evidence, model);
    let highest = all.iter().map(|(_, likely)| *likely).fold(0.0, f64::max);
    let index = all.iter().position(|(one, _)| one.ms == chosen);
    let likely = index.map_or(0.0, |index| all[index].1);
    let list = std::array::from_fn(|index| all.get(index).map_or(0.0, |(_, likely)| likely / highest));
    let beside_first = likely / highest;
    let (offered, among_all) = (offered.map(|index| index + 1), index.map(|index| index + 1));
    Rank { offered, at_worst, count: candidates.len(), likely, among_all, beside_first, list }
}

/// Which examples a share is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// All.
    All,
    /// Those whose value the ranking offers.
    Offered,
    /// Those whose value a line of the folder has, or had.
    Folder,
}

/// How many of some examples have the developer's value first, and among the first three.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hits {
    /// How many there are.
    pub all: f64,
    /// First.
    pub first: f64,
    /// Among the first three.
    pub three: f64,
}

impl Hits {
    /// Counts examples, each once.
    pub fn each(places: &[(&Example, Rank, bool)], among: Among) -> Self {
        let mut hits = Self::default();
        for (_, place, _) in places.iter().filter(|one| is_among(one, among)) {
            hits.add(place, 1.0);
        }
        hits
    }

    /// Counts commits, or repositories, each once, independent of its number of examples.
    pub fn by(places: &[(&Example, Rank, bool)], group: impl Fn(&Example) -> &String) -> Self {
        let mut groups: BTreeMap<&String, f64> = BTreeMap::new();
        for (example, ..) in places {
            *groups.entry(group(example)).or_default() += 1.0;
        }
        let mut hits = Self::default();
        for (example, place, _) in places {
            hits.add(place, 1.0 / groups[group(example)]);
        }
        hits
    }

    fn add(&mut self, place: &Rank, weight: f64) {
        self.all += weight;
        self.first += if place.offered == Some(1) { weight } else { 0.0 };
        self.three += if place.offered.is_some_and(|rank| rank <= 3) { weight } else { 0.0 };
    }
}

fn is_among((_, place, in_folder): &(&Example, Rank, bool), among: Among) -> bool {
    match among {
        Among::All => true,
        Among::Offered => place.offered.is_some(),
        Among::Folder => *in_folder,
    }
}

//! Where the developer's value stands in each ranking.

use std::collections::BTreeMap;

use steady_waits::locate::{Evidence, Model, Ranking, likely, ranked};

use super::case::Example;

/// Where the developer's value stands.
#[derive(Debug, Clone, Copy)]
pub struct Place {
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
    /// How likely the model held it, over how likely it held the first.
    pub beside_first: f64,
}

/// Ranks an example by what is known.
pub fn place(example: &Example, evidence: &Evidence, ranking: Ranking, model: &Model) -> Place {
    let chosen = example.case.chosen();
    let candidates = ranked(evidence, ranking, model);
    let offered = candidates.iter().position(|one| one.ms == chosen);
    let at_worst =
        offered.map(|index| candidates.iter().filter(|one| one.score >= candidates[index].score).count());
    let all = likely(evidence, model);
    let index = all.iter().position(|(one, _)| one.ms == chosen);
    let likely = index.map_or(0.0, |index| all[index].1);
    let beside_first = likely / all.first().map_or(1.0, |(_, first)| *first);
    let (offered, among_all) = (offered.map(|index| index + 1), index.map(|index| index + 1));
    Place { offered, at_worst, count: candidates.len(), likely, among_all, beside_first }
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
    pub fn by_case(places: &[(&Example, Place, bool)], among: Among) -> Self {
        let mut hits = Self::default();
        for (_, place, _) in places.iter().filter(|one| is_among(one, among)) {
            hits.add(place, 1.0);
        }
        hits
    }

    /// Counts commits, each once, whatever its number of examples.
    pub fn by_commit(places: &[(&Example, Place, bool)], among: Among) -> Self {
        let mut commits: BTreeMap<&str, f64> = BTreeMap::new();
        for (example, ..) in places.iter().filter(|one| is_among(one, among)) {
            *commits.entry(&example.case.commit).or_default() += 1.0;
        }
        let mut hits = Self::default();
        for (example, place, _) in places.iter().filter(|one| is_among(one, among)) {
            hits.add(place, 1.0 / commits[example.case.commit.as_str()]);
        }
        hits
    }

    fn add(&mut self, place: &Place, weight: f64) {
        self.all += weight;
        self.first += if place.offered == Some(1) { weight } else { 0.0 };
        self.three += if place.offered.is_some_and(|rank| rank <= 3) { weight } else { 0.0 };
    }
}

fn is_among((_, place, in_folder): &(&Example, Place, bool), among: Among) -> bool {
    match among {
        Among::All => true,
        Among::Offered => place.offered.is_some(),
        Among::Folder => *in_folder,
    }
}

//! A few tests that show all there is to show.

use std::cmp::Reverse;
use std::hash::Hash;

use indexmap::IndexSet;

/// A test to choose from.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a, G> {
    /// What it shows.
    pub goals: &'a [G],
    /// What it costs its readers.
    pub cost: usize,
}

/// A small set of tests that together reach every goal, each with the goals it adds: greedily, the one that adds most next.
///
/// Ties fall to the cheaper test, then to the one offered first, so the choice is the same in every run.
pub fn greedy<'a, G: Eq + Hash>(offers: &[Offer<'a, G>]) -> Vec<(usize, Vec<&'a G>)> {
    let mut open: IndexSet<&G> = offers.iter().flat_map(|offer| offer.goals).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let gain = |offer: &Offer<'_, G>| offer.goals.iter().filter(|goal| open.contains(goal)).count();
        let worth =
            |(index, offer): &(usize, &Offer<'_, G>)| (gain(offer), Reverse(offer.cost), Reverse(*index));
        let Some((index, best)) = offers.iter().enumerate().max_by_key(worth) else { break };
        let goals: Vec<&G> = best.goals.iter().filter(|goal| open.contains(goal)).collect();
        open.retain(|goal| !goals.contains(goal));
        chosen.push((index, goals));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_adds_most_comes_first_and_what_adds_nothing_stays_out() {
        let offers: [(&[u8], usize); 4] = [(&[1], 1), (&[1, 2], 9), (&[2, 3], 3), (&[3, 1], 3)];
        let offers = offers.map(|(goals, cost)| Offer { goals, cost });
        assert_eq!(greedy(&offers), [(2, vec![&2, &3]), (0, vec![&1])]);
    }
}

//! A few tests that show all there is to show.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;

use indexmap::IndexMap;

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
    let mut open: IndexMap<&G, bool> =
        offers.iter().flat_map(|offer| offer.goals).map(|goal| (goal, true)).collect();
    let worth = |index: usize, gain: usize| (gain, Reverse(offers[index].cost), Reverse(index));
    // What a test adds only ever shrinks: one whose last figure is the highest and still true is the best there is.
    let mut best_first: BinaryHeap<_> =
        offers.iter().enumerate().map(|(index, offer)| worth(index, offer.goals.len())).collect();
    let mut chosen = Vec::new();
    while let Some((expected, _, Reverse(index))) = best_first.pop() {
        let is_open = |goal: &&G| open.get(goal).copied().unwrap_or(false);
        let goals: Vec<&G> = offers[index].goals.iter().filter(is_open).collect();
        if goals.is_empty() {
            continue;
        }
        if goals.len() < expected {
            best_first.push(worth(index, goals.len()));
            continue;
        }
        for goal in &goals {
            open.insert(goal, false);
        }
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

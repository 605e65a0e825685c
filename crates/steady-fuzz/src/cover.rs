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
    let rank = |index: usize, gain: usize| (gain, Reverse(offers[index].cost), Reverse(index));
    // What a test adds only ever shrinks: one whose last figure is the highest and still true is the best there is.
    let mut best_first: BinaryHeap<_> =
        offers.iter().enumerate().map(|(index, offer)| rank(index, offer.goals.len())).collect();
    let mut chosen = Vec::new();
    while let Some((expected, _, Reverse(index))) = best_first.pop() {
        let is_open = |goal: &&G| open.get(goal).copied().unwrap_or(false);
        let goals: Vec<&G> = offers[index].goals.iter().filter(is_open).collect();
        if goals.is_empty() {
            continue;
        }
        if goals.len() < expected {
            best_first.push(rank(index, goals.len()));
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

    #[test]
    fn the_choice_is_that_of_asking_every_test_each_time() {
        let mut state = 1_u32;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..50 {
            let tests: Vec<(Vec<u32>, usize)> =
                (0..draw(12)).map(|_| ((0..draw(6)).map(|_| draw(15)).collect(), draw(3) as usize)).collect();
            let offers: Vec<Offer<'_, u32>> =
                tests.iter().map(|(goals, cost)| Offer { goals, cost: *cost }).collect();
            let chosen: Vec<usize> = greedy(&offers).into_iter().map(|(index, _)| index).collect();
            assert_eq!(chosen, asking_every_test(&offers));
        }
    }

    #[test]
    fn no_goal_is_looked_at_again_for_every_choice() {
        const TESTS: u32 = 1_000;
        let goals: Vec<[Counted; 2]> = (0..TESTS).map(|test| [Counted(test), Counted(test + 1)]).collect();
        let offers: Vec<Offer<'_, Counted>> = goals.iter().map(|goals| Offer { goals, cost: 1 }).collect();
        assert_eq!(greedy(&offers).len(), 501);
        assert!(LOOKS.get() < 20 * TESTS, "{} looks for {TESTS} tests", LOOKS.get());
    }

    thread_local! {
        static LOOKS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    /// A goal that counts how often it is looked up.
    #[derive(Debug, PartialEq, Eq)]
    struct Counted(u32);

    impl Hash for Counted {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            LOOKS.set(LOOKS.get() + 1);
            self.0.hash(state);
        }
    }

    fn asking_every_test(offers: &[Offer<'_, u32>]) -> Vec<usize> {
        let mut open: IndexMap<u32, ()> =
            offers.iter().flat_map(|offer| offer.goals).map(|goal| (*goal, ())).collect();
        let mut chosen = Vec::new();
        while !open.is_empty() {
            let gain =
                |offer: &Offer<'_, u32>| offer.goals.iter().filter(|goal| open.contains_key(*goal)).count();
            let rank = |index: &usize| (gain(&offers[*index]), Reverse(offers[*index].cost), Reverse(*index));
            let best = (0..offers.len()).max_by_key(rank).unwrap();
            for goal in offers[best].goals {
                open.shift_remove(goal);
            }
            chosen.push(best);
        }
        chosen
    }
}

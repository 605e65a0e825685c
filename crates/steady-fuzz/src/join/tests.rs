//! Few tests that show what all of them show.

use std::collections::BTreeMap;

use steady_model::{OperationId, Suite, TestCase};

use crate::cover::{Offer, greedy};
use crate::drafts::Names;

/// The tests that are kept.
#[derive(Debug, Default)]
pub struct Kept {
    /// The tests, under names of their own.
    pub tests: Vec<TestCase>,
    /// What became of the names: by the number of the suite and the name there.
    pub names: Renamed,
}

/// The new names of tests that are kept, by the number of their suite and their name there.
pub type Renamed = BTreeMap<(usize, String), String>;

/// What a test shows: a line about the operation it ends with.
type Shown<'a> = (Option<&'a OperationId>, &'a str);

/// Keeps as few tests as show everything, in the order of their groups and suites.
pub fn reduce(suites: &[&Suite]) -> Kept {
    let mut tests: Vec<(usize, &TestCase)> = suites
        .iter()
        .enumerate()
        .flat_map(|(number, suite)| suite.tests.iter().map(move |test| (number, test)))
        .collect();
    tests.sort_by_key(|(_, test)| test.group);
    let needed = needed(&tests);
    let mut kept = Kept::default();
    let mut names = Names::default();
    for (index, (suite, test)) in tests.iter().enumerate() {
        let own_sake = test.covers.is_empty() && !kept.tests.iter().any(|known| is_same(known, test));
        if needed[index] || own_sake {
            let name = names.number(&test.name);
            kept.names.insert((*suite, test.name.clone()), name.clone());
            kept.tests.push(TestCase { name, ..(*test).clone() });
        }
    }
    kept
}

/// Which tests it takes to show everything; none of them can be left out.
fn needed(tests: &[(usize, &TestCase)]) -> Vec<bool> {
    let shown: Vec<Vec<Shown<'_>>> = tests.iter().map(|(_, test)| shown(test)).collect();
    let cost = |test: &TestCase| test.calls.len() + test.cleanup.len();
    let offers: Vec<Offer<'_, Shown<'_>>> = tests
        .iter()
        .zip(&shown)
        .map(|((_, test), goals)| Offer { goals: goals.as_slice(), cost: cost(test) })
        .collect();
    let chosen: Vec<usize> = greedy(&offers).into_iter().map(|(index, _)| index).collect();
    let mut times: BTreeMap<&Shown<'_>, usize> = BTreeMap::new();
    for goal in chosen.iter().flat_map(|index| &shown[*index]) {
        *times.entry(goal).or_default() += 1;
    }
    let mut needed = vec![false; tests.len()];
    // What was chosen early may be shown by those chosen later.
    for index in chosen {
        needed[index] = shown[index].iter().any(|goal| times.get(goal) == Some(&1));
        if !needed[index] {
            for goal in &shown[index] {
                times.entry(goal).and_modify(|times| *times -= 1);
            }
        }
    }
    needed
}

fn shown(test: &TestCase) -> Vec<Shown<'_>> {
    let operation = test.calls.last().map(|call| &call.operation);
    let mut shown: Vec<Shown<'_>> = test.covers.iter().map(|line| (operation, line.as_str())).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

fn is_same(known: &TestCase, test: &TestCase) -> bool {
    (&known.fresh, &known.calls, &known.cleanup) == (&test.fresh, &test.calls, &test.cleanup)
}

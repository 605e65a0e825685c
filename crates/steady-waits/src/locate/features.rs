//! What is known about each value, as numbers.

use std::collections::{BTreeMap, BTreeSet};

use steady_js::Kind;

use super::evidence::{Changed, Evidence, Scope, Seen};
use super::guess::guesses;
use super::model::{FACTS, Rated, SHARES, Tables, place_of};
use super::raise::{RAISES, Standing};
use super::target::{Context, Target};

/// A shorter wait is none.
pub(crate) const SHORTEST: u64 = 5;
/// A longer one is no wait for something that will come.
pub(crate) const LONGEST: u64 = 600_000;
/// A kind that is less likely than this is not added.
const UNLIKELY: f64 = 0.08;
/// How much the kind that the patch adds counts, beside what developers add at such a place.
const PATCHED: f64 = 0.5;
/// How much waits of the other kind count where both are paid for, or both are free.
const KINDRED: f64 = 0.15;

/// How many more waits a source must have to be believed, in the order of [`SHARES`].
const DOUBT: [f64; SHARES.len()] =
    [1.0, 0.5, 2.0, 1.0, 0.5, 4.0, 1.0, 0.3, 1.0, 0.3, 0.2, 0.3, 0.0, 1.0, 3.0];

type Counts = BTreeMap<u64, f64>;

/// All values that could be right for a place, each with what is known about it.
pub fn rated(evidence: &Evidence, tables: &Tables) -> Vec<Rated> {
    let kinds = kinds(evidence, tables);
    let weigh = Weigh { evidence, kinds, least: evidence.least() };
    let mut counts: [Counts; SHARES.len()] = Default::default();
    let (mut known, mut in_folder) = (BTreeSet::new(), BTreeSet::new());
    // A value of another kind is known too; it only speaks for nothing.
    for seen in evidence.seen.iter().filter(|seen| weigh.is_wanted(seen.ms)) {
        known.insert(seen.ms);
        in_folder.extend((seen.scope != Scope::Around).then_some(seen.ms));
        if weigh.is_possible(seen.ms, place_of(seen.kind)) {
            weigh.count_seen(seen, &mut counts);
        }
    }
    let mut withdrawn: Counts = BTreeMap::new();
    for change in &evidence.changed {
        for ms in [change.from, change.to].into_iter().flatten().filter(|&ms| weigh.is_wanted(ms)) {
            known.insert(ms);
            in_folder.insert(ms);
        }
        weigh.count_changed(change, &mut counts, &mut withdrawn);
    }
    for &ms in evidence.had.iter().filter(|&&ms| weigh.is_wanted(ms)) {
        known.insert(ms);
        in_folder.insert(ms);
        *counts[9].entry(ms).or_default() += 1.0;
    }
    let guessed = guesses(evidence.target.old_ms(), &kinds, tables);
    let mut values: Vec<u64> = known.iter().copied().chain(guessed.iter().copied()).collect();
    values.retain(|&ms| weigh.is_wanted(ms));
    values.sort_unstable();
    values.dedup();
    if values.is_empty() {
        // Longer than anything that is usual already: there is still an answer.
        values.push(weigh.least.saturating_mul(2).max(SHORTEST));
    }
    for &ms in &values {
        counts[12].insert(ms, tables.usual(ms, &kinds));
        if let Some(old) = evidence.target.old_ms() {
            counts[14].insert(ms, tables.usual_step(old, ms));
        }
    }
    let wanted = evidence.seen.iter().filter(|seen| weigh.is_wanted(seen.ms));
    let (places, standing) = (weigh.places(), Standing::of(wanted));
    let sums: [f64; SHARES.len()] =
        std::array::from_fn(|index| counts[index].values().sum::<f64>() + DOUBT[index]);
    let rate = |ms: u64| {
        let shares: [f64; SHARES.len()] =
            std::array::from_fn(|index| counts[index].get(&ms).map_or(0.0, |count| count / sums[index]));
        let own = weigh.facts(
            ms,
            tables,
            withdrawn.get(&ms).copied(),
            in_folder.contains(&ms),
            &guessed,
            places.get(&ms).copied().unwrap_or_default(),
        );
        let raise = evidence.target.old_ms().map(|old| standing.raise(old, ms, tables, shares[14]));
        let mut facts = own.into_iter().chain(raise.unwrap_or_default());
        Rated { ms, shares, facts: std::array::from_fn(|_| facts.next().unwrap_or_default()) }
    };
    values.into_iter().map(rate).collect()
}

/// How likely each kind of wait is what the place needs.
pub(crate) fn kinds(evidence: &Evidence, tables: &Tables) -> [f64; 4] {
    let only = |own: Kind| std::array::from_fn(|kind| f64::from(u8::from(kind == place_of(own))));
    let context = match &evidence.target {
        Target::Wait(wait) => return only(wait.kind),
        Target::Call(context) => Context::ALL.iter().position(|one| one == context).unwrap_or_default(),
    };
    let mut counts = [1.0; 4];
    for seen in &evidence.seen {
        counts[place_of(seen.kind)] += match seen.scope {
            Scope::File => 3.0,
            Scope::Folder => 1.0,
            Scope::Around => 0.0,
        };
    }
    let all: f64 = counts.iter().sum();
    let mut likely = tables.added_kinds(context);
    for (one, count) in likely.iter_mut().zip(counts) {
        *one *= (count / all).sqrt();
    }
    let all: f64 = likely.iter().sum();
    let likely = likely.map(|one| one / all);
    let Some(addition) = evidence.addition else { return likely };
    let added = only(addition.kind);
    std::array::from_fn(|kind| PATCHED * added[kind] + (1.0 - PATCHED) * likely[kind])
}

/// How a place looks at evidence.
struct Weigh<'a> {
    evidence: &'a Evidence,
    kinds: [f64; 4],
    /// What a value must be above.
    least: u64,
}

impl Weigh<'_> {
    fn is_wanted(&self, ms: u64) -> bool {
        ms > self.least && (SHORTEST..=LONGEST).contains(&ms)
    }

    fn is_possible(&self, ms: u64, kind: usize) -> bool {
        self.is_wanted(ms) && self.weight(kind) > UNLIKELY
    }

    /// How much a wait of a kind says about the one that is needed.
    fn weight(&self, kind: usize) -> f64 {
        match self.evidence.target.kind() {
            Some(own) if place_of(own) == kind => 1.0,
            Some(own) if own.is_blocking() == (kind < 2) => KINDRED,
            Some(_) => 0.0,
            None => self.kinds[kind],
        }
    }

    /// One over a value's place by frequency, by similarity and by size, among the values of the folder's lines.
    fn places(&self) -> BTreeMap<u64, [f64; 3]> {
        let mut best: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
        for seen in self.evidence.seen.iter().filter(|seen| seen.scope != Scope::Around) {
            let weight = self.weight(place_of(seen.kind));
            if self.is_possible(seen.ms, place_of(seen.kind)) {
                let entry = best.entry(seen.ms).or_default();
                entry[0] += weight;
                entry[1] = entry[1].max(seen.similarity * weight.sqrt());
            }
        }
        let place = |ms: u64, by: usize| {
            let better = best.iter().filter(|(_, scores)| scores[by] > best[&ms][by]).count();
            1.0 / (1.0 + better as f64)
        };
        let sized = |index: usize| 1.0 / (1.0 + index as f64);
        best.keys().enumerate().map(|(index, &ms)| (ms, [place(ms, 0), place(ms, 1), sized(index)])).collect()
    }

    fn count_seen(&self, seen: &Seen, counts: &mut [Counts; SHARES.len()]) {
        let weight = self.weight(place_of(seen.kind));
        let same_form = self.evidence.target.form() == Some(seen.form);
        let same_callee = match self.evidence.target.wait() {
            Some(wait) => same_form && !seen.callee.is_empty() && wait.callee == seen.callee,
            None => self.evidence.callees.contains(&seen.callee),
        };
        let mut add = |source: usize, count: f64| *counts[source].entry(seen.ms).or_default() += count;
        match seen.scope {
            Scope::File => {
                add(0, if same_form { 2.0 * weight } else { weight });
                add(11, weight * (-(seen.line.abs_diff(self.evidence.line) as f64) / 20.0).exp());
                if same_callee {
                    add(1, weight);
                }
            }
            Scope::Folder => {
                add(2, weight);
                if same_form {
                    add(3, 1.0);
                }
                if same_callee {
                    add(4, weight);
                }
            }
            Scope::Around => add(5, weight),
        }
        if seen.scope != Scope::Around {
            add(10, weight * seen.similarity.powi(3));
        }
    }

    fn count_changed(&self, change: &Changed, counts: &mut [Counts; SHARES.len()], withdrawn: &mut Counts) {
        let weight = self.weight(place_of(change.kind));
        if weight <= UNLIKELY {
            return;
        }
        let recent = (-(change.age as f64) / 40.0).exp();
        let old = self.evidence.target.old_ms();
        let mut add = |source: usize, ms: u64, count: f64| {
            if self.is_wanted(ms) {
                *counts[source].entry(ms).or_default() += count;
            }
        };
        let file = if change.same_file { 2.0 } else { 1.0 };
        match (change.from, change.to) {
            (Some(from), Some(to)) if from < to => {
                let haste = if change.in_haste { 1.5 } else { 0.7 };
                add(6, to, weight * haste * file * (recent + 0.2));
                if old == Some(from) {
                    add(7, to, weight * (recent + 0.2));
                }
                if let Some(old) = old.filter(|_| from > 0) {
                    add(13, (old as f64 * to as f64 / from as f64).round() as u64, weight * (recent + 0.2));
                }
            }
            (None, Some(to)) => add(8, to, weight * recent * file * if change.in_haste { 1.5 } else { 1.0 }),
            _ => {}
        }
        if let Some(from) = change.from {
            *withdrawn.entry(from).or_default() += weight;
        }
    }

    fn facts(
        &self,
        ms: u64,
        tables: &Tables,
        withdrawn: Option<f64>,
        in_folder: bool,
        guessed: &[u64],
        places: [f64; 3],
    ) -> [f64; FACTS.len() - RAISES] {
        let free = self.kinds[2] + self.kinds[3];
        let yes = |is: bool| f64::from(u8::from(is));
        let log = (ms as f64).log10();
        let digits = ms.to_string().trim_end_matches('0').len() as f64;
        let first = ms.to_string();
        let is_125 = matches!(first.trim_end_matches('0'), "1" | "2" | "5");
        let (usual, factor, added) = match self.evidence.target.old_ms() {
            Some(old) => {
                let factor = ms as f64 / old as f64;
                (tables.usual_factor(factor), factor.log2(), 0.0)
            }
            None => (0.0, 0.0, 1.0),
        };
        [
            usual,
            factor,
            factor * free,
            digits.min(4.0) - 1.0,
            yes(is_125),
            log * free * added,
            log * (1.0 - free) * added,
            withdrawn.unwrap_or(0.0).ln_1p(),
            yes(in_folder),
            yes(guessed.contains(&ms)),
            places[0],
            places[1],
            places[2],
            places[0] * added,
            yes(added > 0.0 && ms <= self.evidence.default_ms()),
        ]
    }
}

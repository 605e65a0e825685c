//! The baselines: TRaf as its paper describes it, and the most frequent value of the folder.
//!
//! TRaf takes the line and its two neighbours as the query and every other line of the folder's test files, today's and past ones, as
//! documents. A time is worth as much as the line most alike that has it; times that are not above the old one are left out. It
//! does not ask who pays for a wait, nor guess.

use std::collections::BTreeMap;

use steady_js::Wait;

use super::evidence::{Evidence, Scope};

/// The values of the folder, best first: by the similarity of their best line, or by how many lines have them.
pub(crate) fn baseline(evidence: &Evidence, by_similarity: bool) -> Vec<(u64, f64)> {
    let least = evidence.target.wait().and_then(Wait::ms).unwrap_or(0);
    let mut scores: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    let mut note = |ms: u64, similarity: f64, count: f64| {
        if ms > least {
            let (best, often) = scores.entry(ms).or_default();
            *best = best.max(similarity);
            *often += count;
        }
    };
    for seen in evidence.seen.iter().filter(|seen| seen.scope != Scope::Around) {
        note(seen.ms, seen.similarity, 1.0);
    }
    for change in &evidence.changed {
        for ms in [change.from, change.to].into_iter().flatten() {
            note(ms, change.similarity, 0.0);
        }
    }
    for &ms in &evidence.had {
        note(ms, 1.0, 0.0);
    }
    let lines = scores.values().map(|(_, often)| often).sum::<f64>().max(1.0);
    let mut ranked: Vec<(u64, f64)> = scores
        .into_iter()
        .map(|(ms, (best, often))| (ms, if by_similarity { best } else { often / lines }))
        .collect();
    ranked.sort_by(|one, two| two.1.total_cmp(&one.1));
    ranked
}

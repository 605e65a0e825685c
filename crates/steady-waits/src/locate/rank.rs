//! From evidence to a list of candidates, each with the line that speaks for it and the reasons in words.

use super::evidence::{Changed, Evidence, Scope, Seen};
use super::features::rated;
use super::model::{Model, Rated, SHARES, probabilities};
use crate::{Candidate, Origin};

/// More values than this are not offered: each costs many runs to try, and the fourth is rarely the one.
const OFFERED: usize = 3;

/// How much the frequency of a value in the folder counts for an added wait. On 48 added waits of ten repositories, the model fitted
/// without the repository that is asked about, 0.3 put the developer's value first in 25 % and among three in 50 %; without it, 23 and 44 %.
const FREQUENCY: f64 = 0.3;

/// The values that a developer would choose, the likeliest first.
pub(crate) fn learned(evidence: &Evidence, model: &Model) -> Vec<Candidate> {
    let offered = ordered(evidence, model).into_iter().take(OFFERED);
    offered.map(|(one, likely)| candidate(evidence, one.ms, likely, why(evidence, model, &one))).collect()
}

/// All values that could be right, in the order in which they are worth a try.
pub fn ordered(evidence: &Evidence, model: &Model) -> Vec<(Rated, f64)> {
    let mut ordered = likely(evidence, model);
    // Developers do write limits below the default; where a wait is too short, that is never the first thing to try.
    if let Some(above) = ordered.iter().position(|(one, _)| one.ms > evidence.default_ms()) {
        ordered[..=above].rotate_right(1);
    }
    ordered
}

/// All values that could be right, each with its probability, the likeliest first.
fn likely(evidence: &Evidence, model: &Model) -> Vec<(Rated, f64)> {
    let is_raise = evidence.target.old_ms().is_some();
    let rated = rated(evidence, &model.tables);
    let scores: Vec<f64> = rated.iter().map(|one| model.score(one, is_raise)).collect();
    let mut ranked: Vec<(Rated, f64)> = rated.into_iter().zip(probabilities(&scores)).collect();
    if evidence.target.wait().is_none() {
        weigh_frequency(evidence, &mut ranked);
    }
    ranked.sort_by(|one, two| two.1.total_cmp(&one.1));
    ranked
}

/// Where a wait is added, developers often write what their folder writes most: how often it writes a value for waits that are paid for,
/// or free, as the one to be added is, counts beside the model.
fn weigh_frequency(evidence: &Evidence, ranked: &mut [(Rated, f64)]) {
    let is_blocking = evidence.addition.map(|addition| addition.kind.is_blocking());
    let is_kindred =
        |seen: &&Seen| is_blocking.is_none_or(|is_blocking| seen.kind.is_blocking() == is_blocking);
    let near = || evidence.seen.iter().filter(|seen| seen.scope != Scope::Around).filter(is_kindred);
    let all = near().count().max(1) as f64;
    for (one, likely) in ranked {
        let share = near().filter(|seen| seen.ms == one.ms).count() as f64 / all;
        *likely = (1.0 - FREQUENCY) * *likely + FREQUENCY * share;
    }
}

/// A candidate with the best line that has its value.
pub(crate) fn candidate(evidence: &Evidence, ms: u64, score: f64, why: String) -> Candidate {
    if let Some(seen) = best_seen(evidence, ms) {
        return Candidate {
            ms,
            score,
            origin: Origin::Current,
            path: Some(seen.path.clone()),
            line: Some(seen.line),
            commit: None,
            text: Some(seen.text.trim().to_owned()),
            kind: Some(seen.kind),
            form: Some(seen.form),
            why,
        };
    }
    match best_changed(evidence, ms) {
        Some(change) => Candidate {
            ms,
            score,
            origin: Origin::History,
            path: Some(change.path.clone()),
            line: Some(change.line),
            commit: Some(change.commit.clone()),
            text: Some(change.text.trim().to_owned()),
            kind: Some(change.kind),
            form: Some(change.form),
            why,
        },
        None => Candidate {
            ms,
            score,
            origin: Origin::Guess,
            path: None,
            line: None,
            commit: None,
            text: None,
            kind: evidence.kind(),
            form: evidence.target.form(),
            why,
        },
    }
}

fn best_seen(evidence: &Evidence, ms: u64) -> Option<&Seen> {
    let kind = evidence.kind();
    let is_kindred = |seen: &&Seen| kind.is_none_or(|kind| kind.is_blocking() == seen.kind.is_blocking());
    let with = || evidence.seen.iter().filter(|seen| seen.ms == ms);
    let rank = |one: &&Seen, two: &&Seen| {
        let key = |seen: &Seen| (kind == Some(seen.kind), std::cmp::Reverse(seen.scope));
        key(one).cmp(&key(two)).then(one.similarity.total_cmp(&two.similarity))
    };
    with().filter(is_kindred).max_by(rank).or_else(|| with().max_by(rank))
}

fn best_changed(evidence: &Evidence, ms: u64) -> Option<&Changed> {
    let with = evidence.changed.iter().filter(|change| change.from == Some(ms) || change.to == Some(ms));
    with.max_by(|one, two| one.similarity.total_cmp(&two.similarity))
}

/// The two strongest reasons for a value.
fn why(evidence: &Evidence, model: &Model, rated: &Rated) -> String {
    let mixture = model.mixture(evidence.target.old_ms().is_some());
    let mut parts: Vec<(f64, usize)> = rated
        .shares
        .iter()
        .zip(&mixture.weights)
        .enumerate()
        .map(|(source, (share, weight))| (share * weight, source))
        .filter(|(part, _)| *part > 0.0)
        .collect();
    parts.sort_by(|one, two| two.0.total_cmp(&one.0));
    let mut reasons: Vec<String> = Vec::new();
    for (_, source) in parts {
        let reason = reason(evidence, rated.ms, SHARES[source]);
        if let Some(reason) = reason.filter(|reason| !reasons.contains(reason)) {
            reasons.push(reason);
        }
        if reasons.len() == 2 {
            break;
        }
    }
    reasons.join(", ")
}

fn reason(evidence: &Evidence, ms: u64, source: &str) -> Option<String> {
    let lines =
        |scope: Scope| evidence.seen.iter().filter(|seen| seen.ms == ms && seen.scope == scope).count();
    let times = |count: usize| match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    };
    let raises = evidence
        .changed
        .iter()
        .filter(|change| change.to == Some(ms) && change.from.is_some_and(|from| from < ms));
    let reason = match source {
        "file" | "nearby" => format!("{} in this file", times(lines(Scope::File))),
        "file_callee" | "folder_callee" => "same call".to_owned(),
        "folder" => format!("{} in the other files of the folder", times(lines(Scope::Folder))),
        "folder_form" => "written the same way in this folder".to_owned(),
        "around" => format!("{} in the folders around", times(lines(Scope::Around))),
        "raised" => format!("chosen as a fix {}", times(raises.count())),
        "raised_from" => format!("raised from {} ms before", evidence.target.old_ms()?),
        "added" => "added to this folder lately".to_owned(),
        "had" => "this line had it before".to_owned(),
        "similar" => "on a similar line".to_owned(),
        "past_factor" => "raised by the same factor before".to_owned(),
        _ => match evidence.target.old_ms() {
            Some(old) => format!("{} times the old value", (ms as f64 / old as f64 * 100.0).round() / 100.0),
            None => "usual for such a wait".to_owned(),
        },
    };
    Some(reason)
}

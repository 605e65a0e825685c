//! Fits the model: tables are counted, weights found by the gradient of the likelihood of what developers chose.

use std::collections::{BTreeMap, BTreeSet};

use steady_waits::locate::{
    Context, FACTS, Mixture, Model, Rated, SHARES, Tables, Target, leading, probabilities, rated,
};

use super::case::Example;

const STEPS: usize = 400;
const RATE: f64 = 0.05;
/// How strongly weights are held where they began: of sources, of the mixtures, of facts.
const HOLD: [f64; 3] = [3.0, 10.0, 3.0];
/// Where the logarithms of the sources' weights begin.
const BEGIN: f64 = -1.0;
/// The weight of a case that was not reviewed, and of one that was found by its message alone.
const UNREVIEWED: f64 = 0.7;
const MINED: f64 = 0.1;
/// Values of the tables that are rarer than this are left out of what ships.
const RARE: f64 = 0.15;

/// Fits a model on examples. The tables that an example sees are counted without its repository, as they will be for a new one.
pub fn fit(examples: &[&Example]) -> Model {
    let repos: BTreeSet<&str> = examples.iter().map(|one| one.case.repo.as_str()).collect();
    let weights = weights(examples);
    let mut samples = Vec::new();
    for repo in repos {
        let others: Vec<&Example> = examples.iter().copied().filter(|one| one.case.repo != repo).collect();
        let tables = tables(&others);
        for (example, weight) in examples.iter().zip(&weights).filter(|(one, _)| one.case.repo == repo) {
            let rated = rated(&example.evidence, &tables);
            if let Some(right) = rated.iter().position(|one| one.ms == example.case.chosen()) {
                samples.push(Sample { rated, right, weight: *weight, is_raise: example.is_raise() });
            }
        }
    }
    let mixture = || Mixture { weights: [BEGIN.exp(); SHARES.len()], trust: 1.0 };
    let begin =
        Model { mixtures: [mixture(), mixture()], facts: [0.0; FACTS.len()], tables: tables(examples) };
    climb(begin, &samples)
}

struct Sample {
    rated: Vec<Rated>,
    right: usize,
    weight: f64,
    is_raise: bool,
}

/// Cases of one commit are much alike, and so are commits of one repository: many count less each.
fn weights(examples: &[&Example]) -> Vec<f64> {
    let mut commits: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    for example in examples {
        *commits.entry(&example.case.repo).or_default().entry(&example.case.commit).or_default() += 1.0;
    }
    let weight = |example: &&Example| {
        let repo = &commits[example.case.repo.as_str()];
        let tier = match (example.case.is_reviewed(), example.case.is_mined()) {
            (true, _) => 1.0,
            (_, false) => UNREVIEWED,
            (_, true) => MINED,
        };
        tier / repo[example.case.commit.as_str()].powf(0.6) / (repo.len() as f64 / 8.0).max(1.0).sqrt()
    };
    examples.iter().map(weight).collect()
}

/// Counts what is usual.
pub fn tables(examples: &[&Example]) -> Tables {
    let mut tables = Tables::default();
    let mut factors: BTreeMap<u64, f64> = BTreeMap::new();
    let mut values: [BTreeMap<u64, f64>; 4] = Default::default();
    for (example, weight) in examples.iter().zip(weights(examples)) {
        let (kind, chosen) = (example.kind_index(), example.case.chosen());
        *values[kind].entry(chosen).or_default() += weight;
        match (&example.evidence.target, example.evidence.target.old_ms()) {
            (_, Some(old)) if chosen > old => {
                *factors.entry((chosen as f64 / old as f64 * 100.0).round() as u64).or_default() += weight;
            }
            (Target::Call(context), _) => {
                let context = Context::ALL.iter().position(|one| one == context).unwrap_or_default();
                tables.kinds[context][kind] += weight;
            }
            _ => {}
        }
    }
    for (kind, shares) in written(examples).into_iter().enumerate() {
        for (ms, share) in shares {
            *values[kind].entry(ms).or_default() += 2.0 * share;
        }
    }
    tables.steps = steps(examples);
    tables.factors = factors.into_iter().collect();
    tables.values = values.map(|values| values.into_iter().collect());
    tables
}

/// How times were raised in the past of these repositories, for any reason; a repository with many raises counts less for each.
fn steps(examples: &[&Example]) -> Vec<(u64, u64, f64)> {
    let mut raises: BTreeMap<&str, BTreeSet<(&str, u64, u64)>> = BTreeMap::new();
    for example in examples {
        let of = raises.entry(&example.case.repo).or_default();
        for change in &example.evidence.changed {
            if let (Some(from), Some(to)) = (change.from, change.to)
                && from > 0
                && from < to
            {
                of.insert((&change.commit, from, to));
            }
        }
    }
    let mut steps: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    for of in raises.values() {
        for (_, from, to) in of {
            let by = (*to as f64 / *from as f64 * 100.0).round() as u64;
            *steps.entry((leading(*from), by)).or_default() += 1.0 / (of.len() as f64).sqrt();
        }
    }
    steps.into_iter().map(|((from, by), count)| (from, by, count)).collect()
}

/// How often a time is written in the tests of these repositories, by kind, each repository counting the same.
fn written(examples: &[&Example]) -> [BTreeMap<u64, f64>; 4] {
    let mut largest: BTreeMap<&str, &Example> = BTreeMap::new();
    for example in examples {
        let entry = largest.entry(&example.case.repo).or_insert(example);
        if example.evidence.seen.len() > entry.evidence.seen.len() {
            *entry = example;
        }
    }
    let mut shares: [BTreeMap<u64, f64>; 4] = Default::default();
    let mut repositories = [0.0; 4];
    for example in largest.values() {
        for (kind, shares) in shares.iter_mut().enumerate() {
            let here = steady_waits::locate::KINDS[kind];
            let times: Vec<u64> =
                example.evidence.seen.iter().filter(|seen| seen.kind == here).map(|seen| seen.ms).collect();
            if times.len() >= 5 {
                repositories[kind] += 1.0;
                for ms in &times {
                    *shares.entry(*ms).or_default() += 1.0 / times.len() as f64;
                }
            }
        }
    }
    for (shares, repositories) in shares.iter_mut().zip(repositories) {
        shares.values_mut().for_each(|share| *share /= f64::max(repositories, 1.0));
    }
    shares
}

/// Follows the gradient, with a pace of its own for each weight (Adam).
fn climb(mut model: Model, samples: &[Sample]) -> Model {
    let begin = flat(&model);
    let mut weights = begin.clone();
    let (mut mean, mut square) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    for step in 1..=STEPS {
        let mut gradient = gradient(&model, samples);
        for (index, slope) in gradient.iter_mut().enumerate() {
            *slope -= hold(index) * (weights[index] - begin[index]);
        }
        let (first, second) = (1.0 - 0.9_f64.powi(step as i32), 1.0 - 0.999_f64.powi(step as i32));
        for (index, slope) in gradient.iter().enumerate() {
            mean[index] = 0.9 * mean[index] + 0.1 * slope;
            square[index] = 0.999 * square[index] + 0.001 * slope * slope;
            weights[index] += RATE * (mean[index] / first) / ((square[index] / second).sqrt() + 1e-8);
        }
        unflat(&mut model, &weights);
    }
    model
}

/// The weights as one list: both mixtures, in logarithms, with their trust, then the facts.
fn flat(model: &Model) -> Vec<f64> {
    let mixtures = model
        .mixtures
        .iter()
        .flat_map(|mixture| mixture.weights.map(f64::ln).into_iter().chain([mixture.trust]));
    mixtures.chain(model.facts).collect()
}

fn unflat(model: &mut Model, weights: &[f64]) {
    let part = SHARES.len() + 1;
    for (index, mixture) in model.mixtures.iter_mut().enumerate() {
        for (weight, log) in mixture.weights.iter_mut().zip(&weights[index * part..]) {
            *weight = log.exp();
        }
        mixture.trust = weights[(index + 1) * part - 1];
    }
    model.facts.copy_from_slice(&weights[2 * part..]);
}

fn hold(index: usize) -> f64 {
    let part = SHARES.len() + 1;
    match index {
        _ if index >= 2 * part => HOLD[2],
        _ if index % part == part - 1 => HOLD[1],
        _ => HOLD[0],
    }
}

fn gradient(model: &Model, samples: &[Sample]) -> Vec<f64> {
    let part = SHARES.len() + 1;
    let mut gradient = vec![0.0; 2 * part + FACTS.len()];
    for sample in samples {
        let scores: Vec<f64> = sample.rated.iter().map(|one| model.score(one, sample.is_raise)).collect();
        let mixture = model.mixture(sample.is_raise);
        let start = if sample.is_raise { 0 } else { part };
        for (index, (rated, likely)) in sample.rated.iter().zip(probabilities(&scores)).enumerate() {
            let pull = sample.weight * (f64::from(u8::from(index == sample.right)) - likely);
            let mixed = mixture.mixed(rated);
            for (source, share) in rated.shares.iter().enumerate() {
                gradient[start + source] += pull * mixture.trust * share * mixture.weights[source] / mixed;
            }
            gradient[start + part - 1] += pull * mixed.ln();
            for (fact, value) in rated.facts.iter().enumerate() {
                gradient[2 * part + fact] += pull * value;
            }
        }
    }
    gradient
}

/// The model as the source of `weights.rs`.
pub fn source(model: &Model, about: &str) -> String {
    let list =
        |values: &[f64]| values.iter().map(|value| format!("{value:.4}")).collect::<Vec<_>>().join(", ");
    let pairs = |values: &[(u64, f64)]| {
        let kept = values.iter().filter(|(_, count)| *count >= RARE);
        kept.map(|(value, count)| format!("({value}, {count:.2})")).collect::<Vec<_>>().join(", ")
    };
    let mixture = |mixture: &Mixture| {
        format!("Mixture {{ weights: [{}], trust: {:.3} }}", list(&mixture.weights), mixture.trust)
    };
    let steps = model.tables.steps.iter().filter(|(.., count)| *count >= RARE);
    let steps: Vec<String> = steps.map(|(from, by, count)| format!("({from}, {by}, {count:.2})")).collect();
    let values = model.tables.values.iter().map(|values| format!("vec![{}]", pairs(values)));
    let kinds = model.tables.kinds.iter().map(|kinds| format!("[{}]", list(kinds)));
    format!(
        "//! The fitted model. Written by `cargo xtask bench waits --fit`; not to be edited by hand.\n//!\n//! {about}\n\n\
         use super::model::{{Mixture, Model, Tables}};\n\n/// The model that ships.\n#[allow(clippy::approx_constant, reason = \"a weight may come near to any number\")]\npub fn fitted() -> Model {{\n    Model {{\n        \
         mixtures: [{}, {}],\n        facts: [{}],\n        tables: Tables {{\n            factors: vec![{}],\n            steps: vec![{}],\n            \
         values: [{}],\n            kinds: [{}],\n        }},\n    }}\n}}\n",
        mixture(&model.mixtures[0]),
        mixture(&model.mixtures[1]),
        list(&model.facts),
        pairs(&model.tables.factors),
        steps.join(", "),
        values.collect::<Vec<_>>().join(", "),
        kinds.collect::<Vec<_>>().join(", "),
    )
}

//! Whole campaigns with tests whose causes are known: how many are named, and how many wrongly.

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use steady_exec::{Capabilities, Probe, probes, spare_seeds};
use steady_model::rerun::{Category, Condition, Ending, Outcome, Perturbation};
use steady_stats::{Confidence, Hypotheses, Sprt};

use crate::judge::judge;
use crate::testing::under;
use crate::{Campaign, Policy, Probing};

/// Why a simulated test fails.
#[derive(Debug, Clone, Copy)]
enum Cause {
    /// Numbers drawn at random.
    Random(f64),
    /// The order of a set.
    Hash(f64),
    /// More often under load than without.
    Load(f64, f64),
    /// Connections that take longer.
    Latency,
    /// The time zone.
    Tz,
    /// A day far ahead.
    Clock,
    /// Nothing that can be changed.
    Hidden(f64),
    /// It does not fail.
    None,
}

impl Cause {
    fn category(self) -> Category {
        match self {
            Self::Random(_) => Category::Rand,
            Self::Hash(_) => Category::Unord,
            Self::Load(..) | Self::Latency => Category::Async,
            Self::Tz | Self::Clock => Category::Time,
            Self::Hidden(_) | Self::None => Category::Unk,
        }
    }

    fn fails(self, test: usize, condition: &Condition, random: &mut ChaCha8Rng, whole: u64) -> bool {
        let draw = random.random::<f64>();
        let seeded = |seed: &String| {
            let seed: u64 = seed.parse().unwrap();
            ChaCha8Rng::seed_from_u64(whole * 10_007 + seed * 101 + test as u64).random::<f64>()
        };
        let value = |what| condition.0.get(&what);
        match self {
            Self::Random(rate) => value(Perturbation::Random).map_or(draw, seeded) < rate,
            Self::Hash(rate) => value(Perturbation::Hash).map_or(draw, seeded) < rate,
            Self::Load(without, with) => draw < value(Perturbation::Load).map_or(without, |_| with),
            Self::Latency => value(Perturbation::Latency).is_some_and(|delay| delay == "+400ms"),
            Self::Tz => value(Perturbation::Tz).is_some(),
            Self::Clock => value(Perturbation::Clock).is_some_and(|shift| shift == "+800d"),
            Self::Hidden(rate) => draw < rate,
            Self::None => false,
        }
    }
}

fn all_probes() -> Vec<Probe> {
    let locales = vec!["C".to_owned()];
    let capabilities = Capabilities { locales, own_language_data: false, can_order: true, can_preload: true };
    let first = Perturbation::ALL.into_iter().flat_map(|what| probes(what, &capabilities, 7));
    first.chain(Perturbation::ALL.into_iter().flat_map(|what| spare_seeds(what, &capabilities))).collect()
}

/// Reruns a project as the default does, and yields the category of each test and the number of runs.
fn rerun(causes: &[Cause], whole: u64) -> (Vec<Category>, u32) {
    let sprt = Sprt::new(Hypotheses::default(), Confidence::new(0.99).unwrap()).unwrap();
    let policy =
        Policy { runs: 100, until_stable: true, sprt, probing: Probing::WhenFlaky, explain: Some(75) };
    let mut campaign = Campaign::new(&[], policy, all_probes());
    let mut random = ChaCha8Rng::seed_from_u64(whole);
    let names: Vec<String> = (0..causes.len()).map(|test| format!("test {test:02}")).collect();
    while let Some(task) = campaign.next_task() {
        let outcome = |(test, cause): (usize, &Cause)| {
            let failed = cause.fails(test, &task.condition, &mut random, whole);
            (names[test].as_str(), if failed { Outcome::Failed } else { Outcome::Passed })
        };
        let results: Vec<_> = causes.iter().enumerate().map(outcome).collect();
        campaign.observe(&under(task.condition.clone(), task.number, Ending::Exited(0), &results));
    }
    let reports = judge(campaign.evidence(), sprt);
    let categories = reports.iter().map(|report| report.category.unwrap_or(Category::Unk)).collect();
    (categories, campaign.evidence().runs)
}

/// Fifteen tests of all kinds.
const PROJECT: [Cause; 15] = [
    Cause::Tz,
    Cause::Clock,
    Cause::Latency,
    Cause::Random(0.5),
    Cause::Random(0.3),
    Cause::Random(0.7),
    Cause::Random(0.2),
    Cause::Hash(0.5),
    Cause::Hash(0.3),
    Cause::Load(0.3, 0.95),
    Cause::Load(0.1, 0.8),
    Cause::Load(0.0, 0.9),
    Cause::Hidden(0.3),
    Cause::None,
    Cause::None,
];
const CAMPAIGNS: u32 = 16;

#[test]
fn causes_are_named_and_hardly_ever_wrongly() {
    let (mut right, mut unknown, mut wrong, mut all_runs) = (0, 0, Vec::new(), 0);
    for whole in 0..CAMPAIGNS {
        let (categories, runs) = rerun(&PROJECT, u64::from(whole));
        all_runs += runs;
        for (cause, category) in PROJECT.iter().zip(categories) {
            match category {
                category if category == cause.category() => right += 1,
                Category::Unk => unknown += 1,
                other => wrong.push(format!("{cause:?} is called {other}")),
            }
        }
    }
    let all = CAMPAIGNS * PROJECT.len() as u32;
    assert!(wrong.len() as u32 * 100 <= all, "{wrong:?}");
    assert!(right * 100 >= all * 95, "{right} of {all} are named, {unknown} are not");
    assert!(all_runs <= CAMPAIGNS * 95, "{all_runs} runs");
}

//! What `steady rerun` does.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use steady_model::rerun::Perturbation;
use steady_model::shard::Shard;
use steady_rerun::{Policy, Probing};
use steady_stats::{Confidence, Hypotheses, Rate, Sprt};

use super::RerunArgs;
use crate::config::{Config, StoreConfig};
use crate::error::CommandError;
use crate::options::{SharedOptions, or_list};
use crate::values::{Explain, Perturbations, Probability};

const DEFAULT_RUNS: u32 = 100;
/// Nothing waits for ever.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(3_600);
const DEFAULT_CONFIDENCE: Probability = Probability(0.99);

/// What `steady rerun` does.
#[derive(Debug, Clone)]
pub struct RerunOptions {
    /// Options every command has.
    pub shared: SharedOptions,
    /// The test command.
    pub command: Vec<String>,
    /// How much is run.
    pub policy: Policy,
    /// What is changed around the tests.
    pub perturbations: Vec<Perturbation>,
    /// When no further run is started.
    pub time: Option<Duration>,
    /// When a run is ended.
    pub timeout: Duration,
    /// How many runs are made at the same time.
    pub jobs: usize,
    /// Whether every job has its own copy of the folder.
    pub isolate: bool,
    /// Variables for the command.
    pub variables: Vec<(String, String)>,
    /// Which part of the tests is rerun.
    pub shard: Option<Shard>,
    /// Whether tests are shared out by how long they took.
    pub balance: bool,
    /// Patterns of the files that hold results.
    pub results: Vec<String>,
    /// Where verdicts are written as JUnit XML.
    pub junit: Option<PathBuf>,
    /// Where flaky tests are written as SARIF.
    pub sarif: Option<PathBuf>,
    /// Where runs are remembered; `None`: nowhere.
    pub store: Option<StoreConfig>,
}

impl RerunOptions {
    /// Reads `steady.toml`, and lets the environment and flags have the last word.
    pub fn resolve(shared: &SharedOptions, args: RerunArgs) -> Result<Self, CommandError> {
        let config = Config::load(shared.config.as_deref())?;
        let rerun = config.rerun;
        let chosen = args.perturb.or(rerun.perturb).unwrap_or_default();
        let shuffle = args.shuffle || rerun.shuffle;
        let (perturbations, probing) = perturbations(chosen, shuffle);
        let runs = args.runs.or(rerun.runs).map_or(DEFAULT_RUNS, NonZeroU32::get);
        let policy = Policy {
            runs,
            until_stable: args.until_stable || rerun.until_stable,
            sprt: sequential_test(
                args.confidence.or(rerun.confidence),
                args.flake_rate.or(rerun.flake_rate),
            )?,
            probing,
            explain: match probing {
                Probing::Always => None,
                Probing::WhenFlaky => args.explain.or(rerun.explain).unwrap_or(Explain::Runs(runs)).most(),
            },
        };
        let shard = args.shard.map(|choice| choice.resolve(&|name| std::env::var(name).ok())).transpose()?;
        Ok(Self {
            shared: shared.clone(),
            command: args.command,
            policy,
            perturbations,
            time: args.time.or(rerun.time).map(|span| span.0),
            timeout: args.timeout.or(rerun.timeout).map_or(DEFAULT_TIMEOUT, |span| span.0),
            jobs: args.jobs.or(rerun.jobs).map_or(1, NonZeroUsize::get),
            isolate: args.isolate || rerun.isolate,
            variables: variables(rerun.env, args.env),
            balance: args.balance,
            shard: shard.filter(|shard| !shard.is_whole()),
            results: or_list(args.results, &rerun.results),
            junit: args.junit,
            sarif: args.sarif,
            store: (!args.no_store).then_some(config.store),
        })
    }
}

/// A list is tried in any case; what `auto` tries is to explain what is flaky.
fn perturbations(chosen: Perturbations, shuffle: bool) -> (Vec<Perturbation>, Probing) {
    match chosen {
        Perturbations::These(mut these) => {
            if shuffle && !these.contains(&Perturbation::Order) {
                these.push(Perturbation::Order);
            }
            (these, Probing::Always)
        }
        _ if shuffle => (vec![Perturbation::Order], Probing::Always),
        Perturbations::Auto => (Perturbation::ALL.into(), Probing::WhenFlaky),
        Perturbations::Off => (Vec::new(), Probing::WhenFlaky),
    }
}

/// The test that decides about a test.
pub fn sequential_test(
    confidence: Option<Probability>,
    flake_rate: Option<Probability>,
) -> Result<Sprt, CommandError> {
    let confidence = Confidence::new(confidence.unwrap_or(DEFAULT_CONFIDENCE).0)?;
    let mut hypotheses = Hypotheses::default();
    if let Some(rate) = flake_rate {
        hypotheses.tolerated = Rate::new(rate.0)?;
        // What must be found lies above what is tolerated, however much that is.
        if hypotheses.tolerated >= hypotheses.clear {
            hypotheses.clear = Rate::new(f64::midpoint(rate.0, 1.0))?;
        }
    }
    Ok(Sprt::new(hypotheses, confidence)?)
}

/// Flags are added to what the file sets, and beat it.
fn variables(file: BTreeMap<String, String>, flags: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut variables: Vec<_> = file.into_iter().collect();
    for (name, value) in flags {
        variables.retain(|(known, _)| *known != name);
        variables.push((name, value));
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_tried_in_any_case_and_auto_only_to_explain() {
        let (these, probing) = perturbations(Perturbations::These(vec![Perturbation::Tz]), true);
        assert_eq!((these, probing), (vec![Perturbation::Tz, Perturbation::Order], Probing::Always));
        assert_eq!(perturbations(Perturbations::Auto, false).1, Probing::WhenFlaky);
        assert_eq!(perturbations(Perturbations::Auto, true).0, [Perturbation::Order]);
    }

    #[test]
    fn flags_beat_the_variables_of_the_file() {
        let file = ["A", "B"].map(|name| (name.to_owned(), "1".to_owned()));
        let all = variables(file.into(), vec![("A".to_owned(), "2=3".to_owned())]);
        assert_eq!(all, [("B".to_owned(), "1".to_owned()), ("A".to_owned(), "2=3".to_owned())]);
    }
}

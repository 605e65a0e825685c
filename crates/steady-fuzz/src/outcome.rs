//! What a run yields.

use steady_flaky::relax::conclude;
use steady_model::rerun::Part;
use steady_model::{
    ApiInfo, AssertionCounts, Detection, FORMAT_VERSION, Fault, FaultCode, Findings, Group, OperationCounts,
    OperationId, Suite, Summary,
};
use steady_search::Engine;
use steady_search::catalog::Catalog;
use steady_shard::{Shard, Timed, fingerprint};

use crate::documented::Documented;
use crate::options::FuzzOptions;
use crate::play::Player;
use crate::search::Searched;
use crate::settle::Settled;

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The tests.
    pub suite: Suite,
    /// What is wrong with the API.
    pub findings: Findings,
    /// The figures.
    pub summary: Summary,
    /// Whether the user ended it early.
    pub interrupted: bool,
    /// Operations that never answered with a 2xx, and the statuses they gave.
    pub unsuccessful: Vec<(OperationId, Vec<u16>)>,
}

pub fn assemble(
    engine: Engine,
    player: &Player<'_>,
    options: &FuzzOptions,
    title: String,
    searched: &Searched,
    mut settled: Settled,
) -> Outcome {
    settled.trials.sort_by_key(|trial| match trial.test.group {
        Group::Successes => 0,
        Group::Faults => 1,
        Group::Others => 2,
    });
    let catalog = &engine.terrain.catalog;
    let operations = OperationCounts {
        total: catalog.described,
        successful: engine.successful(),
        any: engine.answered(),
        protected: (0..catalog.described)
            .filter(|endpoint| engine.terrain.guard.closed(*endpoint).is_some())
            .count(),
    };
    let unsuccessful = engine
        .unsuccessful()
        .into_iter()
        .map(|(endpoint, statuses)| (catalog.endpoints[endpoint].operation.id.clone(), statuses))
        .collect();
    let part = part(options.shard, catalog);
    let (tests, flaky) = conclude(&settled.trials, options.flaky, &Documented(catalog));
    let faults = faults(engine, &settled);
    let summary = Summary {
        version: FORMAT_VERSION,
        seed: options.seed,
        part,
        seconds: player.budget.elapsed().as_secs_f64(),
        requests: player.budget.spent(),
        requests_per_second: searched.requests as f64 / searched.elapsed.as_secs_f64().max(1e-9),
        operations,
        tests: tests.len(),
        assertions: AssertionCounts::of(&tests),
        detection: detection(&settled),
        faults: faults.len(),
        peak_memory_bytes: peak_memory(),
    };
    Outcome {
        suite: Suite {
            version: FORMAT_VERSION,
            api: ApiInfo { title, url: options.url.to_string() },
            seed: options.seed,
            identities: options.identities.clone(),
            tests,
        },
        findings: Findings { version: FORMAT_VERSION, flaky, faults, externals: Vec::new() },
        summary,
        interrupted: player.budget.interrupted(),
        unsuccessful,
    }
}

/// Which part of the search this was, and a fingerprint of the operations that were shared out.
fn part(shard: Shard, catalog: &Catalog) -> Option<Part> {
    if shard.is_whole() {
        return None;
    }
    let names: Vec<String> = catalog.endpoints[..catalog.described]
        .iter()
        .map(|endpoint| endpoint.operation.id.to_string())
        .collect();
    let operations: Vec<Timed<'_>> = names.iter().map(|name| Timed { name, duration: None }).collect();
    Some(Part { index: shard.index(), count: shard.count(), whole: fingerprint(&operations) })
}

fn faults(engine: Engine, settled: &Settled) -> Vec<Fault> {
    let with_tests = engine.faults.into_iter().map(|(key, mut fault)| {
        fault.tests = settled.shown.get(&key.goal()).cloned().unwrap_or_default();
        fault
    });
    // A comparison of several answers can be fooled by chance once; what no re-check saw again is not reported.
    let compares =
        |code: FaultCode| matches!(code, FaultCode::PutNotIdempotent | FaultCode::ValidInputRejected);
    let fooled = |fault: &Fault| compares(fault.code) && fault.tests.is_empty();
    let mut faults: Vec<Fault> = with_tests.filter(|fault| !fooled(fault)).collect();
    faults.sort_by(|a, b| (a.code, &a.operation).cmp(&(b.code, &b.operation)));
    faults
}

/// What looking for flaky assertions took; nothing when nothing was done.
fn detection(settled: &Settled) -> Option<Detection> {
    let cost = &settled.cost;
    (cost.runs() > 0).then(|| Detection {
        steps: cost.spent.iter().map(ToString::to_string).collect(),
        runs: cost.runs(),
        requests: cost.requests(),
        seconds: settled.steadied.as_secs_f64(),
    })
}

/// The high-water mark the kernel keeps, where there is one.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

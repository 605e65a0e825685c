//! What a run yields.

use indexmap::IndexMap;
use jiff::Timestamp;
use serde_json::Value;
use steady_flaky::infer::Context;
use steady_flaky::{Cause, Evidence, Kind, Step, Variation, classify};
use steady_model::rerun::Part;
use steady_model::{
    ApiInfo, AssertionCounts, FORMAT_VERSION, Fault, FaultCode, Findings, Flaky, Group, OperationCounts,
    OperationId, Place, Suite, Summary,
};
use steady_search::Engine;
use steady_search::catalog::Catalog;
use steady_search::settle::Varied;
use steady_shard::{Shard, Timed, fingerprint};

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
    settled.tests.sort_by_key(|test| match test.group {
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
    let flaky = flaky(&settled, Timestamp::now());
    let faults = faults(engine, &settled);
    let summary = Summary {
        version: FORMAT_VERSION,
        seed: options.seed,
        part,
        seconds: player.budget.elapsed().as_secs_f64(),
        requests: player.budget.spent(),
        requests_per_second: searched.requests as f64 / searched.elapsed.as_secs_f64().max(1e-9),
        operations,
        tests: settled.tests.len(),
        assertions: AssertionCounts::of(&settled.tests),
        faults: faults.len(),
        peak_memory_bytes: peak_memory(),
    };
    Outcome {
        suite: Suite {
            version: FORMAT_VERSION,
            api: ApiInfo { title, url: options.url.to_string() },
            seed: options.seed,
            identities: options.identities.clone(),
            tests: settled.tests,
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

/// One entry per operation, status and place, however many tests saw it.
fn flaky(settled: &Settled, now: Timestamp) -> Vec<Flaky> {
    let mut places: IndexMap<(OperationId, u16, Place), Flaky> = IndexMap::new();
    for (varied, test) in &settled.varied {
        let key = (varied.operation.clone(), varied.status, varied.place.clone());
        let cause = cause(varied, now);
        let entry = places.entry(key).or_insert_with(|| Flaky {
            operation: varied.operation.clone(),
            status: varied.status,
            place: varied.place.clone(),
            category: cause.category.name().to_owned(),
            evidence: cause.evidence,
            observed: varied.observed.clone(),
            handling: "relaxed".to_owned(),
            matcher: varied.matcher.name(),
            tests: Vec::new(),
        });
        if !entry.tests.contains(test) {
            entry.tests.push(test.clone());
        }
    }
    places.into_values().collect()
}

/// Why a value varies, as far as re-running it in place and its shape tell.
fn cause(varied: &Varied, now: Timestamp) -> Cause {
    let value = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
    let seen = varied.observed.iter().map(value);
    let variation = Variation::new(varied.place.clone(), Kind::Value, seen);
    let evidence = Evidence::of(&variation, &Context::at(&varied.place, now)).moved(Step::Rerun);
    classify(&variation, &evidence)
}

/// The high-water mark the kernel keeps, where there is one.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

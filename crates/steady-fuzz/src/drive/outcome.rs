//! What a run yields.

use steady_flaky::relax::{conclude, without_secrets};
use steady_model::shard::{Shard, ShardOfWhole, Timed, fingerprint};
use steady_model::{
    ApiInfo, AssertionCounts, Base, Detection, Fault, FaultCode, Findings, Group, Identity, OperationCounts,
    OperationId, Substitution, Suite, Summary,
};

use super::documented::Documented;
use super::ending::Ending;
use super::options::FuzzOptions;
use super::play::Player;
use super::recheck::Rechecked;
use super::search::Searched;
use crate::Engine;
use crate::catalog::Catalog;

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The tests.
    pub suite: Suite,
    /// What is wrong with the API.
    pub findings: Findings,
    /// Tests that are not in the suite because they send what the API issued to another one, by name.
    pub withheld: Vec<String>,
    /// The figures.
    pub summary: Summary,
    /// How it came to its end.
    pub ending: Ending,
    /// Operations that never answered with a 2xx, and the statuses they gave.
    pub unsuccessful: Vec<(OperationId, Vec<u16>)>,
}

pub fn assemble(
    engine: &Engine,
    player: &Player<'_, '_>,
    options: &FuzzOptions,
    title: String,
    searched: &Searched,
    mut rechecked: Rechecked,
) -> Outcome {
    rechecked.tests.sort_by_key(|observed| match observed.test.group {
        Group::Successes => 0,
        Group::Faults => 1,
        Group::Others => 2,
    });
    let catalog = &engine.model().catalog;
    let operations = OperationCounts {
        total: catalog.described_count(),
        successful: engine.successful(),
        any: engine.answered(),
        protected: catalog.described().filter(|(id, _)| engine.model().guard.refused(*id).is_some()).count(),
    };
    let unsuccessful = engine
        .unsuccessful()
        .into_iter()
        .map(|(endpoint, statuses)| (catalog[endpoint].operation.id.clone(), statuses))
        .collect();
    let part = part(options.shard, catalog);
    let (tests, flaky) = conclude(&rechecked.tests, options.flaky, &Documented(catalog));
    let faults = faults(engine, &rechecked, player.unrequested().is_some());
    let mut findings = Findings { version: Findings::VERSION, flaky, faults, externals: Vec::new() };
    let mut suite = Suite {
        version: Suite::VERSION,
        api: ApiInfo { title, url: options.url.to_string() },
        seed: options.seed,
        identities: identities(player, options),
        tests,
    };
    Substitution::of_base(&Base::at(&suite.api.url)).suite(&mut suite);
    let withheld = without_secrets(&mut suite, &options.secrets);
    findings.forget_tests(&withheld);
    options.secrets.mask_findings(&mut findings);
    let summary = Summary {
        version: Summary::VERSION,
        seed: options.seed,
        part,
        seconds: player.budget.elapsed().as_secs_f64(),
        requests: player.budget.spent(),
        requests_per_second: searched.requests as f64 / searched.elapsed.as_secs_f64().max(1e-9),
        operations,
        tests: suite.tests.len(),
        assertions: AssertionCounts::of(&suite.tests),
        detection: detection(&rechecked),
        faults: findings.faults.len(),
        peak_memory_bytes: peak_memory(),
    };
    Outcome { suite, findings, withheld, summary, ending: ending(player), unsuccessful }
}

/// The identities, with logins where they were found.
fn identities(player: &Player<'_, '_>, options: &FuzzOptions) -> Vec<Identity> {
    let sessions = player.sessions();
    let mut identities = options.identities.clone();
    for identity in &mut identities {
        if let (Some(login), Some(url)) = (&mut identity.login, sessions.login_at_root(&identity.name)) {
            login.request.target = url.into();
        }
    }
    identities
}

/// An API that is gone explains more than the user's patience.
fn ending(player: &Player<'_, '_>) -> Ending {
    match player.gone() {
        Some(error) => Ending::ApiGone { requests: player.answers(), error },
        None if player.budget.interrupted() => Ending::Interrupted,
        None => Ending::Complete,
    }
}

/// Which part of the search this was, and a fingerprint of the operations that were shared out.
fn part(shard: Shard, catalog: &Catalog) -> Option<ShardOfWhole> {
    if shard.is_whole() {
        return None;
    }
    let names: Vec<String> =
        catalog.described().map(|(_, endpoint)| endpoint.operation.id.to_string()).collect();
    let operations: Vec<Timed<'_>> = names.iter().map(|name| Timed { name, duration: None }).collect();
    Some(ShardOfWhole { shard, whole: fingerprint(&operations) })
}

/// The faults to report. With `unrequested` responses about, an answer of the search may have been one to an earlier request.
fn faults(engine: &Engine, rechecked: &Rechecked, unrequested: bool) -> Vec<Fault> {
    let with_tests = engine.causes().into_iter().map(|(mut fault, goals)| {
        let shown = goals.iter().filter_map(|goal| rechecked.shown.get(goal)).flatten();
        for test in shown {
            if !fault.tests.contains(test) {
                fault.tests.push(test.clone());
            }
        }
        fault
    });
    // A comparison of several answers can be fooled by chance once; what no re-check saw again is not reported.
    let compares =
        |code: FaultCode| matches!(code, FaultCode::PutNotIdempotent | FaultCode::ValidInputRejected);
    let doubtful = |code: FaultCode| unrequested && code != FaultCode::BrokenResponse;
    let fooled = |fault: &Fault| (compares(fault.code) || doubtful(fault.code)) && fault.tests.is_empty();
    let mut faults: Vec<Fault> = with_tests.filter(|fault| !fooled(fault)).collect();
    faults.sort_by(|a, b| (a.code, &a.operation).cmp(&(b.code, &b.operation)));
    faults
}

/// What looking for flaky assertions took; nothing when nothing was done.
fn detection(rechecked: &Rechecked) -> Option<Detection> {
    let cost = &rechecked.cost;
    (cost.runs() > 0).then(|| Detection {
        steps: cost.spent.iter().map(ToString::to_string).collect(),
        runs: cost.runs(),
        requests: cost.requests(),
        seconds: rechecked.detection.as_secs_f64(),
        left_out: cost.left_out.clone(),
        unchecked: rechecked.unchecked.clone(),
    })
}

/// The high-water mark the kernel keeps, where there is one.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

//! The figures of all searches.

use std::collections::BTreeSet;

use steady_model::{AssertionCounts, Findings, OperationCounts, OperationId, Summary, TestCase};

use super::Results;

/// Adds the figures up. Searches run beside each other: together they take as long as the longest.
pub fn join(
    all: &[Results],
    tests: &[TestCase],
    findings: &Findings,
    reached: &BTreeSet<(OperationId, u16)>,
) -> Summary {
    let summaries = || all.iter().map(|results| &results.summary);
    let largest = |figure: fn(&OperationCounts) -> usize| {
        summaries().map(|summary| figure(&summary.operations)).max().unwrap_or(0)
    };
    let answered = |wanted: fn(u16) -> bool| {
        let operations = reached.iter().filter(|(_, status)| wanted(*status)).map(|(operation, _)| operation);
        operations.collect::<BTreeSet<_>>().len()
    };
    Summary {
        version: Summary::VERSION,
        seed: all.first().map_or(0, |results| results.summary.seed),
        part: None,
        seconds: summaries().map(|summary| summary.seconds).fold(0.0, f64::max),
        requests: summaries().map(|summary| summary.requests).fold(0, u64::saturating_add),
        requests_per_second: summaries().map(|summary| summary.requests_per_second).sum(),
        operations: OperationCounts {
            total: largest(|operations| operations.total),
            successful: answered(|status| (200..300).contains(&status)),
            any: answered(|_| true),
            protected: largest(|operations| operations.protected),
        },
        tests: tests.len(),
        assertions: AssertionCounts::of(tests),
        faults: findings.faults.len(),
        detection: None,
        peak_memory_bytes: summaries().filter_map(|summary| summary.peak_memory_bytes).max(),
    }
}

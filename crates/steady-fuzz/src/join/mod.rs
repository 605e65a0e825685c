//! Makes one suite of what several searches of the same API found.
//!
//! [`join`] takes the [`Results`] of each: tests that show nothing others do not show are left out, faults that are the same
//! are reported once, and figures are added up. The order the results come in does not matter, and those of one search stay as
//! they are.

mod findings;
mod summary;
mod tests;

use std::collections::BTreeSet;

use steady_model::{Findings, Identity, OperationId, Suite, Summary};

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The tests.
    pub suite: Suite,
    /// What is wrong with the API.
    pub findings: Findings,
    /// The figures.
    pub summary: Summary,
    /// The statuses that operations answered with.
    pub reached: BTreeSet<(OperationId, u16)>,
}

/// Results that do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// There are none.
    #[error("there are no results to merge")]
    Nothing,
    /// They are about different APIs.
    #[error("`{first}` and `{other}` are different APIs")]
    DifferentApis {
        /// One title.
        first: String,
        /// Another.
        other: String,
    },
    /// The same name stands for different callers.
    #[error("`{name}` is not the same caller in all results: headers or login differ")]
    DifferentIdentities {
        /// The name.
        name: String,
    },
}

/// Joins results as if one long search had found all of it.
pub fn join(mut all: Vec<Results>) -> Result<Results, JoinError> {
    all.sort_by_cached_key(rank);
    check_apis(&all)?;
    let identities = identities(&all)?;
    let [first, _, ..] = all.as_slice() else { return all.pop().ok_or(JoinError::Nothing) };
    let suites: Vec<&Suite> = all.iter().map(|results| &results.suite).collect();
    let kept = tests::reduce(&suites);
    let findings = findings::join(&all, &kept.names);
    let reached: BTreeSet<_> = all.iter().flat_map(|results| results.reached.iter().cloned()).collect();
    let summary = summary::join(&all, &kept.tests, &findings, &reached);
    let suite = Suite {
        version: Suite::VERSION,
        api: first.suite.api.clone(),
        seed: first.suite.seed,
        identities,
        tests: kept.tests,
    };
    Ok(Results { suite, findings, summary, reached })
}

/// Decides who comes first, whatever order the results are given in.
fn rank(results: &Results) -> (Option<u32>, u64, String) {
    let content = format!("{:?} {:?} {:?}", results.suite, results.findings, results.summary);
    (results.summary.part.map(|part| part.shard.index()), results.suite.seed, content)
}

/// The title decides: machines may well reach the same API at different addresses.
fn check_apis(all: &[Results]) -> Result<(), JoinError> {
    let mut titles = all.iter().map(|results| &results.suite.api.title);
    let Some(first) = titles.next() else { return Err(JoinError::Nothing) };
    match titles.find(|title| *title != first) {
        Some(other) => Err(JoinError::DifferentApis { first: first.clone(), other: other.clone() }),
        None => Ok(()),
    }
}

fn identities(all: &[Results]) -> Result<Vec<Identity>, JoinError> {
    let mut joined: Vec<Identity> = Vec::new();
    for identity in all.iter().flat_map(|results| &results.suite.identities) {
        match joined.iter().find(|known| known.name == identity.name) {
            Some(known) if known == identity => {}
            Some(known) => return Err(JoinError::DifferentIdentities { name: known.name.clone() }),
            None => joined.push(identity.clone()),
        }
    }
    Ok(joined)
}

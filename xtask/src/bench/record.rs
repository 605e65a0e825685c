//! What one tool did to one service, in terms both tools are counted by.

use std::collections::BTreeSet;

use serde::Serialize;

use super::suite::SuiteRun;

/// A tool's run against a service.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Record {
    /// The tool and its version.
    pub tool: String,
    /// Operations it says the document has.
    pub operations: usize,
    /// Operations that answered with a 2xx at least once.
    pub successful: BTreeSet<String>,
    /// Distinct server errors: operation and normalised message.
    pub server_errors: BTreeSet<String>,
    /// Distinct faults by the tool's own de-duplication.
    pub faults: usize,
    /// Distinct pairs of operation and kind of fault.
    pub fault_kinds: BTreeSet<String>,
    /// Requests it made.
    pub requests: u64,
    /// Requests per second while it was testing.
    pub requests_per_second: f64,
    /// How long the process ran, start-up and reports included.
    pub seconds: f64,
    /// The most memory it held, in bytes.
    pub peak_memory: u64,
    /// Whether the service still ran afterwards.
    pub service_alive: bool,
    /// Whether the credential was still good afterwards, where there is one.
    pub credential_alive: Option<bool>,
    /// The emitted suite, run against the service the tool has just left.
    pub suite_live: Option<SuiteRun>,
    /// The emitted suite, run against a service started afresh.
    pub suite_fresh: Option<SuiteRun>,
}

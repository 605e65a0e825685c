//! What a run is asked to do.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use steady_flaky::drive::DetectionPlan;
use steady_flaky::relax::Policy;
use steady_http::{BaseUrl, ClientOptions};
use steady_model::shard::Shard;
use steady_model::{Identity, Secrets};
use steady_openapi::Operation;
use steady_process::Cancel;

/// Everything a run needs to know.
pub struct FuzzOptions {
    /// Where the API is.
    pub url: BaseUrl,
    /// What stands before every path of the document.
    pub base_path: String,
    /// How requests are sent.
    pub client: ClientOptions,
    /// How long search and re-check may take together.
    pub time: Option<Duration>,
    /// How long looking for flaky values may take after that; as long again when absent.
    pub detect_time: Option<Duration>,
    /// How many requests it may send.
    pub requests: Option<u64>,
    /// How many requests a second it may send.
    pub rate: Option<f64>,
    /// How many connections work at once.
    pub workers: NonZeroUsize,
    /// Decides everything random.
    pub seed: u64,
    /// Which of several machines this is: each searches with a seed of its own, and mostly among operations of its own.
    pub shard: Shard,
    /// Who calls are made as.
    pub identities: Vec<Identity>,
    /// The secrets the identities refer to, and those that the run comes to know.
    pub secrets: Secrets,
    /// The accounts the identities belong to, to be left alone.
    pub principals: Vec<String>,
    /// What becomes of assertions that do not hold every time.
    pub flaky: Policy,
    /// How those are found once the tests are written.
    pub plan: DetectionPlan,
    /// Which operations may be called.
    pub keep: Box<dyn Fn(&Operation) -> bool>,
    /// Set when the user wants the run to end.
    pub cancel: Cancel,
}

impl FuzzOptions {
    /// How long looking for flaky values may take.
    pub(crate) fn detection(&self) -> Option<Duration> {
        self.detect_time.or(self.time)
    }

    /// The seed of this shard.
    pub(crate) fn shard_seed(&self) -> u64 {
        self.shard.seed(self.seed)
    }
}

impl fmt::Debug for FuzzOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FuzzOptions")
            .field("url", &self.url)
            .field("base_path", &self.base_path)
            .field("time", &self.time)
            .field("requests", &self.requests)
            .field("workers", &self.workers)
            .field("seed", &self.seed)
            .field("shard", &self.shard)
            .finish_non_exhaustive()
    }
}

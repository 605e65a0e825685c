//! This machine's share of the tests.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use steady_model::rerun::TestId;
use steady_model::shard::{Shard, ShardOfWhole, Timed, balanced, by_hash, fingerprint};

use super::RerunOptions;
use crate::error::{CommandError, UsageError};
use crate::store;

/// This machine's share of the tests: by their names, or by how long they took.
pub struct Share {
    shard: Shard,
    /// How long tests took, where they are shared out by that.
    durations: Option<BTreeMap<TestId, f64>>,
    /// What the tests were when they were shared out.
    whole: Cell<Option<u64>>,
}

impl Share {
    /// Reads what is needed to share tests out.
    pub fn new(shard: Shard, options: &RerunOptions, folder: &Path) -> Result<Self, CommandError> {
        let durations = match (&options.store, options.balance) {
            (_, false) => None,
            (Some(config), true) => {
                Some(store::open(config, folder)?.durations(&store::project_name(config, folder))?)
            }
            (None, true) => {
                return Err(UsageError {
                    message: "`--balance` needs the store".to_owned(),
                    hint: "remove `--no-store`".to_owned(),
                }
                .into());
            }
        };
        Ok(Self { shard, durations, whole: Cell::new(None) })
    }

    /// The tests of this share, of all there are.
    pub fn pick(&self, tests: &[TestId]) -> Vec<TestId> {
        let timed: Vec<Timed<'_>> =
            tests.iter().map(|test| Timed { name: test.as_str(), duration: self.duration(test) }).collect();
        self.whole.set(Some(fingerprint(&timed)));
        if self.durations.is_some() {
            return balanced(&timed, self.shard).into_iter().map(TestId::from).collect();
        }
        let names: Vec<&str> = tests.iter().map(TestId::as_str).collect();
        by_hash(&names, self.shard).into_iter().map(|name| TestId::from(*name)).collect()
    }

    fn duration(&self, test: &TestId) -> Option<Duration> {
        let milliseconds = self.durations.as_ref()?.get(test)?;
        Duration::try_from_secs_f64(milliseconds / 1000.0).ok()
    }

    /// Which part of which whole it was, once the tests were known.
    pub fn part(&self) -> Option<ShardOfWhole> {
        let whole = self.whole.get()?;
        Some(ShardOfWhole { shard: self.shard, whole })
    }
}

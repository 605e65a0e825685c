//! `steady history`.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use steady_store::{Bucket, HistoryQuery, TestHistory, TestPattern};

use crate::cli::{BucketChoice, HistoryArgs, SharedArgs};
use crate::config::Config;
use crate::error::{CommandError, UserError};
use crate::exit::Exit;
use crate::options::SharedOptions;
use crate::{store, terminal};

/// The answer cannot be written as JSON.
#[derive(Debug, thiserror::Error)]
#[error("the history cannot be written as JSON")]
struct JsonError(#[from] serde_json::Error);

impl UserError for JsonError {}

/// Shows how often tests failed over time.
pub fn run(shared: &SharedArgs, args: &HistoryArgs) -> Result<Exit, CommandError> {
    let config = Config::load(shared.config.as_deref())?.store;
    let folder = Path::new(".");
    let mut store = store::open_existing(&config, folder)?;
    let since = Timestamp::now() - SignedDuration::try_from(args.since.0).unwrap_or(SignedDuration::MAX);
    let query = HistoryQuery {
        tests: args.test.as_deref().map(TestPattern::new),
        since: Some(since),
        bucket: bucket(args.by),
        limit: u32::try_from(args.limit.get()).unwrap_or(u32::MAX),
        ..HistoryQuery::new(store::project_name(&config, folder))
    };
    let mut tests = store.history(&query)?;
    if !args.all {
        tests.retain(|test| !test.failed_under.is_empty());
    }
    let shared = SharedOptions::from_args(shared);
    let text = if shared.json { json(&tests)? } else { terminal::history_report(&tests, args.since) };
    terminal::print(&text)?;
    Ok(Exit::Clean)
}

/// One line: `{"version":1,"tests":[…]}`.
fn json(tests: &[TestHistory]) -> Result<String, JsonError> {
    let answer = serde_json::json!({"version": steady_model::FORMAT_VERSION, "tests": tests});
    Ok(serde_json::to_string(&answer)? + "\n")
}

fn bucket(choice: BucketChoice) -> Bucket {
    match choice {
        BucketChoice::Hour => Bucket::Hour,
        BucketChoice::Day => Bucket::Day,
        BucketChoice::Week => Bucket::Week,
    }
}

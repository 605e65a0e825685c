//! `steady history`.

mod args;
mod report;

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde_json::Map;
use steady_model::Event;
use steady_store::{HistoryQuery, TestPattern};

pub use args::HistoryArgs;

use crate::config::Config;
use crate::error::{CommandError, UserError};
use crate::exit::Exit;
use crate::session::{Ended, Session};
use crate::store;

/// The history cannot be written as JSON.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the history as JSON")]
struct JsonError(#[source] serde_json::Error);

impl UserError for JsonError {}

/// Shows how often tests failed over time.
pub fn run(session: &Session, args: &HistoryArgs) -> Result<Ended, CommandError> {
    let config = Config::load(session.shared().config.as_deref())?.store;
    // Reading the store owns no process: a signal need not wait for it.
    let _immediate = session.cancel().exit_immediately();
    let folder = Path::new(".");
    let mut store = store::open_existing(&config, folder)?;
    let since = Timestamp::now() - SignedDuration::try_from(args.since.0).unwrap_or(SignedDuration::MAX);
    let query = HistoryQuery {
        tests: args.test.as_deref().map(TestPattern::new),
        since: Some(since),
        bucket: args.by,
        limit: u32::try_from(args.limit.get()).unwrap_or(u32::MAX),
        ..HistoryQuery::new(store::project_name(&config, folder))
    };
    let mut tests = store.history(&query)?;
    if !args.all {
        tests.retain(|test| !test.failed_under.is_empty());
    }
    let listed = serde_json::to_value(&tests).map_err(JsonError)?;
    session.emit(Event::HistoryListed { result: Map::from_iter([("tests".to_owned(), listed)]) });
    Ok(Ended::with(Exit::Clean, report::render(&tests, args.since)))
}

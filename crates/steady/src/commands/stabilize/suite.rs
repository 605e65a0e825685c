//! A suite that steady wrote.

use std::cell::{Cell, RefCell};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use steady_emit::Emitter;
use steady_flaky::drive::{Limit, RunContext, Stabilized, stabilize};
use steady_flaky::relax::without_secrets;
use steady_http::Client;
use steady_model::{Findings, Suite};
use steady_suite::{ProcessEnvironment, Sessions, look_up_secrets};

use super::report::{Remaining, StabilizeReport};
use super::{StabilizeArgs, ending};
use crate::commands::runtime;
use crate::config::Config;
use crate::error::{CommandError, ReadError, UserError};
use crate::flaky::FlakyOptions;
use crate::output::{OutputFolder, Placed, edited_warning};
use crate::session::{Ended, Session};
use crate::suite::files::{FINDINGS, FUZZ, SUMMARY, test_code};
use crate::{suite, sut};

/// Runs the suite in every way that may change its answers, and shows or writes what stays true.
pub fn run(
    path: &Path,
    args: &StabilizeArgs,
    config: &Config,
    session: &Session,
    flaky: &FlakyOptions,
) -> Result<Ended, CommandError> {
    let suite = suite::load(path)?;
    let before = fs::read_to_string(path).map_err(|source| ReadError {
        what: "the suite",
        path: path.to_owned(),
        source,
    })?;
    suite::check_environment(&suite, &ProcessEnvironment)?;
    ending::check_sarif(args.sarif.as_deref())?;
    look_up_secrets(&suite, session.secrets());
    let mut stabilized = detect(suite.clone(), args, config, flaky, session)?;
    for name in without_secrets(&mut stabilized.suite, session.secrets()) {
        session.warn(format!("the test `{name}` is removed because it sends a secret that the API issued"));
    }
    stabilized.flaky.iter_mut().for_each(|flaky| session.secrets().mask_flaky(flaky));
    let after = pretty(&stabilized.suite)?;
    let diff = steady_edit::diff(path, &before, &after);
    let mut written = Vec::new();
    if args.write && before != after && !stabilized.interrupted {
        steady_edit::write(path, &before, &after)?;
        refresh(path, &suite, &after, &stabilized, session)?;
        written.push(path.display().to_string());
    }
    let report = StabilizeReport {
        flaky: &stabilized.flaky,
        remaining: Remaining::Suite { failing: &stabilized.failing, still_flaky: &stabilized.still_flaky },
        cost: &stabilized.cost,
        diff: (!args.write).then_some(diff.as_str()),
        written: !written.is_empty(),
        interrupted: stabilized.interrupted,
        path,
    };
    ending::finish(session, &report, &written, args.sarif.as_deref())
}

fn detect(
    suite: Suite,
    args: &StabilizeArgs,
    config: &Config,
    flaky: &FlakyOptions,
    session: &Session,
) -> Result<Stabilized, CommandError> {
    let runtime = runtime()?;
    let mut sut = match &args.url {
        Some(_) => None,
        None => session.unless_cancelled(&runtime, sut::start(config.sut_spec()))??,
    };
    let url = suite::base_url(args.url.as_ref(), sut.as_ref(), config, &suite)?;
    let options = args.connection.client_options_of_flags();
    let context = RunContext {
        client: RefCell::new(Client::new(url, options.clone())?),
        sessions: RefCell::new(Sessions::new(suite.identities.clone(), options.clone())),
        options,
        identities: suite.identities.clone(),
        environment: session.secrets(),
        rate: None,
        seed: session.shared().seed,
        limit: Limit::new(session.cancel().clone()),
        revivals: Cell::new(0),
    };
    let mut warn = |message| session.warn(message);
    let mut access = sut::access(&mut sut);
    let result =
        runtime.block_on(stabilize(suite, &context, &mut access, &flaky.plan, flaky.policy, &(), &mut warn));
    if let Some(mut sut) = sut {
        runtime.block_on(sut::stop(&mut sut, session.cancel()))?;
    }
    Ok(result?)
}

fn pretty(value: &impl Serialize) -> Result<String, CommandError> {
    Ok(serde_json::to_string_pretty(value).map_err(SerializeError)? + "\n")
}

/// What was made from the suite is made again: the test code beside it, and the findings.
fn refresh(
    path: &Path,
    earlier: &Suite,
    text: &str,
    stabilized: &Stabilized,
    session: &Session,
) -> Result<(), CommandError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let beside: PathBuf = parent.unwrap_or(Path::new(".")).to_owned();
    let folder = OutputFolder::open(&beside)?;
    let emitters: Vec<Emitter> = Emitter::ALL
        .into_iter()
        .filter(|emitter| beside.join("tests").join(emitter.as_str()).is_dir())
        .collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // What is made from the suite as it was is steady's, also where the list of its files was not brought along.
    let mut known = test_code(earlier, &emitters)?;
    let mut result = test_code(&stabilized.suite, &emitters)?;
    let findings = fs::read(beside.join(FINDINGS)).ok();
    if let Some(bytes) = findings
        && let Ok(findings) = serde_json::from_slice::<Findings>(&bytes)
    {
        let findings = Findings { flaky: stabilized.flaky.clone(), ..findings };
        known.push((FINDINGS.to_owned(), bytes));
        result.push((FINDINGS.to_owned(), pretty(&findings)?.into_bytes()));
    }
    if let Ok(summary) = fs::read(beside.join(SUMMARY)) {
        known.push((SUMMARY.to_owned(), summary.clone()));
        result.push((SUMMARY.to_owned(), summary));
    }
    known.push((name.clone(), text.as_bytes().to_vec()));
    result.push((name, text.as_bytes().to_vec()));
    folder.adopt(FUZZ, known.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())));
    let placed = Placed { complete: true, tests: stabilized.suite.tests.len() };
    for kept in folder.place(FUZZ, &result, placed)? {
        session.warn(edited_warning(&kept));
    }
    Ok(())
}

impl UserError for steady_flaky::drive::StabilizeError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Unreachable { .. } => Some("start the API, say where it runs with `--url BASE`, or let steady start it: [sut] in steady.toml".to_owned()),
            Self::Code(error) => UserError::hint(error),
            Self::Sut(error) => error.hint(),
        }
    }
}

/// The suite cannot be written as JSON.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the suite as JSON")]
struct SerializeError(#[source] serde_json::Error);

impl UserError for SerializeError {}

impl UserError for steady_edit::WriteError {}

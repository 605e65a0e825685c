//! A suite that steady wrote.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use steady_emit::Emitter;
use steady_http::{BaseUrl, Client};
use steady_model::{Findings, Suite};
use steady_replay::{ProcessEnvironment, Sessions};
use steady_stabilize::{Stabilized, Stage, stabilize};

use super::ending;
use crate::cli::StabilizeArgs;
use crate::commands::runtime;
use crate::config::Config;
use crate::error::{CommandError, ReadError, UserError};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::options::{FlakyOptions, SharedOptions, client_options_of_flags};
use crate::output::OutputFolder;
use crate::terminal::StabilizeReport;
use crate::values::ApiUrl;
use crate::voice::Voice;
use crate::{suite_file, sut};

/// Runs the suite in every way that may change its answers, and shows or writes what stays true.
pub fn run(
    path: &Path,
    args: &StabilizeArgs,
    config: &Config,
    shared: &SharedOptions,
    flaky: &FlakyOptions,
) -> Result<Exit, CommandError> {
    let suite = suite_file::load(path)?;
    let before = fs::read_to_string(path).map_err(|source| ReadError {
        what: "the suite",
        path: path.to_owned(),
        source,
    })?;
    suite_file::check_environment(&suite, &ProcessEnvironment)?;
    ending::try_sarif(args.sarif.as_deref())?;
    let mut voice = Voice::new("stabilize", shared);
    let stabilized = runtime()?.block_on(look(suite, args, config, shared, flaky, &mut voice))?;
    let after = pretty(&stabilized.suite)?;
    let diff = steady_source::diff(path, &before, &after);
    let mut written = Vec::new();
    if args.write && before != after && !stabilized.interrupted {
        steady_source::write(path, &before, &after)?;
        refresh(path, &stabilized)?;
        written.push(path.display().to_string());
    }
    let report = StabilizeReport {
        flaky: &stabilized.flaky,
        failing: &stabilized.failing,
        unmended: &stabilized.unmended,
        cost: &stabilized.cost,
        diff: (!args.write).then_some(diff.as_str()),
        written: !written.is_empty(),
        interrupted: stabilized.interrupted,
        path,
    };
    ending::finish(voice, &report, &written, args.sarif.as_deref())
}

async fn look(
    suite: Suite,
    args: &StabilizeArgs,
    config: &Config,
    shared: &SharedOptions,
    flaky: &FlakyOptions,
    voice: &mut Voice,
) -> Result<Stabilized, CommandError> {
    let interrupt = Interrupt::listen();
    let mut sut = match &args.url {
        Some(_) => None,
        None => sut::start(config.sut_spec()).await?,
    };
    let url: BaseUrl = match (&args.url, &sut) {
        (Some(url), _) => url.clone(),
        (None, Some(sut)) => sut.url().parse()?,
        (None, None) => match config.api.url.as_ref().and_then(ApiUrl::fixed) {
            Some(url) => url,
            None => suite_file::url_of(&suite)?,
        },
    };
    let options = client_options_of_flags(&args.connection);
    let stage = Stage {
        client: Client::new(url, options.clone())?,
        sessions: RefCell::new(Sessions::new(suite.identities.clone(), options.clone())),
        options,
        identities: suite.identities.clone(),
        environment: &ProcessEnvironment,
        rate: None,
        seed: shared.seed,
        stop: interrupt.watch(),
    };
    let mut tell = |message| voice.warn(message);
    let mut footing = sut::footing(&mut sut);
    let result = stabilize(suite, &stage, &mut footing, &flaky.ladder, flaky.policy, &(), &mut tell).await;
    if let Some(mut sut) = sut {
        sut.stop().await?;
    }
    Ok(result?)
}

fn pretty(value: &impl Serialize) -> Result<String, CommandError> {
    Ok(serde_json::to_string_pretty(value).map_err(SerializeError)? + "\n")
}

/// What was made from the suite is made again: the test code beside it, and the findings.
fn refresh(path: &Path, stabilized: &Stabilized) -> Result<(), CommandError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let beside: PathBuf = parent.unwrap_or(Path::new(".")).to_owned();
    let folder = OutputFolder::open(&beside)?;
    let emitters: Vec<Emitter> = Emitter::ALL
        .into_iter()
        .filter(|emitter| beside.join("tests").join(emitter.as_str()).is_dir())
        .collect();
    if !emitters.is_empty() {
        let mut tests: Vec<(String, String)> = Vec::new();
        for emitter in emitters {
            let files = steady_emit::emit(&stabilized.suite, emitter)?;
            tests.extend(files.into_iter().map(|file| (format!("{emitter}/{}", file.path), file.text)));
        }
        folder.replace_folder("tests", tests.iter().map(|(path, text)| (path.as_str(), text.as_bytes())))?;
    }
    let known = fs::read(beside.join("findings.json")).ok();
    let known: Option<Findings> = known.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if let Some(known) = known {
        let findings = Findings { flaky: stabilized.flaky.clone(), ..known };
        folder.write("findings.json", pretty(&findings)?.as_bytes())?;
    }
    Ok(())
}

impl UserError for steady_stabilize::StabilizeError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Unreachable { .. } => Some("start the API, say where it runs with `--url BASE`, or let steady start it: [sut] in steady.toml".to_owned()),
            Self::Code(error) => UserError::hint(error),
            Self::Sut(error) => error.hint(),
        }
    }
}

/// The result cannot be put into words.
#[derive(Debug, thiserror::Error)]
#[error("the suite cannot be written as JSON")]
struct SerializeError(#[source] serde_json::Error);

impl UserError for SerializeError {}

impl UserError for steady_source::WriteError {}

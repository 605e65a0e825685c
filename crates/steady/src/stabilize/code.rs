//! Test code that exists.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use steady_model::{FORMAT_VERSION, Findings};
use steady_process::Stop;
use steady_stabilize::{CodeError, CodeProject, Footing, StabilizedCode, TestCode, stabilize_code};
use steady_sut::Sut;

use crate::cli::StabilizeArgs;
use crate::commands::runtime;
use crate::config::Config;
use crate::diagnostic::render_warning;
use crate::env_vars;
use crate::error::{CommandError, UsageError, UserError};
use crate::exit::Exit;
use crate::fuzz::files;
use crate::interrupt::Interrupt;
use crate::options::{FlakyOptions, SharedOptions};
use crate::output::UnfinishedFile;
use crate::sut;
use crate::terminal::{self, StabilizeReport};

/// How long one run of the tests may take when nothing else is said.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Runs the user's tests in a copy of the project, and shows or writes what stays true.
pub fn run(
    args: &StabilizeArgs,
    config: &Config,
    shared: &SharedOptions,
    flaky: &FlakyOptions,
) -> Result<Exit, CommandError> {
    if args.command.is_empty() {
        return Err(UsageError {
            message: "no command that runs the tests is given".to_owned(),
            hint: format!("add it at the end: `steady stabilize {} -- pytest`", args.path.display()),
        }
        .into());
    }
    let mut tell = |message: String| eprint!("{}", render_warning(&message));
    let folder = Path::new(".");
    let code = TestCode::find(folder, &args.path, &mut tell)?;
    let stop = Stop::new().map_err(CodeError::stop)?;
    let stabilized = runtime()?.block_on(async {
        let interrupt = Interrupt::listen();
        let mut sut = sut::start(if args.url.is_some() { None } else { config.sut_spec() }).await?;
        let project = CodeProject {
            folder,
            command: &args.command,
            variables: variables(args, sut.as_ref())?,
            timeout: args.test_timeout.map_or(TIMEOUT, |span| span.0),
            code,
            state: Path::new(sut::STATE),
            stop: &stop,
        };
        let mut footing: Footing<'_> = sut::footing(&mut sut);
        let looked = stabilize_code(&project, &mut footing, &flaky.ladder, flaky.policy, &mut tell).await;
        drop(interrupt);
        if let Some(mut sut) = sut {
            sut.stop().await?;
        }
        Ok::<StabilizedCode, CommandError>(looked?)
    })?;
    report(&stabilized, args, shared)?;
    let clean =
        stabilized.flaky.is_empty() && stabilized.failing.is_empty() && stabilized.unmended.is_empty();
    Ok(if clean { Exit::Clean } else { Exit::Findings })
}

/// Where the tests find the API, and what the user adds.
fn variables(args: &StabilizeArgs, sut: Option<&Sut>) -> Result<Vec<(OsString, OsString)>, CommandError> {
    let mut variables = Vec::new();
    let url = match (&args.url, sut) {
        (Some(url), _) => Some(url.to_string()),
        (None, sut) => sut.map(|sut| sut.url().to_owned()),
    };
    variables.extend(url.map(|url| (OsString::from(env_vars::STEADY_URL), OsString::from(url))));
    for (name, value) in &args.env {
        let value = match sut {
            Some(sut) => sut.address(value)?,
            None => value.clone(),
        };
        variables.push((name.into(), value.into()));
    }
    Ok(variables)
}

fn report(
    stabilized: &StabilizedCode,
    args: &StabilizeArgs,
    shared: &SharedOptions,
) -> Result<(), CommandError> {
    let diffs: String = stabilized
        .files
        .iter()
        .map(|file| steady_source::diff(&file.path, &file.before, &file.after))
        .collect();
    if args.write {
        for file in &stabilized.files {
            steady_source::write(&file.path, &file.before, &file.after)?;
        }
    }
    for note in &stabilized.notes {
        eprint!("{}", render_warning(note));
    }
    let report = StabilizeReport {
        flaky: &stabilized.flaky,
        failing: &stabilized.failing,
        unmended: &stabilized.unmended,
        cost: &stabilized.cost,
        diff: (!args.write).then_some(diffs.as_str()),
        written: args.write && !stabilized.files.is_empty(),
        path: &args.path,
    };
    terminal::print(&report.render(shared.verbosity))?;
    if let Some(target) = &args.sarif {
        let flaky = stabilized.flaky.clone();
        let findings = Findings { version: FORMAT_VERSION, flaky, faults: Vec::new(), externals: Vec::new() };
        files::write_sarif(UnfinishedFile::create(target)?, &findings, &args.path)?;
    }
    Ok(())
}

impl UserError for CodeError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Nothing { .. } => Some(
                "steady reads RestAssured (Java, Kotlin), requests (Python) and fetch, SuperAgent, axios (JavaScript, TypeScript)"
                    .to_owned(),
            ),
            Self::Read { .. } => Some("check the path; it is relative to the current folder".to_owned()),
            Self::Parse(_) => Some("mend the file first; it was not touched".to_owned()),
            Self::Record(_) | Self::Copy(_) | Self::Workshop(_) | Self::Stop(_) => None,
        }
    }
}

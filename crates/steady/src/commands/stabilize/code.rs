//! Test code that exists.

use std::path::Path;
use std::time::Duration;

use steady_exec::RecordError;
use steady_flaky::drive::{CodeError, CodeProject, SutAccess, TestCode, stabilize_code};
use steady_sut::Sut;

use super::report::{Remaining, StabilizeReport};
use super::{StabilizeArgs, ending};
use crate::commands::runtime;
use crate::config::Config;
use crate::env_vars;
use crate::error::{CommandError, UsageError, UserError};
use crate::flaky::FlakyOptions;
use crate::session::{Ended, Session};
use crate::sut;

/// How long one run of the tests may take when nothing else is said.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Runs the user's tests in a copy of the project, and shows or writes what stays true.
pub fn run(
    args: &StabilizeArgs,
    config: &Config,
    session: &Session,
    flaky: &FlakyOptions,
) -> Result<Ended, CommandError> {
    if args.command.is_empty() {
        return Err(UsageError {
            message: "no test command is given".to_owned(),
            hint: format!("add it at the end: `steady stabilize {} -- pytest`", args.path.display()),
        }
        .into());
    }
    ending::check_sarif(args.sarif.as_deref())?;
    let folder = Path::new(".");
    let code = TestCode::find(folder, &args.path, &mut |message| session.warn(message))?;
    let runtime = runtime()?;
    let spec = if args.url.is_some() { None } else { config.sut_spec() };
    let mut sut = session.unless_cancelled(&runtime, sut::start(spec))??;
    let project = CodeProject {
        folder,
        command: &args.command,
        variables: variables(args, sut.as_ref())?,
        timeout: args.test_timeout.map_or(TIMEOUT, |span| span.0),
        code,
        state: Path::new(sut::STATE),
        cancel: session.cancel(),
    };
    let mut access: SutAccess<'_> = sut::access(&mut sut);
    let mut warn = |message| session.warn(message);
    let stabilized =
        runtime.block_on(stabilize_code(&project, &mut access, &flaky.plan, flaky.policy, &mut warn));
    if let Some(mut sut) = sut {
        runtime.block_on(sut::stop(&mut sut, session.cancel()))?;
    }
    let stabilized = stabilized?;
    stabilized.notes.iter().for_each(|note| session.warn(note.clone()));
    let mut written = Vec::new();
    if args.write && !stabilized.interrupted {
        for file in &stabilized.files {
            steady_edit::write(&file.path, &file.before, &file.after)?;
            written.push(file.path.display().to_string());
        }
    }
    let changes = stabilized.files.iter();
    let diff: String = changes.map(|file| steady_edit::diff(&file.path, &file.before, &file.after)).collect();
    let report = StabilizeReport {
        flaky: &stabilized.flaky,
        remaining: Remaining::Code(&stabilized.tests),
        cost: &stabilized.cost,
        diff: (!args.write).then_some(diff.as_str()),
        written: !written.is_empty(),
        interrupted: stabilized.interrupted,
        path: &args.path,
    };
    ending::finish(session, &report, &written, args.sarif.as_deref())
}

/// Where the tests find the API, and what the user adds.
fn variables(args: &StabilizeArgs, sut: Option<&Sut>) -> Result<Vec<(String, String)>, CommandError> {
    let mut variables = Vec::new();
    let url = match (&args.url, sut) {
        (Some(url), _) => Some(url.to_string()),
        (None, sut) => sut.map(|sut| sut.url().to_owned()),
    };
    variables.extend(url.map(|url| (env_vars::STEADY_URL.to_owned(), url)));
    for (name, value) in &args.env {
        let value = match sut {
            Some(sut) => sut.address(value)?,
            None => value.clone(),
        };
        variables.push((name.clone(), value));
    }
    Ok(variables)
}

impl UserError for CodeError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Nothing { .. } => Some(
                "steady reads RestAssured (Java, Kotlin), requests (Python) and fetch, SuperAgent, axios (JavaScript, TypeScript)"
                    .to_owned(),
            ),
            Self::Read { .. } => Some("check the path; it is relative to the current folder".to_owned()),
            Self::Parse(_) => Some("fix the syntax error first; the file was not changed".to_owned()),
            Self::Record(RecordError::Unreachable { .. }) => Some(
                "start the API, say where it runs with `--url BASE`, or let steady start it: [sut] in steady.toml".to_owned(),
            ),
            Self::Exec(error) => error.hint(),
            Self::Record(_) | Self::Sandbox(_) => None,
        }
    }
}

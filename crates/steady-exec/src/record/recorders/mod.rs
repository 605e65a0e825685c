//! One file per ecosystem, each with: what is seen, how the recorder is brought in, and since which version.

mod jest;
mod maven;
mod python;
mod vitest;

use std::fmt;
use std::path::Path;

use steady_process::Cancel;
use steady_runners::{Invocation, Variable};

use crate::command::TestCommand;
use crate::record::error::RecordError;

/// How a recorder is brought into the tests of a runner.
pub(crate) trait Hook: fmt::Debug + Sync {
    /// The runner's name.
    fn runner(&self) -> &'static str;

    /// The HTTP clients that are watched, for people.
    fn sees(&self) -> &'static str;

    /// Makes what all runs need in `home`.
    fn build(&self, _: &TestCommand<'_>, _home: &Path, _: &Cancel) -> Result<(), RecordError> {
        Ok(())
    }

    /// Adds the recorder to a command that reports already.
    fn attach(&self, invocation: &mut Invocation, home: &Path) -> Result<(), RecordError>;
}

static ALL: [&dyn Hook; 5] =
    [&python::Pytest, &python::Unittest, &jest::Jest, &vitest::Vitest, &maven::Maven];

/// The recorder for a runner.
pub(crate) fn of(runner: &str) -> Option<&'static dyn Hook> {
    ALL.into_iter().find(|hook| hook.runner() == runner)
}

/// The runners that can be recorded, for people.
pub(crate) fn supported() -> String {
    ALL.map(Hook::runner).join(", ")
}

/// What the JavaScript recorders share.
const CORE_CJS: (&str, &str) = ("steady-record.cjs", include_str!("../inject/steady-record.cjs"));

/// The clients that the JavaScript recorders watch.
const JAVASCRIPT_CLIENTS: &str = "fetch, SuperAgent, supertest, axios or node:http";

fn add_file(invocation: &mut Invocation, (name, text): (&'static str, &str)) {
    invocation.files.insert(name, text.to_owned());
}

/// Appends words to those that a variable gets already.
fn add_words(invocation: &mut Invocation, name: &'static str, words: &str) {
    let joined = match invocation.variables.remove(name) {
        Some(Variable::WordsAfter(before)) => Variable::WordsAfter(format!("{before} {words}")),
        Some(Variable::Set(before)) => Variable::Set(format!("{before} {words}")),
        Some(Variable::PathBefore(_)) | None => Variable::WordsAfter(words.to_owned()),
    };
    invocation.variables.insert(name, joined);
}

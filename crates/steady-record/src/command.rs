//! The user's test command and what is around it.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use steady_model::rerun::TestId;
use steady_process::Spec;
use steady_runners::Invocation;

/// A test command of the user's.
#[derive(Debug, Clone)]
pub struct TestCommand<'a> {
    /// Its words, the program first.
    pub words: &'a [String],
    /// The project: the folder it is run in.
    pub project: &'a Path,
    /// Environment variables to set; the others are inherited.
    pub variables: &'a [(OsString, OsString)],
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// The only tests to run; all when there are none.
    pub tests: &'a [TestId],
}

impl<'a> TestCommand<'a> {
    /// All tests of a command, in this process's environment, for as long as they take.
    pub fn new(words: &'a [String], project: &'a Path) -> Self {
        Self { words, project, variables: &[], timeout: None, tests: &[] }
    }

    /// What to start: the user's command with what steady adds to it.
    pub(crate) fn spec(&self, invocation: &Invocation) -> Spec {
        let mut spec = Spec::program(&invocation.program).folder(self.project);
        for argument in &invocation.args {
            // Placeholders are the user's: what was added is taken to the letter.
            let is_given = self.words.contains(argument);
            spec = if is_given { spec.arg(argument) } else { spec.literal_arg(argument) };
        }
        for (name, value) in self.variables {
            spec = spec.set_variable(name, value);
        }
        for (name, change) in &invocation.variables {
            spec = spec.set_literal_variable(name, change.value(self.variable(name).as_deref()));
        }
        match self.timeout {
            Some(timeout) => spec.timeout(timeout),
            None => spec,
        }
    }

    /// An environment variable as the command would have it.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let given = self.variables.iter().rev().find(|(known, _)| known == name);
        given.map(|(_, value)| value.clone()).or_else(|| env::var_os(name))
    }
}

//! The user's test command.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use steady_process::Spec;
use steady_runners::Invocation;

/// The user's test command, and what every run of it shares.
#[derive(Debug, Clone, Copy)]
pub struct TestCommand<'a> {
    /// Its words, the program first.
    pub words: &'a [String],
    /// Environment variables to set; the others are inherited.
    pub variables: &'a [(String, String)],
    /// Patterns of the files that hold results; when empty, the runner is made to write them.
    pub results: &'a [String],
    /// The time limit of a run.
    pub timeout: Option<Duration>,
}

impl<'a> TestCommand<'a> {
    /// A command in this process's environment, without a time limit.
    pub fn new(words: &'a [String]) -> Self {
        Self { words, variables: &[], results: &[], timeout: None }
    }

    /// The command as the user gave it, in `folder`; `None` without a program.
    pub fn as_given(&self, folder: &Path) -> Option<Spec> {
        let [program, arguments @ ..] = self.words else { return None };
        Some(self.with_variables(Spec::program(program).args(arguments).folder(folder)))
    }

    /// The command with what steady adds to it, in `folder`.
    pub(crate) fn spec(&self, invocation: &Invocation, folder: &Path) -> Spec {
        let mut spec = Spec::program(&invocation.program).folder(folder);
        for argument in &invocation.args {
            // Placeholders are the user's: added words, above all names of tests, are literal.
            let is_given = self.words.contains(argument);
            spec = if is_given { spec.arg(argument) } else { spec.literal_arg(argument) };
        }
        spec = self.with_variables(spec);
        for (name, change) in &invocation.variables {
            // The runner's variables are joined to the user's where they are lists.
            let value = change.value(spec.variable(name).as_deref());
            spec = spec.set_literal_variable(name, value);
        }
        spec
    }

    /// An environment variable as the command would have it.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let given = self.variables.iter().rev().find(|(known, _)| known == name);
        given.map(|(_, value)| value.into()).or_else(|| env::var_os(name))
    }

    fn with_variables(&self, spec: Spec) -> Spec {
        let spec = self.variables.iter().fold(spec, |spec, (name, value)| spec.set_variable(name, value));
        match self.timeout {
            Some(timeout) => spec.timeout(timeout),
            None => spec,
        }
    }
}

//! What to run and within which limits.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::placeholders::{CommandPart, PlaceholderError, Values, ports_in, substitute};
use crate::ports::Ports;

/// A command, its environment and its limits.
///
/// `{job}`, `{port}` and `{port1}`… may stand in the program, its arguments, values of environment variables and the folder. Standard
/// input is closed.
#[derive(Debug, Clone)]
pub struct Spec {
    pub(crate) call: CommandLine,
    pub(crate) folder: Option<PathBuf>,
    /// `None` removes the variable.
    pub(crate) variables: BTreeMap<OsString, Option<OsString>>,
    /// Variables and positions of arguments in which braces are just braces.
    literal_variables: BTreeSet<OsString>,
    literal_arguments: BTreeSet<usize>,
    pub(crate) job: usize,
    /// Reserved beforehand; otherwise every run gets ports of its own.
    pub(crate) ports: Option<Arc<Ports>>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) output_limit: usize,
    pub(crate) nice: Option<i32>,
    pub(crate) busy_threads: Option<u32>,
}

/// The two ways to name a command.
#[derive(Debug, Clone)]
pub(crate) enum CommandLine {
    Program { program: OsString, arguments: Vec<OsString> },
    Shell(OsString),
}

impl Spec {
    /// A program, looked up in `PATH`, without arguments so far.
    pub fn program(program: impl Into<OsString>) -> Self {
        Self::new(CommandLine::Program { program: program.into(), arguments: Vec::new() })
    }

    /// A string for the shell, `sh -c`.
    pub fn shell(command: impl Into<OsString>) -> Self {
        Self::new(CommandLine::Shell(command.into()))
    }

    fn new(call: CommandLine) -> Self {
        Self {
            call,
            folder: None,
            variables: BTreeMap::new(),
            literal_variables: BTreeSet::new(),
            literal_arguments: BTreeSet::new(),
            job: 0,
            ports: None,
            timeout: None,
            grace: Duration::from_secs(1),
            output_limit: 1024 * 1024,
            nice: None,
            busy_threads: None,
        }
    }

    /// Adds an argument. A shell string gets it appended in quotes.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        let argument = argument.into();
        match &mut self.call {
            CommandLine::Program { arguments, .. } => arguments.push(argument),
            CommandLine::Shell(command) => {
                command.push(" ");
                command.push(quoted(&argument));
            }
        }
        self
    }

    /// Adds a literal argument: braces in it are not placeholders.
    #[must_use]
    pub fn literal_arg(mut self, argument: impl Into<OsString>) -> Self {
        if let CommandLine::Program { arguments, .. } = &self.call {
            self.literal_arguments.insert(arguments.len());
        }
        self = self.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        arguments.into_iter().fold(self, Self::arg)
    }

    /// The working folder; otherwise this process's.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Sets an environment variable; the others are inherited.
    #[must_use]
    pub fn set_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        let name = name.into();
        self.literal_variables.remove(&name);
        self.variables.insert(name, Some(value.into()));
        self
    }

    /// Sets an environment variable literally: braces in the value are not placeholders.
    #[must_use]
    pub fn set_literal_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        let name = name.into();
        self.literal_variables.insert(name.clone());
        self.variables.insert(name, Some(value.into()));
        self
    }

    /// Appends to an environment variable that holds a list, after the value that the command would see otherwise. The value has no braces.
    #[must_use]
    pub fn append_to_variable(
        self,
        name: impl Into<OsString>,
        separator: &str,
        value: impl AsRef<OsStr>,
    ) -> Self {
        let name = name.into();
        let set = self.variables.get(&name).cloned();
        // An inherited value has no placeholders; one that was set here may.
        let literal = set.is_none() || self.literal_variables.contains(&name);
        let mut list = set.unwrap_or_else(|| std::env::var_os(&name)).unwrap_or_default();
        if !list.is_empty() {
            list.push(separator);
        }
        list.push(value);
        if literal { self.set_literal_variable(name, list) } else { self.set_variable(name, list) }
    }

    /// Removes an environment variable.
    #[must_use]
    pub fn remove_variable(mut self, name: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), None);
        self
    }

    /// What `{job}` stands for; 0 otherwise. [`run_jobs`](crate::run_jobs) sets it.
    #[must_use]
    pub fn job(mut self, job: usize) -> Self {
        self.job = job;
        self
    }

    /// What `{port}`, `{port1}`… stand for, so that several runs have the same ports; otherwise each gets free ones of its own.
    #[must_use]
    pub fn ports(mut self, ports: Arc<Ports>) -> Self {
        self.ports = Some(ports);
        self
    }

    /// The time limit of the command, from its start; [`Running::wait`](crate::Running::wait) enforces it.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// How long processes have between SIGTERM and SIGKILL; 1 s otherwise, so that everything has ended two seconds after a Ctrl-C.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// How many bytes of each stream are kept; 1 MiB otherwise. Of longer output the middle is dropped.
    #[must_use]
    pub fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// How many threads per core of other sessions are busy, so that the command gets its share of the processor and no more.
    ///
    /// Linux may share the processor evenly between sessions, regardless of their threads (`sched_autogroup`): without this, the
    /// command would compete with only one of them.
    #[must_use]
    pub fn beside_busy_threads(mut self, per_core: u32) -> Self {
        self.busy_threads = Some(per_core);
        self
    }

    /// Adds to the niceness of the command. Less than 0 needs privileges.
    #[must_use]
    pub fn nice(mut self, nice: i32) -> Self {
        self.nice = Some(nice);
        self
    }

    /// The value of an environment variable for the command: set here, with placeholders unreplaced, or inherited.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        match self.variables.get(OsStr::new(name)) {
            Some(set) => set.clone(),
            None => std::env::var_os(name),
        }
    }

    /// The working folder as it was given.
    pub fn working_folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The command in one line, for messages.
    pub fn display(&self) -> String {
        match &self.call {
            CommandLine::Shell(command) => command.to_string_lossy().into_owned(),
            CommandLine::Program { program, arguments } => {
                let words = std::iter::once(program).chain(arguments);
                words.map(|word| quoted(word).to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// How many ports the placeholders ask for.
    pub(crate) fn asked_ports(&self) -> usize {
        let (first, more): (&OsStr, &[OsString]) = match &self.call {
            CommandLine::Program { program, arguments } => (program, arguments),
            CommandLine::Shell(command) => (command, &[]),
        };
        let arguments = more.iter().enumerate().filter(|(index, _)| !self.literal_arguments.contains(index));
        let variables = self.variables.iter().filter(|(name, _)| !self.literal_variables.contains(*name));
        let texts = std::iter::once(first)
            .chain(arguments.map(|(_, argument)| argument.as_os_str()))
            .chain(variables.filter_map(|(_, value)| value.as_deref()))
            .chain(self.folder.as_deref().map(Path::as_os_str));
        texts.filter_map(OsStr::to_str).map(ports_in).max().unwrap_or(0)
    }

    /// The command with all placeholders replaced.
    pub(crate) fn resolve(&self, ports: &[u16]) -> Result<Command, PlaceholderError> {
        let values = Values { job: self.job, ports };
        let mut command = match &self.call {
            CommandLine::Shell(text) => {
                let mut command = Command::new("sh");
                command.arg("-c").arg(replaced(text, values, || CommandPart::Shell)?);
                command
            }
            CommandLine::Program { program, arguments } => {
                let mut command = Command::new(replaced(program, values, || CommandPart::Program)?);
                for (index, argument) in arguments.iter().enumerate() {
                    if self.literal_arguments.contains(&index) {
                        command.arg(argument);
                        continue;
                    }
                    command.arg(replaced(argument, values, || CommandPart::Argument(index + 1))?);
                }
                command
            }
        };
        for (name, value) in &self.variables {
            let place = || CommandPart::Variable(name.to_string_lossy().into_owned());
            match value {
                Some(value) if self.literal_variables.contains(name) => command.env(name, value),
                Some(value) => command.env(name, replaced(value, values, place)?),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = &self.folder {
            command.current_dir(replaced(folder.as_os_str(), values, || CommandPart::Folder)?);
        }
        Ok(command)
    }
}

/// Text that is not UTF-8 has no placeholders.
fn replaced(
    text: &OsStr,
    values: Values<'_>,
    place: impl FnOnce() -> CommandPart,
) -> Result<OsString, PlaceholderError> {
    match text.to_str().map(|text| substitute(text, values)) {
        None => Ok(text.to_owned()),
        Some(Ok(text)) => Ok(text.into()),
        Some(Err(name)) => Err(PlaceholderError { name, place: place() }),
    }
}

/// The word quoted for the shell.
fn quoted(word: &OsStr) -> OsString {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./=:,+@%".contains(byte);
    let bytes = word.as_encoded_bytes();
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return word.to_owned();
    }
    let mut quoted = vec![b'\''];
    for byte in bytes {
        match byte {
            b'\'' => quoted.extend(br"'\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    OsString::from_vec(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_everywhere() {
        let spec = Spec::program("serve-{job}")
            .args(["--port={port}", r#"{"a":1}"#])
            .literal_arg("{port} {{x}}")
            .set_variable("ADMIN", "{port1}")
            .set_literal_variable("PATTERN", "^{x}$")
            .folder("work/{job}")
            .job(7);
        assert_eq!(spec.asked_ports(), 2);
        let command = spec.resolve(&[10, 11]).unwrap();
        assert_eq!(command.get_program(), "serve-7");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--port=10", r#"{"a":1}"#, "{port} {{x}}"]);
        let admin = command.get_envs().find(|(name, _)| *name == "ADMIN");
        assert_eq!(admin.and_then(|(_, value)| value), Some(OsStr::new("11")));
        assert_eq!(command.get_current_dir(), Some(Path::new("work/7")));
    }

    #[test]
    fn an_unknown_placeholder_names_its_place() {
        let place = |spec: Spec| spec.resolve(&[]).unwrap_err().place;
        assert_eq!(place(Spec::program("{x}")), CommandPart::Program);
        assert_eq!(place(Spec::program("a").args(["b", "{x}"])), CommandPart::Argument(2));
        assert_eq!(place(Spec::shell("echo {x}")), CommandPart::Shell);
        assert_eq!(place(Spec::shell("a").set_variable("V", "{x}")), CommandPart::Variable("V".to_owned()));
        assert_eq!(place(Spec::shell("a").folder("{x}")), CommandPart::Folder);
    }

    #[test]
    fn a_list_keeps_what_was_there_and_its_placeholders() {
        let spec = Spec::program("a")
            .set_variable("OPTIONS", "-p {port}")
            .append_to_variable("OPTIONS", " ", "-x")
            .set_literal_variable("BRACES", "{x}")
            .append_to_variable("BRACES", ":", "y")
            .append_to_variable("STEADY_NOT_THERE", " ", "alone");
        let command = spec.resolve(&[10]).unwrap();
        let value = |name: &str| command.get_envs().find(|(known, _)| *known == name).unwrap().1.unwrap();
        assert_eq!(value("OPTIONS"), "-p 10 -x");
        assert_eq!(value("BRACES"), "{x}:y");
        assert_eq!(value("STEADY_NOT_THERE"), "alone");
    }

    #[test]
    fn words_are_quoted_where_the_shell_needs_it() {
        let spec = Spec::program("a").args(["b", "it's", "", "c d"]);
        assert_eq!(spec.display(), r"a b 'it'\''s' '' 'c d'");
        assert_eq!(Spec::shell("npm test").arg("x y").display(), "npm test 'x y'");
    }
}

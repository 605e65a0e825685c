//! From a command line to its runner.

use std::collections::BTreeMap;
use std::path::Path;

use steady_model::rerun::TestId;

use crate::command::{RunnerWords, inner};
use crate::plan::Plan;
use crate::runners::{ALL, PYTEST, UNKNOWN};
use crate::{Invocation, Project, Runner, Unsupported, template};

/// A command line and its runner, which may be `unknown`.
#[derive(Debug, Clone)]
pub struct Recognised {
    /// The runner; `unknown` for one that is not recognised.
    pub runner: &'static dyn Runner,
    command: Vec<String>,
    project: Project,
}

/// Recognises the runner that a command starts.
///
/// A command that steady cannot look into (`make test`, `tox`) in a project with pytest counts as pytest: steady's
/// pytest plugin is brought in by environment variables, which reach it through most tools.
pub fn recognise(command: &[String], project: &Project) -> Recognised {
    let (runner, _) = placed(&template::fill(command, &[]), project);
    Recognised { runner, command: command.to_vec(), project: project.clone() }
}

impl Recognised {
    /// The command as it is: all tests.
    pub fn invocation(&self, folder: &Path) -> Invocation {
        self.start(&template::fill(&self.command, &[]), folder)
    }

    /// The command with these tests only. A `{tests}` in the user's command says where their ids stand; without it
    /// the runner is asked.
    pub fn selecting(&self, folder: &Path, tests: &[TestId]) -> Result<Invocation, Unsupported> {
        if template::has(&self.command) {
            return Ok(self.start(&template::fill(&self.command, tests), folder));
        }
        let mut invocation = self.invocation(folder);
        self.runner.select(&mut invocation, tests)?;
        Ok(invocation)
    }

    fn start(&self, command: &[String], folder: &Path) -> Invocation {
        let (_, spot) = placed(command, &self.project);
        let (program, args) = command
            .split_first()
            .map_or((String::new(), vec![]), |(program, args)| (program.clone(), args.to_vec()));
        let mut invocation = Invocation {
            program,
            slot: spot.slot.min(args.len()),
            args,
            variables: BTreeMap::new(),
            files: BTreeMap::new(),
            folder: folder.to_owned(),
            plan: Plan::new(self.project.root()),
            words: spot.words,
            start: spot.start,
        };
        if spot.dashes {
            invocation.args.push("--".to_owned());
            invocation.slot = invocation.args.len();
        }
        invocation
    }
}

/// The position of added arguments, counted in words after the program.
struct Spot {
    slot: usize,
    words: Vec<String>,
    start: Option<usize>,
    /// Whether a `--` has to be put in front of them.
    dashes: bool,
}

fn placed(command: &[String], project: &Project) -> (&'static dyn Runner, Spot) {
    let inner = inner(command, project);
    let end = command.len().saturating_sub(1);
    for runner in ALL {
        let Some(slot) = runner.recognise(&inner.words, project) else { continue };
        match inner.place {
            RunnerWords::At(start) => {
                let slot = (start + slot).saturating_sub(1);
                return (runner, Spot { slot, words: inner.words, start: Some(start), dashes: false });
            }
            // Arguments of a script come after all of its own words.
            RunnerWords::Script | RunnerWords::ScriptAfterDashes if slot == inner.words.len() => {
                let dashes =
                    inner.place == RunnerWords::ScriptAfterDashes && !command.iter().any(|word| word == "--");
                return (runner, Spot { slot: end, words: inner.words, start: None, dashes });
            }
            RunnerWords::Script | RunnerWords::ScriptAfterDashes => {}
        }
    }
    let fallback: &'static dyn Runner = if project.has_pytest() { PYTEST } else { UNKNOWN };
    (fallback, Spot { slot: end, words: command.to_vec(), start: Some(0), dashes: false })
}

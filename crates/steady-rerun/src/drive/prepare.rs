//! One run of the command, ready to be started.

use std::path::Path;
use std::time::Duration;

use steady_model::rerun::{Condition, TestId, TestResult};
use steady_perturb::{Surroundings, Workshop, WorkshopError, surround, surroundings, vary_hash_seeds};
use steady_preload::Control;
use steady_process::{Finished, Spec, Stream};
use steady_results::{Base, ReadError, Snapshot, SourceError, Sources};
use steady_runners::{Invocation, Order, Recognised, Source};

use super::{RerunError, order};

/// Said where a run tells nothing about what only the shim can change.
const UNREACHED: &str =
    "the shim reached no program of the command: clock, random and latency say nothing about its tests";

/// A test command and what every run of it has.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The test command.
    pub command: &'a [String],
    /// Environment variables for it.
    pub variables: &'a [(String, String)],
    /// Patterns of the files that hold results; empty: the runner is told to write them.
    pub results: &'a [String],
    /// When a run is ended.
    pub timeout: Option<Duration>,
    /// Whether runs at the same time share a folder.
    pub shared: bool,
}

/// All that is needed to prepare runs of one job.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// What is run.
    pub call: Call<'a>,
    /// Who runs it.
    pub runner: &'a Recognised,
    /// Where steady's own files are.
    pub workshop: &'a Workshop,
    /// Where the job runs.
    pub place: &'a Path,
    /// The job.
    pub job: usize,
}

/// With its middle gone, a report would make tests fail that passed.
const TOO_MUCH: &str = "the command prints more than is kept, so that its results cannot be read from there: let it write \
    them to a file, and name that with `--results GLOB`";
/// What stands for a job's number.
const JOB: &str = "{job}";
/// Go reports every line a test prints.
const OUTPUT_LIMIT: usize = 64 << 20;

/// What is wanted of a run.
pub struct Wanted<'a> {
    /// What is changed around it.
    pub condition: &'a Condition,
    /// Its number.
    pub number: u32,
    /// The only tests to run.
    pub select: Option<&'a [TestId]>,
    /// All tests there are, as far as is known.
    pub known: &'a [TestId],
    /// The order to keep, of a runner that would change it.
    pub kept_order: Option<&'a [TestId]>,
}

/// A run, ready to be started.
pub struct Prepared {
    /// The command.
    pub spec: Spec,
    /// What it finds around it.
    pub surroundings: Surroundings,
    base: Base,
    files: Sources,
    /// The files that were there before, of earlier runs.
    before: Snapshot,
    /// Whether results may be in what the command prints.
    printed: bool,
    /// Whether the user said where results are.
    named: bool,
    /// Gone with the run: the shim listens to it.
    control: Option<Control>,
}

impl Bench<'_> {
    /// Prepares a run of all tests, or of the selected ones.
    pub fn prepare(&self, wanted: &Wanted<'_>) -> Result<Prepared, RerunError> {
        let mut surroundings = surroundings(wanted.condition);
        vary_hash_seeds(&mut surroundings, wanted.number);
        let folder = self.workshop.fresh(self.job, "inject")?;
        let mut invocation = match wanted.select {
            Some(tests) => self.runner.selecting(&folder, tests)?,
            None => self.runner.invocation(&folder),
        };
        if let Some(seed) = surroundings.order {
            order::shuffle(self.runner, &mut invocation, wanted.select.unwrap_or(wanted.known), seed)?;
        } else if let Some(tests) = wanted.kept_order {
            order::keep(self.runner, &mut invocation, tests);
        }
        self.ready(invocation, surroundings)
    }

    /// Prepares a run of just these tests, in this order.
    pub fn prepare_listed(&self, tests: &[TestId]) -> Result<Prepared, RerunError> {
        let folder = self.workshop.fresh(self.job, "inject")?;
        let mut invocation = self.runner.selecting(&folder, tests)?;
        self.runner.runner.order(&mut invocation, Order::Listed(tests))?;
        self.ready(invocation, Surroundings::default())
    }

    fn ready(&self, mut invocation: Invocation, surroundings: Surroundings) -> Result<Prepared, RerunError> {
        let sources = if self.call.results.is_empty() {
            let folder = self.workshop.fresh(self.job, "results")?;
            self.runner.runner.report(&mut invocation, &folder).sources
        } else {
            self.call.results.iter().map(|pattern| Source::Files(self.own(pattern))).collect()
        };
        self.check_shared(&sources)?;
        let fail = |source| WorkshopError::of(self.workshop.folder(), source);
        invocation.write_files().map_err(fail)?;
        let mut spec = self.command(&invocation);
        for (name, value) in self.call.variables {
            spec = spec.set_variable(name, value);
        }
        for (name, change) in &invocation.variables {
            // The runner's variables are joined to the user's where they are lists.
            let value = change.value(spec.variable(name).as_deref());
            spec = spec.set_literal_variable(name, value);
        }
        if let Some(threads) = surroundings.load {
            spec = spec.beside_busy_threads(threads);
        }
        let (mut spec, control) = surround(spec, &surroundings, self.workshop, self.job)?;
        let base = Base::new(self.place);
        let files = Sources::new(sources.iter().filter_map(|source| match source {
            Source::Files(pattern) => Some(pattern.as_str()),
            Source::Output => None,
        }))?;
        let before = files.snapshot(&base);
        let printed = sources.contains(&Source::Output);
        if printed {
            spec = spec.output_limit(OUTPUT_LIMIT);
        }
        let named = !self.call.results.is_empty();
        Ok(Prepared { spec, surroundings, base, files, before, printed, named, control })
    }

    /// A pattern of the user's, with this job's number in it.
    fn own(&self, pattern: &str) -> String {
        pattern.replace(JOB, &self.job.to_string())
    }

    /// Fails where runs at the same time would meet in the same files.
    fn check_shared(&self, sources: &[Source]) -> Result<(), RerunError> {
        if !self.call.shared {
            return Ok(());
        }
        let shared = sources.iter().find_map(|source| match source {
            Source::Files(pattern) if !Path::new(pattern).starts_with(self.workshop.folder()) => {
                Some(pattern)
            }
            Source::Files(_) | Source::Output => None,
        });
        let apart = self.call.results.iter().any(|pattern| pattern.contains(JOB));
        match shared {
            Some(pattern) if !apart => Err(RerunError::SharedResults { pattern: pattern.clone() }),
            _ => Ok(()),
        }
    }

    fn command(&self, invocation: &Invocation) -> Spec {
        // Placeholders are the user's: what was added, names of tests above all, is taken to the letter.
        let given = |word: &String| self.call.command.contains(word);
        let mut spec = Spec::program(&invocation.program).folder(self.place);
        for argument in &invocation.args {
            spec = if given(argument) { spec.arg(argument) } else { spec.literal_arg(argument) };
        }
        match self.call.timeout {
            Some(timeout) => spec.timeout(timeout),
            None => spec,
        }
    }
}

impl Prepared {
    /// What the tests came to, and what could not be read.
    pub fn results(&self, finished: &Finished) -> (Vec<TestResult>, Vec<String>) {
        let collected = self.files.collect(&self.base, &self.before);
        // Where the user named no files, it is no news that steady's own are not there.
        let news = |note: &&SourceError| {
            self.named || !matches!(note, SourceError::Missing { .. } | SourceError::Stale { .. })
        };
        let mut notes: Vec<String> = collected.notes.iter().filter(news).map(ToString::to_string).collect();
        if self.control.as_ref().is_some_and(|control| control.programs() == 0) {
            notes.push(UNREACHED.to_owned());
        }
        let mut results = collected.results;
        if results.is_empty() && self.printed && finished.output.dropped(Stream::Stdout) > 0 {
            notes.push(TOO_MUCH.to_owned());
        } else if results.is_empty() && self.printed {
            match steady_results::read(&finished.output.bytes(Stream::Stdout), &self.base) {
                Ok(printed) => results = printed,
                Err(ReadError::Empty | ReadError::Unknown) => {}
                Err(error) => notes.push(format!("what the command prints: {error}")),
            }
        }
        (results, notes)
    }
}

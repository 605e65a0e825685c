//! Runs the test command as a [`Campaign`] plans it, and reports every run.
//!
//! [`rerun`] is the edge of this crate: processes, files and the clock are touched here and in the files beside it. The
//! runner of the tests is recognised from the command ([`steady_runners`]) and made to write results, which are read after
//! every run ([`steady_results`]); [`steady_process`] controls the processes.

mod capabilities;
mod dependence;
mod orders;
mod sandboxes;
mod silence;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steady_exec::{
    ExecError, Job, Load, PreparedRun, RunPlan, Sandbox, Selection, StateDir, TestCommand, probes,
    spare_seeds,
};
use steady_model::Event;
use steady_model::rerun::{
    Category, Ending, NotTried, Outcome as TestOutcome, Perturbation, Reason, RerunReport, TestId, Verdict,
};
use steady_process::{Cancel, CopyError, Finished, JobError, Jobs, Pool, Spec, run_jobs};
use steady_results::exit_code;
use steady_runners::{Project, Recognised, recognise};

use crate::campaign::{Campaign, Policy, Probing, Task};
use crate::judge::judge;
use dependence::Dependences;
use orders::Orders;
use sandboxes::Sandboxes;
pub use silence::SilenceError;
use silence::{Silence, unstable_names};

/// Selects some of all tests.
pub type Pick<'a> = &'a dyn Fn(&[TestId]) -> Vec<TestId>;

/// What to run again, and how.
pub struct Setup<'a> {
    /// The test command.
    pub command: Vec<String>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// The folder steady keeps what it needs while it runs.
    pub state: PathBuf,
    /// Environment variables for the command.
    pub variables: Vec<(String, String)>,
    /// Patterns of the files that hold results; when empty, the runner is made to write them.
    pub results: Vec<String>,
    /// The time limit of a run.
    pub timeout: Option<Duration>,
    /// The time limit of the campaign: no further run is started.
    pub time: Option<Duration>,
    /// How many runs are made at the same time.
    pub jobs: usize,
    /// Whether every job has its own copy of the folder.
    pub isolate: bool,
    /// How much is run.
    pub policy: Policy,
    /// Which perturbations are applied.
    pub perturbations: Vec<Perturbation>,
    /// Which of all tests are rerun; `None`: all of them.
    pub part: Option<Pick<'a>>,
    /// Decides orders.
    pub seed: u64,
}

impl Setup<'_> {
    fn test_command(&self) -> TestCommand<'_> {
        TestCommand {
            words: &self.command,
            variables: &self.variables,
            results: &self.results,
            timeout: self.timeout,
        }
    }
}

/// Why a command could not be rerun.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// It cannot be run.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// Its runs cannot be judged.
    #[error(transparent)]
    Silence(#[from] SilenceError),
    /// A shard of its tests was requested, but it reported none.
    #[error("the command reported no tests, so no shard can be selected")]
    NoTests,
}

impl RerunError {
    /// Whether the observations before the error still count.
    fn leaves_evidence(&self) -> bool {
        let Self::Exec(error) = self else { return false };
        match error {
            ExecError::Job(_) | ExecError::StateDir(_) | ExecError::Copy(_) | ExecError::Preload(_) => true,
            ExecError::SharedResults { .. }
            | ExecError::Select(_)
            | ExecError::Results(_)
            | ExecError::Record(_) => false,
        }
    }
}

/// The result of a campaign.
#[derive(Debug)]
pub struct Outcome {
    /// The findings.
    pub report: RerunReport,
    /// Whether it was ended from outside.
    pub interrupted: bool,
    /// The error that ended it early.
    pub obstacle: Option<RerunError>,
    /// The copies of the project that the jobs ran in. Removing them may take long and happens on drop: write the result
    /// before.
    pub copies: Vec<Sandbox>,
}

/// Reruns a command until the verdicts are decided, and reports every run as it ends.
pub fn rerun(setup: &Setup<'_>, cancel: &Cancel, emit: &mut dyn FnMut(Event)) -> Result<Outcome, RerunError> {
    let started = Instant::now();
    let state_dir = StateDir::open(&setup.state).map_err(ExecError::from)?;
    let sandboxes = Sandboxes::new(setup, &state_dir, cancel);
    let runner = recognise(&setup.command, &Project::at(&setup.folder));
    let survey = capabilities::survey(setup, &runner);
    for note in &survey.notes {
        emit(Event::Warning { message: note.clone() });
    }
    let mut conditions: Vec<_> =
        setup.perturbations.iter().flat_map(|what| probes(*what, &survey.capabilities, setup.seed)).collect();
    if setup.policy.probing == Probing::WhenFlaky {
        conditions
            .extend(setup.perturbations.iter().flat_map(|what| spare_seeds(*what, &survey.capabilities)));
    }
    // The search for polluters gets a quarter of the runs for explanations.
    let reserved = if survey.capabilities.can_order { setup.policy.explain.unwrap_or(0) / 4 } else { 0 };
    let explain = setup.policy.explain.map(|most| most - reserved);
    let mut drive = Drive {
        setup,
        runner: &runner,
        state_dir: &state_dir,
        sandboxes,
        campaign: Campaign::new(&setup.command, Policy { explain, ..setup.policy.clone() }, conditions),
        started,
        reserved,
        announced: false,
        unsupported: survey.unsupported,
        running: BTreeMap::new(),
        waiting: None,
        part: None,
        orders: Orders::default(),
        silence: Silence::new(runner.runner.is_known().then(|| runner.runner.name()), setup.timeout),
        obstacle: None,
        warned: BTreeSet::new(),
        emit,
    };
    // The first run alone shows which tests there are, and whether the command works at all.
    run_jobs(&Pool::new(1, state_dir.ledger()), cancel, &mut First(&mut drive));
    drive.pick_part()?;
    run_jobs(&Pool::new(setup.jobs, state_dir.ledger()), cancel, &mut drive);
    drive.finish(cancel)
}

/// `about 40 s`, `about 3 min`
fn about(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => format!("about {} s", seconds.max(1)),
        seconds => format!("about {} min", seconds.div_ceil(60)),
    }
}

fn names(perturbations: &[Perturbation]) -> String {
    perturbations.iter().map(|what| what.name()).collect::<Vec<_>>().join(", ")
}

struct Started {
    prepared: PreparedRun,
    /// Held until the run ends.
    load: Option<Load>,
}

struct Drive<'a> {
    setup: &'a Setup<'a>,
    runner: &'a Recognised,
    state_dir: &'a StateDir,
    sandboxes: Sandboxes<'a>,
    campaign: Campaign,
    started: Instant,
    /// Runs reserved for the search for polluters.
    reserved: u32,
    /// Whether the note about conditions was sent.
    announced: bool,
    /// Requested perturbations that are not available.
    unsupported: Vec<Perturbation>,
    running: BTreeMap<usize, Started>,
    /// A run that must be alone and waits for the others.
    waiting: Option<Task>,
    part: Option<Vec<TestId>>,
    orders: Orders,
    silence: Silence,
    obstacle: Option<RerunError>,
    warned: BTreeSet<String>,
    emit: &'a mut dyn FnMut(Event),
}

/// Lets only the first run through.
struct First<'a, 'b>(&'a mut Drive<'b>);

impl Jobs for First<'_, '_> {
    fn next(&mut self, job: usize) -> Option<Spec> {
        if self.0.campaign.evidence().runs > 0 { None } else { self.0.next(job) }
    }

    fn finished(&mut self, job: usize, result: Result<Finished, JobError>) {
        self.0.finished(job, result);
    }
}

impl Jobs for Drive<'_> {
    fn next(&mut self, job: usize) -> Option<Spec> {
        let late = self.setup.time.is_some_and(|time| self.started.elapsed() >= time);
        if let Some(silence) = self.silence.broken_off(self.campaign.evidence()) {
            self.obstacle.get_or_insert(silence.into());
        }
        if self.obstacle.is_some() || self.has_no_part() || (late && self.campaign.evidence().runs > 0) {
            return None;
        }
        self.announce();
        // Load affects all concurrent runs, so a run under load runs alone.
        let loaded = self.running.values().any(|started| started.load.is_some());
        let task = match self.waiting.take() {
            Some(task) => task,
            None if loaded => return None,
            None => self.campaign.next_task()?,
        };
        if task.condition.0.contains_key(&Perturbation::Load) && !self.running.is_empty() {
            self.waiting = Some(task);
            return None;
        }
        match self.start(job, &task) {
            Ok(spec) => Some(spec),
            // Cancelled by the user: no error kept the runs from being made.
            Err(RerunError::Exec(ExecError::Copy(CopyError::Stopped))) => None,
            Err(error) => {
                self.obstacle.get_or_insert(error);
                None
            }
        }
    }

    fn finished(&mut self, job: usize, result: Result<Finished, JobError>) {
        let Some(started) = self.running.remove(&job) else { return };
        match result {
            Ok(finished) => self.observe(&started, &finished),
            Err(error) => {
                self.obstacle.get_or_insert(ExecError::from(error).into());
            }
        }
    }
}

impl Drive<'_> {
    fn start(&mut self, job: usize, task: &Task) -> Result<Spec, RerunError> {
        let known: Vec<TestId> = self.campaign.evidence().tests.keys().cloned().collect();
        let plan = RunPlan {
            number: task.number,
            condition: &task.condition,
            selection: self.part.as_deref().map_or(Selection::All, Selection::Only),
            known: &known,
            keep_order: self.orders.to_keep(&task.condition),
        };
        let folder = self.sandboxes.of(job)?;
        let runner = self.runner_in(&folder);
        let prepared = self.job(job, &runner, &folder).prepare(&plan)?;
        let load = prepared.start_load();
        let spec = prepared.spec.clone();
        self.running.insert(job, Started { prepared, load });
        Ok(spec)
    }

    fn job<'j>(&'j self, number: usize, runner: &'j Recognised, folder: &'j Path) -> Job<'j> {
        Job {
            command: self.setup.test_command(),
            runner,
            state_dir: self.state_dir,
            folder,
            number,
            shares_folder: self.setup.jobs > 1 && !self.setup.isolate,
            recorder: None,
        }
    }

    /// The runner, as it is in a job's own copy: tests are named relative to it.
    fn runner_in(&self, folder: &Path) -> Cow<'_, Recognised> {
        if self.setup.isolate {
            Cow::Owned(recognise(&self.setup.command, &Project::at(folder)))
        } else {
            Cow::Borrowed(self.runner)
        }
    }

    fn observe(&mut self, started: &Started, finished: &Finished) {
        let (mut run, notes) = match started.prepared.finish(finished) {
            Ok(finished) => (finished.run, finished.notes),
            Err(error) => {
                self.obstacle.get_or_insert(error.into());
                return;
            }
        };
        if run.ending == Ending::Stopped {
            // An interrupted run is not evidence about the tests.
            return;
        }
        self.silence.hear(&run, &notes);
        for message in notes {
            self.warn(message);
        }
        self.orders.observe(&run);
        self.campaign.observe(&run);
        if self.setup.part.is_some() && self.part.is_none() {
            // This run only lists the tests.
            return;
        }
        let explained = run.results.iter().any(|result| result.outcome == TestOutcome::Failed);
        if run.results.is_empty() || !(explained || run.ending.is_success()) {
            // A failure that no test reports counts for the command itself.
            run.results.push(exit_code(run.ending, &self.setup.command));
        }
        let at_most = self.campaign.at_most();
        (self.emit)(Event::CommandFinished { run: Box::new(run), at_most });
    }

    /// Announces the cost of trying conditions once, before it begins.
    fn announce(&mut self) {
        let Some(runs) = self.campaign.probes_ahead().filter(|_| !self.announced) else { return };
        self.announced = true;
        let each = self.started.elapsed() / self.campaign.evidence().runs.max(1);
        let takes = about(each * (runs + self.reserved));
        let most = runs + self.reserved;
        let message = if self.setup.policy.probing == Probing::WhenFlaky {
            let limit = match self.setup.policy.explain {
                Some(_) => "`--explain N` or `--explain full` for more, `--explain 0` for none",
                None => "`--explain N` for fewer",
            };
            format!("some tests are flaky; up to {most} more runs look for the cause, {takes} ({limit})")
        } else {
            format!("trying {}: at least {runs} more runs, {takes}", names(&self.setup.perturbations))
        };
        (self.emit)(Event::Note { message });
    }

    /// Requested perturbations that were not applied.
    fn not_tried(&self, cancel: &Cancel) -> Vec<NotTried> {
        let late = self.setup.time.is_some_and(|time| self.started.elapsed() >= time);
        let reason = match self.obstacle {
            Some(_) => Reason::Error,
            None if cancel.is_requested() => Reason::Interrupted,
            None if late => Reason::Time,
            None => Reason::Explain,
        };
        let left = self.campaign.not_tried().into_iter();
        let left = left.map(|(perturbation, values, tried)| NotTried { perturbation, values, tried, reason });
        // Only requested perturbations are worth a note.
        let asked = self.setup.policy.probing == Probing::Always;
        let unsupported = self.unsupported.iter().filter(|_| asked).map(|perturbation| NotTried {
            perturbation: *perturbation,
            values: Vec::new(),
            tried: 0,
            reason: Reason::Unsupported,
        });
        left.chain(unsupported).collect()
    }

    /// Sends a note once: a problem of one run is one of all.
    fn warn(&mut self, message: String) {
        if self.warned.insert(message.clone()) {
            (self.emit)(Event::Warning { message });
        }
    }

    /// Whether all tests belong to other shards: then nothing is run, rather than everything.
    fn has_no_part(&self) -> bool {
        self.part.as_ref().is_some_and(Vec::is_empty)
    }

    /// Selects the tests of this shard, once all are known.
    fn pick_part(&mut self) -> Result<(), RerunError> {
        let Some(pick) = self.setup.part else { return Ok(()) };
        if self.obstacle.is_some() || self.campaign.evidence().runs == 0 {
            return Ok(());
        }
        let tests: Vec<TestId> = self.campaign.evidence().tests.keys().cloned().collect();
        if tests.is_empty() {
            return Err(self.silence.at_end().map_or(RerunError::NoTests, RerunError::from));
        }
        let part = pick(&tests);
        if !part.is_empty() {
            // Fails here rather than in the middle of the runs.
            self.runner.selecting(self.state_dir.folder(), &part).map_err(ExecError::from)?;
        }
        // With fewer tests before it, a test may behave differently: runs of all tests and of a shard are not mixed.
        self.campaign.begin_again();
        self.part = Some(part);
        Ok(())
    }

    fn finish(mut self, cancel: &Cancel) -> Result<Outcome, RerunError> {
        let seen = !self.campaign.evidence().tests.is_empty();
        if let Some(obstacle) = self.obstacle.take_if(|obstacle| !(seen && obstacle.leaves_evidence())) {
            return Err(obstacle);
        }
        if let Some(silence) = self.silence.at_end() {
            return Err(silence.into());
        }
        if let Some(message) = unstable_names(self.campaign.evidence()) {
            self.warn(message);
        }
        let not_tried = self.not_tried(cancel);
        let mut tests = judge(self.campaign.evidence(), self.setup.policy.sprt);
        let cut_short = |left: &NotTried| left.tried == 0 && left.reason != Reason::Unsupported;
        if self.setup.policy.probing == Probing::Always && not_tried.iter().any(cut_short) {
            // Not all requested conditions were tried: it passed, and no more is known.
            for test in tests.iter_mut().filter(|test| test.verdict == Verdict::Stable) {
                test.verdict = Verdict::Undecided;
            }
        }
        if self.has_no_part() {
            tests.clear();
        }
        let mut tries = 0;
        if !self.orders.others.is_empty() {
            let folder = self.sandboxes.of(0)?;
            let deadline = self.setup.time.and_then(|time| self.started.checked_add(time));
            let runner = self.runner_in(&folder);
            let job = self.job(0, &runner, &folder);
            let most = self.setup.policy.explain.map(|most| most.saturating_sub(self.campaign.probed()));
            let mut dependences = Dependences::new(job, &self.orders.first, deadline, most, cancel);
            for test in &mut tests {
                if let Some(dependence) = dependences.of(test, &self.orders.others)? {
                    // The dependence was shown by running just the two tests.
                    test.category = Some(Category::State);
                    test.dependence = Some(dependence);
                }
            }
            tries = dependences.tries;
        }
        for test in &tests {
            (self.emit)(Event::TestJudged { report: Box::new(test.clone()) });
        }
        let evidence = self.campaign.evidence();
        let report = RerunReport {
            version: RerunReport::VERSION,
            command: self.setup.command.clone(),
            confidence: self.setup.policy.sprt.confidence().get(),
            flake_rate: self.setup.policy.sprt.hypotheses().tolerated.get(),
            seed: self.setup.seed,
            runs: evidence.runs + tries,
            executions: evidence.executions,
            seconds: self.started.elapsed().as_secs_f64(),
            part: None,
            not_tried,
            tests,
        };
        let copies = self.sandboxes.into_copies();
        Ok(Outcome { report, interrupted: cancel.is_requested(), obstacle: self.obstacle, copies })
    }
}

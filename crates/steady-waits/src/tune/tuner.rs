//! Decides after every run which one comes next.

use serde::Serialize;

use super::strategy::{Course, Goal, Next, begin};
use super::{Attempt, Decided, Evidence, Outcome, Settings, Standing, Strategy, Why};

/// The runs of the test as it is that are made in any case: its time is to be compared.
const LEAST_BASELINE: u64 = 5;

/// How tuning ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    /// This value passed as often as was asked.
    Held {
        /// In milliseconds.
        ms: u64,
    },
    /// No shorter value holds: the wait stays.
    Kept {
        /// In milliseconds.
        ms: u64,
    },
    /// The test did not fail as it is: there is nothing to repair.
    NotFlaky,
    /// The test fails as it is: there is nothing to shorten.
    Flaky,
    /// None of the candidates held, nor did longer values, if they were to be tried.
    NoneHeld,
    /// The runs were used up, or the user ended it.
    Unfinished {
        /// The shortest value that never failed, in milliseconds.
        best: Option<u64>,
    },
}

/// How many values were tried, and in how many executions of the test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Executions of the test as it was.
    pub baseline: u64,
    /// Candidates that were tried: the paper's `n_loc`.
    pub candidates: u64,
    /// Values that were tried after them: the paper's `n_tuning`.
    pub tuned: u64,
    /// Executions with values, all together.
    pub executions: u64,
}

/// A search for the right value: asks for runs, one at a time, and learns from them.
///
/// No clock and no process: whoever holds it makes the runs.
#[derive(Debug)]
pub struct Tuner {
    settings: Settings,
    evidence: Evidence,
    course: Box<dyn Course>,
    stage: Stage,
    effort: Effort,
}

#[derive(Debug, Clone, Copy)]
enum Stage {
    Baseline,
    Search(Option<Goal>),
    Done(Verdict),
}

impl Tuner {
    /// Begins; candidates are in the order they are to be tried.
    pub fn new(settings: &Settings, candidates: &[u64]) -> Self {
        // Without a run nothing could be said of a value.
        let settings = Settings { runs: settings.runs.max(1), ..settings.clone() };
        let stage = if settings.baseline == 0 { Stage::Search(None) } else { Stage::Baseline };
        Self {
            evidence: Evidence::default(),
            course: begin(&settings, candidates),
            settings,
            stage,
            effort: Effort::default(),
        }
    }

    /// The next run to make; `None` when all is decided.
    pub fn next_trial(&mut self) -> Option<Attempt> {
        loop {
            if self.settings.most.is_some_and(|most| self.evidence.runs() >= most) {
                self.give_up();
            }
            match self.stage {
                Stage::Done(_) => return None,
                Stage::Baseline => {
                    let ms = self.before();
                    let counts = self.evidence.counts(ms);
                    match self.baseline_verdict(counts.failed > 0, counts.runs()) {
                        None => return Some(Attempt { ms, why: Why::Baseline }),
                        Some(stage) => {
                            self.evidence.end_baseline();
                            self.stage = stage;
                        }
                    }
                }
                Stage::Search(_) => match self.course.next(&self.evidence) {
                    Next::Try(goal) if self.evidence.supporting(goal.ms) >= goal.passes => {
                        self.count(goal);
                        self.course.reached(goal, &self.evidence);
                    }
                    Next::Try(goal) => {
                        self.stage = Stage::Search(Some(goal));
                        return Some(Attempt { ms: goal.ms, why: goal.why });
                    }
                    Next::Settled(ms) => self.stage = Stage::Done(self.settled(ms)),
                    Next::Nothing => self.stage = Stage::Done(Verdict::NoneHeld),
                },
            }
        }
    }

    /// Learns what came of the run that [`next_trial`](Self::next_trial) asked for; says if that decided about a value.
    pub fn absorb(&mut self, ms: u64, outcome: Outcome) -> Option<Decided> {
        self.evidence.observe(ms, outcome);
        let Stage::Search(Some(goal)) = self.stage else {
            self.effort.baseline += u64::from(matches!(self.stage, Stage::Baseline));
            return None;
        };
        self.effort.executions += 1;
        let counts = self.evidence.counts(ms);
        let decided = |standing| Decided { ms, standing, runs: counts.runs(), passed: counts.passed };
        if !outcome.passed {
            self.count(goal);
            self.course.missed(goal, &self.evidence);
            return Some(decided(Standing::Rejected));
        }
        let passes = self.evidence.supporting(ms);
        let trusted = passes >= self.settings.runs;
        let standing = if trusted { Standing::Trusted } else { Standing::Promising };
        (passes >= goal.passes).then(|| decided(standing))
    }

    /// No more runs can be made.
    pub fn give_up(&mut self) {
        if !matches!(self.stage, Stage::Done(_)) {
            self.stage = Stage::Done(Verdict::Unfinished { best: self.evidence.shortest_faultless() });
        }
    }

    /// How it ended; `None` while runs are to be made.
    pub fn verdict(&self) -> Option<Verdict> {
        if let Stage::Done(verdict) = self.stage { Some(verdict) } else { None }
    }

    /// What the runs say.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// What it took so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    fn before(&self) -> u64 {
        self.settings.before.unwrap_or(0)
    }

    /// What follows the runs of the test as it is; `None`: more of them.
    fn baseline_verdict(&self, failed: bool, runs: u64) -> Option<Stage> {
        let most = self.settings.baseline;
        let least = LEAST_BASELINE.min(most);
        match (self.settings.strategy, failed) {
            (Strategy::Shrink, true) => Some(Stage::Done(Verdict::Flaky)),
            (Strategy::Shrink, false) | (_, true) => (runs >= least).then_some(Stage::Search(None)),
            (_, false) => (runs >= most).then_some(Stage::Done(Verdict::NotFlaky)),
        }
    }

    fn settled(&self, ms: u64) -> Verdict {
        if self.settings.strategy == Strategy::Shrink && ms == self.before() {
            return Verdict::Kept { ms };
        }
        Verdict::Held { ms }
    }

    fn count(&mut self, goal: Goal) {
        match goal.why {
            Why::Candidate { .. } => self.effort.candidates += 1,
            Why::Longer | Why::Between { .. } => self.effort.tuned += 1,
            Why::Confirm | Why::Baseline => {}
        }
    }
}

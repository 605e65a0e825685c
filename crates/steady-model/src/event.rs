//! What a run says while it goes on: one event per line of `events.jsonl`.
//!
//! A stream begins with one [`Event::RunStarted`] and ends with exactly one [`Event::RunFinished`], sent also when the run
//! fails or is interrupted; phases come in started/finished pairs.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::rerun::{Run, TestReport};
use crate::{Fault, Flaky, OperationId, Summary};

/// An event, when it happened, and the stream's version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Envelope {
    /// The format's version, [`Self::VERSION`].
    pub version: u32,
    /// Milliseconds since the run started.
    pub elapsed_ms: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

impl Envelope {
    /// The version of the format that this steady writes.
    pub const VERSION: u32 = 1;
}

/// The stages of a fuzzing run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Looking for behaviour.
    Search,
    /// Re-running what was found alone, shortening it, writing assertions.
    Recheck,
    /// Running the tests again in every way that may change their answers.
    Stabilize,
    /// Writing files.
    Write,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run began.
    RunStarted {
        /// The command: `demo`, `fuzz`, `run`, `rerun`, `stabilize`, `waits lint`, `waits tune`, `history`, `merge`.
        command: String,
        /// steady's version.
        tool_version: String,
        /// The seed, to do it again.
        seed: u64,
    },
    /// The API's document was read.
    SchemaLoaded {
        /// The API's title.
        title: String,
        /// How many operations it has.
        operations: usize,
    },
    /// An operation will not be called.
    OperationSkipped {
        /// The operation, as far as it could be read.
        operation: String,
        /// Why.
        reason: String,
    },
    /// A stage began.
    PhaseStarted {
        /// Which one.
        phase: Phase,
    },
    /// A stage ended.
    PhaseFinished {
        /// Which one.
        phase: Phase,
    },
    /// An operation answered with this status for the first time.
    StatusReached {
        /// The operation.
        operation: OperationId,
        /// The status.
        status: u16,
    },
    /// A fault was seen for the first time.
    FaultFound {
        /// The fault.
        fault: Box<Fault>,
    },
    /// A value in a response is not the same every time.
    FlakyFound {
        /// Where, why, and what became of its assertion.
        flaky: Box<Flaky>,
    },
    /// Looking for flaky values begins.
    DetectionStarted {
        /// How long it may take; nothing when nothing limits it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
        /// How many tests there are.
        tests: usize,
        /// How often all of them are to be run, the proof at the end included.
        runs: u32,
    },
    /// Where the run stands; sent a few times a second.
    Progress {
        /// Requests sent so far.
        requests: u64,
        /// Operations answered with a 2xx so far.
        successful: usize,
        /// Operations there are.
        operations: usize,
        /// Distinct faults so far.
        faults: usize,
    },
    /// A test of a suite was run.
    TestFinished {
        /// Its name.
        test: String,
        /// Whether every assertion held.
        passed: bool,
        /// One line per assertion that did not hold.
        failures: Vec<String>,
        /// How long it took.
        milliseconds: f64,
    },
    /// The test command was run once more.
    CommandFinished {
        /// The run.
        run: Box<Run>,
        /// How many runs there may be in all, as far as is known now.
        at_most: u32,
    },
    /// All runs are made, and this is what they say about a test.
    TestJudged {
        /// What they say.
        report: Box<TestReport>,
    },
    /// A wait gets another value, and its test is run with it.
    AttemptStarted {
        /// The file of the wait.
        path: String,
        /// Its line, from 1.
        line: usize,
        /// The value.
        ms: u64,
    },
    /// The test was run once with a value.
    AttemptRun {
        /// The file of the wait.
        path: String,
        /// Its line, from 1.
        line: usize,
        /// The value.
        ms: u64,
        /// Whether the test passed.
        passed: bool,
        /// How long the run took.
        milliseconds: f64,
    },
    /// It is decided about a value.
    AttemptDecided {
        /// The file of the wait.
        path: String,
        /// Its line, from 1.
        line: usize,
        /// The value.
        ms: u64,
        /// Whether the test holds with it.
        holds: bool,
        /// Runs with it.
        runs: u32,
        /// Those that passed.
        passed: u32,
    },
    /// Something the user should know that is no fault of the API.
    Warning {
        /// What, and what to do.
        message: String,
    },
    /// Something worth knowing that asks for no action.
    Note {
        /// What.
        message: String,
    },
    /// What `waits tune` found: candidates, and the patch.
    WaitsTuned {
        /// The result's fields.
        #[serde(flatten)]
        result: Map<String, Value>,
    },
    /// What `waits lint` found: every wait with its complaints.
    WaitsLinted {
        /// The result's fields.
        #[serde(flatten)]
        result: Map<String, Value>,
    },
    /// What `history` found: tests and how often they failed.
    HistoryListed {
        /// The result's fields.
        #[serde(flatten)]
        result: Map<String, Value>,
    },
    /// A file was written.
    FileWritten {
        /// Its path, relative to the output folder.
        path: String,
    },
    /// The run ended; always the last event.
    RunFinished {
        /// The exit code the process will end with.
        exit_code: u8,
        /// Whether it was cut short from outside.
        interrupted: bool,
        /// Why the job could not be done, or not all of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// The figures, for a fuzzing run that got that far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<Box<Summary>>,
    },
}

//! Runs a test command once, under a condition, and returns the result.
//!
//! A [`TestCommand`] is the user's own command. An [`Executor`] runs it in one folder, one run after the other. To run
//! several at a time, prepare each with a [`Job`], start its [`PreparedRun::spec`] and pass the finished process to
//! [`PreparedRun::finish`]. Either way the result is a [`FinishedRun`]: the outcome of each test and, with a [`Recorder`] attached, every
//! HTTP exchange the tests made.
//!
//! A condition is a change to the environment of a run. [`probes`] lists the conditions of a perturbation on a machine with
//! these [`Capabilities`]; [`overrides`] translates a condition for a process, and [`apply`] applies it to a command:
//!
//! ```
//! use steady_exec::{StateDir, apply, overrides};
//! use steady_model::rerun::{Condition, Perturbation};
//! use steady_process::{Cancel, Spec, Stream, spawn};
//!
//! let folder = tempfile::tempdir()?;
//! let state_dir = StateDir::open(folder.path())?;
//! let far_east = overrides(&Condition::of(Perturbation::Tz, "Pacific/Kiritimati"));
//! let (command, _control) = apply(Spec::shell("echo $TZ"), &far_east, &state_dir, 0)?;
//! let finished = spawn(&command)?.wait(&Cancel::new()?);
//! assert_eq!(finished.output.bytes(Stream::Stdout), b"Pacific/Kiritimati\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Sandbox`] is a copy of the project for runs that must not touch it; a [`StateDir`] holds temporary files of runs.

mod apply;
mod capabilities;
mod command;
mod error;
mod executor;
mod finished;
mod load;
mod order;
mod overrides;
mod perturb;
mod preload;
mod prepare;
mod record;
mod sandbox;
mod selection;
mod state_dir;

pub use apply::{ApplyError, apply};
pub use capabilities::{Capabilities, installed_locales};
pub use command::TestCommand;
pub use error::ExecError;
pub use executor::Executor;
pub use finished::FinishedRun;
pub use load::Load;
pub use overrides::{Before, Overrides, Variable};
pub use perturb::{Probe, overrides, probes, spare_seeds};
pub use preload::{PreloadError, steer};
pub use prepare::{Job, PreparedRun};
pub use record::{Failure, Frame, RecordError, Recorded, Recorder, Recording, RequestLine, Unanswered};
pub use sandbox::{Sandbox, SandboxError};
pub use selection::{RunPlan, Selection};
pub use state_dir::{StateDir, StateDirError, keep_out_of_git};

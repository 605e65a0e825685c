//! Runs commands under control: captured, limited, and ended with everything they started.
//!
//! Describe a command with [`Spec`], start it with [`spawn`], and [`Running::wait`] for it; [`run_jobs`] runs many, some at a time.
//! However a command ends (by itself, by timeout, by [`Cancel`] or by dropping [`Running`]), nothing it started stays: background
//! processes, daemons that left the group, and pipes they hold open included. When this process is killed, the [`Ledger`] lists for the
//! next one what to [clean up](clean_up()).
//!
//! ```
//! use steady_process::{Exit, Spec, Cancel, Stream, spawn};
//!
//! let spec = Spec::shell("echo job {job}; exit 3").job(7);
//! let finished = spawn(&spec)?.wait(&Cancel::new()?);
//! assert_eq!(finished.exit, Exit::Code(3));
//! assert_eq!(finished.output.bytes(Stream::Stdout), b"job 7\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This is complete on Linux. Elsewhere a process that leaves its group is not found, and neither are the processes of a killed
//! steady.

#![cfg(unix)]

mod cancel;
mod capture;
mod clean_up;
#[cfg(target_os = "linux")]
mod ending;
mod exit_notice;
mod finished;
mod isolation;
mod jobs;
mod ledger;
mod live;
mod output;
mod owner;
mod placeholders;
mod poll;
mod ports;
#[cfg(target_os = "linux")]
mod processes;
mod reader;
mod running;
mod spawn;
mod spec;
mod system;
#[cfg_attr(not(target_os = "linux"), path = "group.rs")]
mod tree;

pub use cancel::{Cancel, ExitImmediately};
pub use clean_up::{CleanedUp, clean_up};
pub use finished::{Exit, Finished};
pub use isolation::{CopyError, Isolation};
pub use jobs::{JobError, Jobs, Pool, run_jobs};
pub use ledger::{Ledger, LedgerError, TempFolder};
pub use output::{Output, Part, Stream};
pub use owner::RUN_VARIABLE;
pub use placeholders::{CommandPart, PlaceholderError, fill_address, ports_in};
pub use ports::Ports;
pub use running::Running;
pub use spawn::{SpawnError, spawn};
pub use spec::Spec;

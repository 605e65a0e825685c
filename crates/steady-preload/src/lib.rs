//! Carries the preload shim (`shim/`) and controls it: shifts the wall clock of other programs,
//! seeds what they draw at random and delays their connections, also while they run.
//!
//! Ask [`check`] whether the shim can work in a program, [`Preload::install`] the shim, [`Control::create`] a control,
//! start the program with the variables of [`Preload::environment`], and [`Control::shift_clock`] at any time, before or after:
//!
//! ```
//! use jiff::SignedDuration;
//! use steady_preload::{Control, Preload};
//!
//! # if !steady_preload::is_available() { return Ok(()); }
//! let folder = tempfile::tempdir()?;
//! let preload = Preload::install(folder.path())?;
//! let control = Control::create(folder.path())?;
//! control.shift_clock(SignedDuration::from_hours(48))?;
//!
//! let inherited = std::env::var_os("LD_PRELOAD");
//! let mut date = std::process::Command::new("date");
//! date.arg("+%s").envs(preload.environment(&control, inherited.as_deref()));
//! let shifted: u64 = String::from_utf8(date.output()?.stdout)?.trim().parse()?;
//!
//! let now = std::time::UNIX_EPOCH.elapsed()?.as_secs();
//! assert!(shifted >= now + 47 * 3600);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Children of the program inherit all of it. Monotonic clocks and waits are not touched: a sleep of a second takes a
//! second. [`Control::programs`] says afterwards how many programs it was.
//!
//! Limits: static and Go programs ask the kernel and see the machine's clock; the times of files are the machine's; a
//! program built with AddressSanitizer refuses to start after any preloaded library, unless `ASAN_OPTIONS` has
//! `verify_asan_link_order=0`.

mod check;
mod control;
mod environment;
mod install;
#[path = "../shim/src/layout.rs"]
mod layout;
mod system;

pub use check::{Doubt, Obstacle, Support, check};
pub use control::{Control, ControlError, ShiftError};
pub use environment::{CONTROL_VARIABLE, PRELOAD_VARIABLE};
pub use install::{InstallError, Preload, is_available};

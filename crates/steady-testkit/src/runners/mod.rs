//! How each runner is installed and called; one file per ecosystem, each with `install` and the runs.

pub(crate) mod hurl;
pub(crate) mod maven;
pub(crate) mod node;
pub(crate) mod python;

use std::ffi::OsString;
use std::time::Duration;

/// Installing may have to download a lot.
const INSTALL_LIMIT: Duration = Duration::from_secs(30 * 60);
/// The longest a suite may run: a build from cold included.
const RUN_LIMIT: Duration = Duration::from_secs(15 * 60);

/// Environment variables for a run.
pub(crate) type Variables = [(OsString, OsString)];

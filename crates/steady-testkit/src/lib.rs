//! Test support: real test runners, and a small API to run tests against.
//!
//! [`Runner::run`] runs a folder of emitted tests with pytest, Jest, Maven and so on, and says by name which tests
//! passed and which failed. What a runner needs is installed once, under the workspace's target directory, from
//! project files with pinned versions in `runners/`; [`Runner::install`] does it ahead of time.
//!
//! [`Fixture`] is an API in process: create, read, update and delete; logins; an echo of exactly what was received;
//! answers of every kind. It stops when it is dropped. [`LoopbackServer`] is for tests that write their own answers.
//!
//! [`matrix`] lists the versions of runners that `steady rerun` is held to.
//!
//! [`catalogue`] is a set of flaky APIs that run as processes, with labels of what varies in them and why.
//!
//! [`waits`] has projects with a test whose needed wait is known, for every JavaScript runner.
//!
//! [`wiremock`] is a real WireMock, with the features that the mock server is compared by.
//!
//! [`Postgres`] is a real PostgreSQL server in a temporary folder, [`Slurm`] a cluster of one node.

pub mod catalogue;
mod fixture;
mod install;
mod loopback;
pub mod matrix;
mod postgres;
mod process;
mod report;
mod runner;
mod runners;
mod slurm;
pub mod waits;
pub mod wiremock;

pub use fixture::Fixture;
pub use loopback::LoopbackServer;
pub use postgres::{Postgres, PostgresError};
pub use process::{Finished, run};
pub use report::RunReport;
pub use runner::{Runner, RunnerError};
pub use runners::{node_modules, npm_project, python, python_packages, vitest_modules};
pub use slurm::{Slurm, SlurmError};

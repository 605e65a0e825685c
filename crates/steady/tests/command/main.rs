//! The `steady` command as its users meet it: arguments in; exit code, stdout, stderr and files out.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod bad_input;
mod fuzz_api;
mod fuzz_shards;
mod help;
mod interruption;
mod rerun;
mod run_suite;
mod stabilize;
mod support;
mod waits;

//! The `steady` command as its users meet it: arguments in; exit code, stdout, stderr and files out.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod bad_input;
mod event_stream;
mod fuzz_api;
mod fuzz_shards;
mod help;
mod hostile_api;
mod interruption;
mod mock;
mod output_folder;
mod rerun;
mod run_suite;
mod secrets;
mod signals;
mod stabilize;
mod support;
mod travel;
mod waits;

//! The `steady` command as its users meet it: arguments in; exit code, stdout, stderr and files out.

mod bad_input;
mod help;
mod interruption;
mod run_suite;
mod support;

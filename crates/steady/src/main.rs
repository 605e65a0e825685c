//! The `steady` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    steady::main()
}

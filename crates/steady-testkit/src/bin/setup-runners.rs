//! Installs every test runner, so that the tests find them.

use std::process::ExitCode;

use steady_model::Emitter;
use steady_testkit::{Runner, Slurm};

#[expect(clippy::print_stderr, reason = "a command line tool talks on stderr")]
fn main() -> ExitCode {
    for emitter in Emitter::ALL {
        eprintln!("setting up {emitter}");
        if let Err(error) = Runner(emitter).install() {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    }
    eprintln!("setting up vitest");
    if let Err(error) = steady_testkit::vitest_modules() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    eprintln!("setting up slurm");
    if let Err(error) = Slurm::install() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

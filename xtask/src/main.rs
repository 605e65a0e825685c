//! The project's own chores, as `cargo xtask CHORE`; one file per chore.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "what a chore has to say is its output")]

mod bench;
mod debian;
mod docs;
mod explore;
mod guards;
mod layers;
mod paths;
mod schemas;
mod setup;
mod step;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's own chores.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Installs what the tests need on a fresh machine.
    Setup,
    /// Sets up, then checks format and lints, runs every test and builds the documentation.
    Test(test::Options),
    /// Checks layers, unused dependencies, spelling and the root folder; a part of `test`.
    Check,
    /// Runs the property tests with cases that were not drawn before, and more of them.
    Explore(explore::Options),
    /// Writes the tables of the documentation that follow from the code.
    Docs,
    /// Measures steady, its peers beside it.
    #[command(subcommand)]
    Bench(bench::Benchmark),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Setup => setup::run(),
        Chore::Test(options) => return test::run(&options),
        Chore::Check => guards::run(&mut step::Steps::default()),
        Chore::Docs => docs::run(),
        Chore::Explore(options) => explore::run(&options),
        Chore::Bench(benchmark) => bench::run(benchmark),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

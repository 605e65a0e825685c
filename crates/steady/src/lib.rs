//! The `steady` command, as a library so that tests can call its parts.
//!
//! [`main`] parses the command line ([`cli`]), settles the options from `steady.toml`, the environment and flags
//! ([`options`]), and calls one of the [`commands`]. Engines tell what happens as events; the [`events`] module
//! hands them to the terminal, to stdout and to `events.jsonl`. An error is printed once, by [`diagnostic`], and
//! every way to end is an [`exit::Exit`].

pub mod annotations;
pub mod auth;
pub mod cli;
pub mod commands;
pub mod config;
pub mod diagnostic;
pub mod env_vars;
pub mod error;
pub mod events;
pub mod excerpt;
pub mod exit;
pub mod filter;
pub mod fuzz;
pub mod interrupt;
pub mod junit;
pub mod options;
pub mod output;
pub mod rerun;
pub mod sarif;
pub mod shards;
pub mod stabilize;
pub mod store;
pub mod suggest;
pub mod suite_file;
pub mod sut;
pub mod terminal;
pub mod values;
pub mod voice;
pub mod waits;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, ColorChoice, Command};
use crate::error::CommandError;
use crate::exit::Exit;

/// Parses the command line and does what it asks for.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    choose_colour(cli.shared.color);
    match dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            terminal::talk(&diagnostic::render(error.inner()));
            Exit::CouldNot.into()
        }
    }
}

fn dispatch(cli: Cli) -> Result<Exit, CommandError> {
    match cli.command {
        Command::Demo(args) => commands::demo::run(&cli.shared, &args),
        Command::Fuzz(args) => commands::fuzz::run(&cli.shared, *args),
        Command::Run(args) => commands::run::run(&cli.shared, &args),
        Command::Stabilize(args) => commands::stabilize::run(&cli.shared, &args),
        Command::Rerun(args) => commands::rerun::run(&cli.shared, *args),
        Command::Waits(args) => commands::waits::run(&cli.shared, &args.command),
        Command::History(args) => commands::history::run(&cli.shared, &args),
        Command::Merge(args) => commands::merge::run(&cli.shared, &args),
        Command::Completions(args) => commands::completions::run(&args),
    }
}

/// `auto` leaves the choice to the streams, which look at the terminal and at NO_COLOR.
fn choose_colour(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => {}
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
}

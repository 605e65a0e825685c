//! The `steady` command, as a library so that tests can call its parts.
//!
//! [`main`] parses the command line ([`cli`]) and runs one of the [`commands`] in a [`session`], which emits the first and
//! the last event. Options come from `steady.toml`, the environment and flags ([`options`]). Engines emit events; the
//! [`events`] module hands them to the terminal, to stdout and to `events.jsonl`. An error is printed once, by
//! [`diagnostic`], and every way to end is an [`exit::Exit`].

pub mod auth;
pub mod cli;
pub mod commands;
pub mod config;
pub mod connection;
pub mod diagnostic;
pub mod env_vars;
pub mod error;
pub mod events;
pub mod excerpt;
pub mod exit;
pub mod filter;
pub mod flaky;
pub mod options;
pub mod output;
pub mod recording;
pub mod sarif;
pub mod session;
pub mod shards;
pub mod store;
pub mod suggest;
pub mod suite;
pub mod sut;
pub mod ui;
pub mod values;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, ColorChoice, Command};
use crate::commands::waits::WaitsCommand;
use crate::error::CommandError;
use crate::exit::Exit;

/// Parses the command line and does what it asks for.
pub fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|refusal| cli::without_secrets(refusal).exit());
    choose_colour(cli.shared.color);
    match dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            ui::talk(&error.render());
            Exit::Error.into()
        }
    }
}

fn dispatch(cli: Cli) -> Result<Exit, CommandError> {
    let shared = &cli.shared;
    match cli.command {
        Command::Demo(args) => {
            session::run("demo", shared, |session| commands::demo::run(session, args.time.0))
        }
        Command::Fuzz(args) => session::run("fuzz", shared, |session| commands::fuzz::run(session, *args)),
        Command::Run(args) => session::run("run", shared, |session| commands::run::run(session, &args)),
        Command::Stabilize(args) => {
            session::run("stabilize", shared, |session| commands::stabilize::run(session, &args))
        }
        Command::Rerun(args) => session::run("rerun", shared, |session| commands::rerun::run(session, *args)),
        Command::Waits(args) => match &args.command {
            WaitsCommand::Lint(args) => {
                session::run("waits lint", shared, |session| commands::waits::lint(session, args))
            }
            WaitsCommand::Tune(args) => {
                session::run("waits tune", shared, |session| commands::waits::tune(session, args))
            }
        },
        Command::History(args) => {
            session::run("history", shared, |session| commands::history::run(session, &args))
        }
        Command::Merge(args) => session::run("merge", shared, |session| commands::merge::run(session, &args)),
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

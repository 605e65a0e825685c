//! The `steady` command.
//!
//! `main` parses the command line ([`cli`]) and runs one of the [`commands`], each a folder of its own, in a
//! [`session`], which emits the first and the last event. Options come from `steady.toml`, the environment and flags ([`options`]). Engines emit events; the
//! [`events`] module hands them to the terminal, to stdout and to `events.jsonl`. An error is printed once, by
//! [`diagnostic`], and every way to end is an [`exit::Exit`].

mod auth;
mod cli;
mod commands;
mod config;
mod connection;
mod diagnostic;
mod env_vars;
mod error;
mod events;
mod excerpt;
mod exit;
mod filter;
mod flaky;
mod junit;
mod malformed;
mod options;
mod output;
mod recording;
mod sarif;
mod session;
mod shards;
mod store;
mod suggest;
mod suite;
mod sut;
mod ui;
mod values;

use std::process::ExitCode;

use clap::{ColorChoice, Parser};

use crate::cli::{Cli, Command};
use crate::commands::waits::WaitsCommand;
use crate::error::CommandError;
use crate::exit::Exit;

/// Parses the command line and does what it asks for.
fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|refusal| cli::without_secrets(refusal).exit());
    choose_colour(cli.shared.color);
    match dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            ui::eprint_line(&error.render());
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
        Command::Mock(args) => session::run("mock", shared, |session| commands::mock::run(session, &args)),
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

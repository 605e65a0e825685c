//! `steady completions`.

mod args;

use clap::CommandFactory;

pub use args::CompletionsArgs;

use crate::cli::Cli;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::ui;

/// Prints the script.
pub fn run(args: &CompletionsArgs) -> Result<Exit, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "steady", &mut script);
    ui::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Clean)
}

//! `steady completions`.

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::terminal;

/// Prints the script.
pub fn run(args: &CompletionsArgs) -> Result<Exit, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "steady", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Clean)
}

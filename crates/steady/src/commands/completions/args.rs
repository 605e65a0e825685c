//! `steady completions`.

use clap::Args;
use clap_complete::Shell;

/// `steady completions`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  steady completions bash > /etc/bash_completion.d/steady
  steady completions fish > ~/.config/fish/completions/steady.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

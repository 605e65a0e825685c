//! Options every command has.

use std::path::PathBuf;

use clap::{Args, ColorChoice, ValueEnum};

use crate::env_vars;

/// Options every command has.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Shared options")]
pub struct SharedArgs {
    /// Read options from this file [default: steady.toml, if there is one]
    #[arg(long, global = true, value_name = "FILE", env = env_vars::STEADY_CONFIG, hide_env_values = true)]
    pub config: Option<PathBuf>,
    /// Write files into this folder
    #[arg(long, global = true, value_name = "DIR", default_value = "steady-out", env = env_vars::STEADY_OUT, hide_env_values = true)]
    pub out: PathBuf,
    /// Output format: human, or json (one event per line)
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub format: Format,
    /// Seed of everything random; the same seed on the same API gives the same run
    #[arg(long, global = true, value_name = "N", env = env_vars::STEADY_SEED, hide_env_values = true)]
    pub seed: Option<u64>,
    /// When to use colour: auto, always or never; auto respects NO_COLOR
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// Print only failures, faults and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// What stdout is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text that may change between versions
    #[default]
    Human,
    /// One JSON event per line; versioned
    Json,
}

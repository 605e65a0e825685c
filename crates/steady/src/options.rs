//! What a command does, decided from `steady.toml`, the environment and flags, in that order of weight.

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

use crate::cli::{Format, SharedArgs};
use crate::ui::Verbosity;

/// Options every command has.
#[derive(Debug, Clone)]
pub struct SharedOptions {
    /// The configuration file that is named.
    pub config: Option<PathBuf>,
    /// The folder files are written into.
    pub out: PathBuf,
    /// Whether stdout carries JSON events.
    pub json: bool,
    /// How much is said.
    pub verbosity: Verbosity,
    /// Decides everything random.
    pub seed: u64,
}

impl SharedOptions {
    /// Takes the flags; without `--seed` the seed is another one every time.
    pub fn from_args(args: &SharedArgs) -> Self {
        let verbosity = match (args.quiet, args.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        Self {
            config: args.config.clone(),
            out: args.out.clone(),
            json: args.format == Format::Json,
            verbosity,
            seed: args.seed.unwrap_or_else(random_seed),
        }
    }
}

/// Another number every time, short enough to be read aloud and typed again.
fn random_seed() -> u64 {
    // The standard library's hasher keys come from the system's source of randomness.
    RandomState::new().hash_one(0) % 1_000_000
}

/// A list given as flags replaces the one of the file.
pub fn or_list<T: Clone>(flags: Vec<T>, config: &[T]) -> Vec<T> {
    if flags.is_empty() { config.to_vec() } else { flags }
}

//! Benchmarks of one part alone: the `benches/` of its crate, built and run by cargo.

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::step::{Steps, cargo};

/// A part that has a benchmark of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Clock reads under the preload shim.
    Clock,
    /// Comparing recorded exchanges.
    Compare,
    /// The lines of a repository's past: `GIT_DIR COMMIT FOLDER [DEPTH]`.
    History,
    /// Suspecting volatile values by their form.
    Infer,
    /// A bare loop over steady's HTTP client: URL PATH SECONDS CONNECTIONS.
    Keepalive,
    /// Finding the waits for a line: FOLDER FILE LINE.
    Locate,
    /// Starting and ending a command: `[RUNS]`.
    Process,
    /// Reading test results.
    Results,
    /// A store of a million results: `[URL]`.
    Store,
}

/// Options of `bench part`.
#[derive(Debug, Args)]
pub struct Options {
    part: Part,
    /// Arguments of the benchmark.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Part {
    /// The crate whose `benches/` holds it, and its name there.
    fn home(self) -> (&'static str, &'static str) {
        match self {
            Self::Clock => ("steady-preload", "clock"),
            Self::Compare => ("steady-flaky", "compare"),
            Self::History => ("steady-history", "history"),
            Self::Infer => ("steady-flaky", "infer"),
            Self::Keepalive => ("steady-http", "keepalive"),
            Self::Locate => ("steady-waits", "locate"),
            Self::Process => ("steady-process", "process"),
            Self::Results => ("steady-results", "results"),
            Self::Store => ("steady-store", "store"),
        }
    }
}

/// The cargo command that runs a part's benchmark.
pub fn command(part: Part) -> std::process::Command {
    let (package, name) = part.home();
    cargo(&["bench", "--quiet", "--package", package, "--bench", name])
}

/// Runs the benchmark of a part.
pub fn run(options: &Options) -> Result<()> {
    let mut command = command(options.part);
    command.arg("--").args(&options.arguments);
    Steps::default().run("bench", &mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_benchmark() {
        for part in Part::value_variants() {
            let (package, name) = part.home();
            let file = crate::paths::root().join("crates").join(package).join(format!("benches/{name}.rs"));
            assert!(file.is_file(), "{} is missing", file.display());
        }
    }
}

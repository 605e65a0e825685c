//! `cargo xtask test`: everything a change has to pass.

use std::process::{ExitCode, Stdio};

use anyhow::Result;
use clap::Args;

use crate::step::{Steps, cargo};
use crate::{guards, setup};

/// What to leave out.
#[derive(Debug, Args)]
pub struct Options {
    /// Only format, lints and unit tests: no set-up, no other languages' runners, no documentation.
    #[arg(long)]
    quick: bool,
}

/// Runs the chore; the last line is always `N passed, N failed`.
pub fn run(options: &Options) -> ExitCode {
    let mut steps = Steps::default();
    let mut tally = Tally::default();
    let outcome = run_steps(options, &mut steps, &mut tally);
    steps.print_summary();
    if let Err(error) = &outcome {
        println!("\n{error:#}");
    }
    println!("\n{} passed, {} failed", tally.passed, tally.failed);
    if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_steps(options: &Options, steps: &mut Steps, tally: &mut Tally) -> Result<()> {
    if !options.quick {
        setup::steps_into(steps)?;
    }
    steps.run("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    steps.run("lints", &mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    if !options.quick {
        guards::run(steps)?;
    }
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    if options.quick {
        tests.args(["--lib", "--bins"]);
    }
    steps.watch("tests", tests.stdout(Stdio::piped()), |line| tally.add(line))?;
    if !options.quick {
        let mut documentation = cargo(&["doc", "--workspace", "--no-deps"]);
        steps.run("documentation", documentation.env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// Tests so far, summed over the test programs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u64,
    failed: u64,
}

impl Tally {
    /// Adds a line such as `test result: ok. 12 passed; 0 failed; …`; other lines change nothing.
    fn add(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        let words: Vec<&str> = result.split([' ', ';']).collect();
        for pair in words.windows(2) {
            let count = pair[0].parse().unwrap_or(0);
            match pair[1] {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_test_programs_are_summed() {
        let mut tally = Tally::default();
        tally.add(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s",
        );
        tally.add("test keeps_ids ... ok");
        tally.add("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s");
        assert_eq!(tally, Tally { passed: 15, failed: 2 });
    }
}

//! `cargo xtask bench rerun`: what `steady rerun` costs, in executions and in time, and what its store takes.
//!
//! Executions: projects whose tests always pass or always fail are rerun until the evidence decides, and the executions
//! counted against a fixed hundred per test. Time: steady reruns `true`, and a bare loop runs it as often; the two take turns,
//! round after round. The store's figures are those of steady-store's example `scale`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use steady_model::rerun::{RerunReport, Verdict};

use super::part::{self, Part};
use super::{steady, table};
use crate::paths;
use crate::step::Steps;

/// What a fixed plan spends on every test.
const FIXED: u64 = 100;
/// Executions until decided, over the fixed plan's.
const GOAL_SHARE: f64 = 0.20;
/// Milliseconds of steady itself in every run.
const GOAL_OVERHEAD: f64 = 5.0;

/// How often.
#[derive(Debug, Args)]
pub struct Options {
    /// Runs of `true` in each round.
    #[arg(long, default_value_t = 200)]
    runs: u32,
    /// How often each is measured; the median counts.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Write the figures into `bench/RERUN.md`.
    #[arg(long)]
    write: bool,
}

/// Tests that always pass, and tests that always fail.
const MIXES: [(u32, u32); 4] = [(10, 0), (0, 10), (5, 5), (19, 1)];

/// Runs the benchmark.
pub fn run(options: &Options) -> Result<()> {
    ensure!(options.rounds > 0 && options.runs > 0, "at least one round of one run is needed");
    steady::build()?;
    let folder = paths::bench().join("rerun");
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let mut text = executions(&folder)?;
    text.push_str(&overhead(&folder, options)?);
    text.push_str(&store()?);
    println!("\n{text}");
    if options.write {
        let path = paths::root().join("bench/RERUN.md");
        let page = format!("# What reruns cost\n\nWritten by `cargo xtask bench rerun --write`.\n\n{text}");
        fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

fn executions(folder: &Path) -> Result<String> {
    let mut rows = Vec::new();
    for (passing, failing) in MIXES {
        let report = until_stable(folder, passing, failing)?;
        let tests = u64::from(passing + failing);
        let right = report.tests.iter().filter(|test| {
            let expected =
                if test.id.as_str().starts_with("passes") { Verdict::Stable } else { Verdict::Broken };
            test.verdict == expected
        });
        let share = report.executions as f64 / (tests * FIXED) as f64;
        let right = right.count();
        ensure!(right as u64 == tests, "{right} of {tests} verdicts are right");
        rows.push(vec![
            format!("{passing} stable, {failing} broken"),
            "0.99".to_owned(),
            report.executions.to_string(),
            (tests * FIXED).to_string(),
            format!("{share:.2}"),
            format!("{right}/{tests}"),
        ]);
    }
    let header = ["tests", "confidence", "executions", "fixed plan", "share", "right verdicts"];
    let table = table::render(&header, &rows);
    Ok(format!(
        "{table}\nExecutions until decided against {FIXED} per test; goal: at most {GOAL_SHARE:.2}.\n\n"
    ))
}

fn until_stable(folder: &Path, passing: u32, failing: u32) -> Result<RerunReport> {
    let lines = (1..=passing).map(|number| format!("echo 'ok {number} - passes {number}'"));
    let lines = lines
        .chain((1..=failing).map(|number| format!("echo 'not ok {} - fails {number}'", passing + number)));
    let script = format!("echo '1..{}'\n{}\n", passing + failing, lines.collect::<Vec<_>>().join("\n"));
    let out = folder.join("steady-out");
    let mut command = binary(folder);
    command.args([
        "rerun",
        "--until-stable",
        "--confidence",
        "0.99",
        "--no-store",
        "--",
        "sh",
        "-c",
        &script,
    ]);
    let status = command.stdout(Stdio::null()).status().context("could not start steady")?;
    ensure!(matches!(status.code(), Some(0 | 1)), "steady could not do its job: {status}");
    let path = out.join("rerun.json");
    let text = fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("could not read {}", path.display()))
}

fn binary(folder: &Path) -> Command {
    let mut command = Command::new(program());
    command.current_dir(folder);
    command
}

fn program() -> PathBuf {
    paths::root().join("target/release/steady")
}

fn overhead(folder: &Path, options: &Options) -> Result<String> {
    let (mut bare, mut with_store, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        bare.push(bare_loop(options.runs)?);
        with_store.push(rerun_true(folder, options.runs, &[])?);
        without.push(rerun_true(folder, options.runs, &["--no-store"])?);
    }
    let bare = median(&mut bare);
    let row = |name: &str, per_run: f64| {
        let over = per_run - bare;
        vec![name.to_owned(), "true".to_owned(), format!("{per_run:.2}"), format!("{over:.2}")]
    };
    let rows = [
        row("bare loop", bare),
        row("steady rerun", median(&mut with_store)),
        row("steady rerun --no-store", median(&mut without)),
    ];
    let table = table::render(&["what", "command", "ms per run", "ms over the loop"], &rows);
    Ok(format!(
        "{table}\nMedians of {} rounds of {} runs, steady's start and end included; goal: at most {GOAL_OVERHEAD:.0} ms over \
         the loop.\n\n",
        options.rounds, options.runs
    ))
}

/// Milliseconds per run when the command is called directly and its output read.
fn bare_loop(runs: u32) -> Result<f64> {
    let started = Instant::now();
    for _ in 0..runs {
        Command::new("true").output().context("could not run `true`")?;
    }
    Ok(started.elapsed().as_secs_f64() * 1000.0 / f64::from(runs))
}

fn rerun_true(folder: &Path, runs: u32, options: &[&str]) -> Result<f64> {
    let runs_text = runs.to_string();
    let mut command = binary(folder);
    command.args(["rerun", "--runs", &runs_text, "--perturb", "off"]).args(options).args(["--", "true"]);
    let started = Instant::now();
    let status = command.stdout(Stdio::null()).status().context("could not start steady")?;
    let elapsed = started.elapsed();
    ensure!(status.success(), "steady could not do its job: {status}");
    Ok(elapsed.as_secs_f64() * 1000.0 / f64::from(runs))
}

fn store() -> Result<String> {
    let mut lines = Vec::new();
    let mut command = part::command(Part::Store);
    Steps::default()
        .watch("store", command.stdout(Stdio::piped()), |line| lines.push(format!("- {line}\n")))?;
    Ok(format!(
        "1,000,000 stored results; goals: `history` under 200 ms, 10,000 results written under 1,000 ms.\n\n{}",
        lines.concat()
    ))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    }
}

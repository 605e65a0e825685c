//! `cargo xtask bench waits`: the rank of the developer's value in each ranking, on real fixes.
//!
//! - [`case`] are the fixes, mined from public repositories: they and the repositories are given by path;
//! - [`mine`] finds further ones in the past of all the repositories, with [`diff`];
//! - [`spot`] is where the fix is in the file before it;
//! - [`mirror`] reads what steady would have seen at the commit before each fix, straight from git;
//! - [`fit`] fits the model, without the repository that is asked about;
//! - [`score`] counts.
//!
//! Reading takes minutes, therefore it can be kept in a file (`--evidence`) for further rounds of fitting.

mod case;
mod diff;
mod fit;
mod mine;
mod mirror;
mod report;
mod score;
mod spot;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use clap::Args;
use steady_waits::locate::Model;

use case::{Case, Example};
use report::Ranked;

/// What to measure on.
#[derive(Debug, Args)]
pub struct Options {
    /// The cases, as JSON.
    #[arg(long)]
    cases: PathBuf,
    /// The folder of the repositories: `owner+name/repo` is a git directory.
    #[arg(long)]
    mirrors: PathBuf,
    /// Further cases, as JSON; if the file does not exist, the repositories are searched for fixes, and it is written.
    #[arg(long)]
    more: Option<PathBuf>,
    /// Where what was read is kept for the next time.
    #[arg(long)]
    evidence: Option<PathBuf>,
    /// Fit the model on all cases and write it into the sources of `steady-waits`.
    #[arg(long)]
    fit: bool,
    /// Print each case.
    #[arg(long)]
    each: bool,
    /// Write the figures into `bench/WAITS.md`.
    #[arg(long)]
    write: bool,
}

/// Runs the benchmark; `root` is the folder of the project.
pub fn run(options: &Options, root: &Path) -> Result<()> {
    let examples = examples(options)?;
    let reviewed: Vec<&Example> = examples.iter().filter(|one| one.case.is_reviewed()).collect();
    let fresh = fresh(&examples);
    let asked: Vec<&Example> = reviewed.iter().chain(&fresh).copied().collect();
    let models = models_without(&examples, &asked);
    let all: Vec<&Example> = examples.iter().collect();
    let ranked = Ranked::all(&reviewed, &models);
    if options.each {
        print!("{}", report::each(&ranked));
    }
    let text = report::page(&ranked, &Ranked::all(&fresh, &models), &examples);
    println!("{text}");
    if options.fit {
        let repositories: BTreeSet<&str> = all.iter().map(|one| one.case.repo.as_str()).collect();
        let about = format!(
            "{} fixes of {} repositories, {} of them reviewed.",
            all.len(),
            repositories.len(),
            reviewed.len()
        );
        write(
            &root.join("crates/steady-waits/src/locate/weights.rs"),
            &fit::source(&fit::fit(&all), &about),
        )?;
    }
    if options.write {
        let page = format!(
            "# Where the developer's wait stands\n\nWritten by `cargo xtask bench waits --write`.\n\n{text}"
        );
        write(&root.join("bench/WAITS.md"), &page)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

/// The fixes of repositories that no given case is of: nothing was chosen by them.
fn fresh(examples: &[Example]) -> Vec<&Example> {
    let given = examples.iter().filter(|one| !one.case.is_mined());
    let known: BTreeSet<&str> = given.map(|one| one.case.repo.as_str()).collect();
    examples.iter().filter(|one| !known.contains(one.case.repo.as_str())).collect()
}

/// The model for each repository, fitted without it.
fn models_without<'a>(examples: &'a [Example], asked: &[&'a Example]) -> BTreeMap<&'a str, Model> {
    let repositories: BTreeSet<&str> = asked.iter().map(|one| one.case.repo.as_str()).collect();
    let fit_without = |repository: &str| {
        let others: Vec<&Example> = examples.iter().filter(|one| one.case.repo != repository).collect();
        fit::fit(&others)
    };
    in_two(&repositories.into_iter().collect::<Vec<_>>(), fit_without)
}

/// Works on repositories on two threads, since each takes long.
fn in_two<'a, R: Send>(repositories: &[&'a str], work: impl Fn(&str) -> R + Sync) -> BTreeMap<&'a str, R> {
    let work = &work;
    let half =
        |rest: usize| repositories.iter().copied().enumerate().filter(move |(index, _)| index % 2 == rest);
    thread::scope(|scope| {
        let half_of = |rest: usize| half(rest).map(|(_, name)| (name, work(name))).collect::<Vec<_>>();
        let other = scope.spawn(move || half_of(1));
        let one = half(0).map(|(_, name)| (name, work(name))).collect::<Vec<_>>();
        one.into_iter().chain(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

fn examples(options: &Options) -> Result<Vec<Example>> {
    if let Some(path) = options.evidence.as_ref().filter(|path| path.exists()) {
        let text = fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))?;
        return serde_json::from_str(&text).context("what was kept is of another version; remove it");
    }
    let mut cases = Case::read_all(&options.cases)?;
    if let Some(more) = &options.more {
        cases.extend(further(more, &options.mirrors, &cases)?);
    }
    let mut by_repository: BTreeMap<&str, Vec<Case>> = BTreeMap::new();
    for case in &cases {
        by_repository.entry(&case.repo).or_default().push(case.clone());
    }
    let read = in_two(&by_repository.keys().copied().collect::<Vec<_>>(), |repository| {
        let examples = mirror::read(&options.mirrors, &by_repository[repository]);
        println!("{repository}: {} cases", by_repository[repository].len());
        examples
    });
    let mut examples = Vec::new();
    for (repository, read) in read {
        examples.extend(read.with_context(|| format!("could not read {repository}"))?);
    }
    if let Some(path) = &options.evidence {
        write(path, &serde_json::to_string(&examples)?)?;
    }
    Ok(examples)
}

/// Fixes beside those that were given.
fn further(path: &Path, mirrors: &Path, given: &[Case]) -> Result<Vec<Case>> {
    if !path.exists() {
        Case::write_all(path, mine::mine(mirrors)?)?;
    }
    let known: BTreeSet<(&str, &str)> =
        given.iter().map(|case| (case.repo.as_str(), case.commit.as_str())).collect();
    let mut more = Case::read_all(path)?;
    more.retain(|case| !known.contains(&(case.repo.as_str(), case.commit.as_str())));
    Ok(more)
}

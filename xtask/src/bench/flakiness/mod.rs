//! `cargo xtask bench flakiness`: what is found, kept and still fails on the labelled flaky APIs of the test kit's catalogue.
//!
//! Each API is fuzzed twice from the same seed ([`suites`]): once with flaky assertions handled, once with none of them touched.
//! Then it is counted which [`labels`] were found, what is left of the [`assertions`], how many tests fail when the suites are
//! run again under [`conditions`] of every kind, by the [`native`] runner and as [`emitted`] test code, and which [`mutation`]s of
//! the API each suite notices. [`speed`] is what comparing costs; [`page`] says it all in tables.

mod assertions;
mod conditions;
mod emitted;
mod labels;
mod live;
mod mutation;
mod native;
mod page;
mod speed;
mod suites;

use std::fs;

use anyhow::{Context, Result, ensure};
use clap::Args;
use steady_testkit::catalogue::{self, Api};

use crate::paths;

/// What is run, and how often.
#[derive(Debug, Args)]
pub struct Options {
    /// Only this API: rust, python, node or java.
    #[arg(long)]
    api: Option<String>,
    /// Native runs of each suite.
    #[arg(long, default_value_t = 100)]
    runs: u32,
    /// Runs of each emitted suite.
    #[arg(long, default_value_t = 10)]
    emitted: usize,
    /// Decides what is random in steady.
    #[arg(long, default_value_t = 11)]
    seed: u64,
    /// Write the figures into `bench/FLAKINESS.md`.
    #[arg(long)]
    write: bool,
}

/// All that is known about one API in the end.
struct Evaluation {
    api: String,
    suites: suites::Suites,
    labels: labels::Labels,
    left: assertions::Left,
    native: native::Contrast,
    emitted: Vec<emitted::Emitted>,
    mutation: mutation::Mutation,
}

/// Runs the benchmark.
pub fn run(options: &Options) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("could not set up a runtime")?;
    let wanted = |api: &Api| options.api.as_deref().is_none_or(|name| name == api.name());
    let apis: Vec<Api> = catalogue::all().into_iter().filter(wanted).collect();
    ensure!(!apis.is_empty(), "no API of the catalogue has this name; there are rust, python, node and java");
    let mut evaluations = Vec::new();
    for api in apis {
        evaluations.push(runtime.block_on(evaluate(api, options))?);
    }
    let speed = speed::measure()?;
    let text = page::render(&evaluations, &speed, options);
    println!("\n{text}");
    if options.write {
        let path = paths::root().join("bench/FLAKINESS.md");
        fs::write(&path, text).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

async fn evaluate(api: Api, options: &Options) -> Result<Evaluation> {
    println!("\n==> {}", api.name());
    let subject = live::Subject::new(api)?;
    let suites = suites::write(&subject, options.seed).await?;
    let labels = labels::hold_against(&subject.api, &suites.handled);
    let left = assertions::compare(&suites);
    let conditions = conditions::of(&subject).await?;
    let native = native::rerun(&subject, &suites, &conditions, options).await?;
    let emitted = emitted::rerun(&subject, &suites.handled.suite, &conditions, options.emitted).await?;
    let mutation = mutation::check(&subject, &suites, options.seed).await?;
    Ok(Evaluation { api: subject.api.name().to_owned(), suites, labels, left, native, emitted, mutation })
}

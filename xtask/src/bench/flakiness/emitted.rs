//! The handled suite as test code, run by the real runners.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use steady_emit::{Emitter, emit};
use steady_model::Suite;
use steady_model::rerun::Condition;
use steady_testkit::{RunReport, Runner};

use super::conditions::spread;
use super::live::Subject;

/// Maven starts sooner so, and Kotlin does not compile again what it has compiled.
const MAVEN: (&str, &str) =
    ("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dkotlin.compiler.incremental=true");

/// The results of one emitter's tests.
#[derive(Debug)]
pub struct Emitted {
    /// The emitter.
    pub emitter: Emitter,
    /// How often they were run.
    pub runs: usize,
    /// Tests that failed, or were not run, at least once; each with the conditions it did so under.
    pub failing: BTreeMap<String, BTreeSet<String>>,
    /// How long all runs took.
    pub elapsed: Duration,
}

/// Runs each emitter's tests, under another condition every time.
pub async fn rerun(
    subject: &Subject,
    suite: &Suite,
    conditions: &[Condition],
    runs: usize,
) -> Result<Vec<Emitted>> {
    let mut projects = Vec::new();
    if runs == 0 {
        return Ok(Vec::new());
    }
    for emitter in Emitter::ALL {
        let folder = subject.folder.join(emitter.as_str());
        write(suite, emitter, &folder)?;
        projects
            .push((folder, Emitted { emitter, runs: 0, failing: BTreeMap::new(), elapsed: Duration::ZERO }));
    }
    let mut names: Vec<String> = suite.tests.iter().map(|test| RunReport::key(&test.name)).collect();
    names.sort_unstable();
    for (round, condition) in spread(conditions, runs).enumerate() {
        let mut live = subject.start(condition, None).await?;
        for (folder, emitted) in &mut projects {
            live.sut.reset().await?;
            let report = run_once(folder, emitted, live.sut.url().to_owned()).await?;
            let missing = names.iter().filter(|name| report.passed.binary_search(name).is_err());
            let mut failed = 0;
            for name in missing {
                failed += 1;
                emitted.failing.entry(name.clone()).or_default().insert(condition.to_string());
            }
            if failed > 0 {
                let log = subject.folder.join(format!("{}-{round}.log", emitted.emitter.as_str()));
                fs::write(&log, &report.output)
                    .with_context(|| format!("could not write {}", log.display()))?;
                println!("{} tests of {} fail: {}", failed, emitted.emitter.as_str(), log.display());
            }
        }
        println!("emitted, {condition}: run {} of {runs}", round + 1);
    }
    Ok(projects.into_iter().map(|(_, emitted)| emitted).collect())
}

async fn run_once(folder: &Path, emitted: &mut Emitted, url: String) -> Result<RunReport> {
    let (runner, folder): (Runner, PathBuf) = (Runner(emitted.emitter), folder.to_owned());
    let started = Instant::now();
    // On a thread of its own: what the API prints must be read meanwhile.
    let report = tokio::task::spawn_blocking(move || runner.run(&folder, &url, &[MAVEN])).await?;
    emitted.runs += 1;
    emitted.elapsed += started.elapsed();
    report.with_context(|| format!("could not run the tests of {}", emitted.emitter.as_str()))
}

/// Writes a project again.
fn write(suite: &Suite, emitter: Emitter, folder: &Path) -> Result<()> {
    let failed = |path: &Path| format!("could not write {}", path.display());
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| failed(folder))?;
    }
    for file in emit(suite, emitter)? {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| failed(parent))?;
        }
        fs::write(&path, file.text).with_context(|| failed(&path))?;
    }
    Ok(())
}

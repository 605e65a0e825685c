//! The two suites of an API: flaky assertions handled, and left as they are.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;
use steady_flaky::drive::{DetectionPlan, SutAccess};
use steady_flaky::relax::Policy;
use steady_fuzz::{FuzzOptions, Outcome, fuzz};
use steady_http::{ClientOptions, Redirects, get};
use steady_model::Secrets;
use steady_model::rerun::Condition;
use steady_model::shard::Shard;
use steady_model::{Event, Phase};
use steady_process::Cancel;

use super::live::Subject;

/// Requests of a search: enough to reach every operation of the catalogue with every status.
const REQUESTS: u64 = 3_000;

/// What `steady fuzz` made of an API.
pub struct Suites {
    /// With flaky assertions found and handled.
    pub handled: Outcome,
    /// With every assertion as it was first written.
    pub unhandled: Outcome,
    /// How long the search for the handled one took, re-checks included.
    pub searching: Duration,
    /// How long looking for flaky assertions took, restarts included.
    pub detecting: Duration,
    /// The events while the handled one was made.
    pub warnings: Vec<String>,
}

/// Fuzzes an API twice from one seed.
pub async fn write(subject: &Subject, seed: u64) -> Result<Suites> {
    let mut phases = Phases::default();
    let handled = written(subject, seed, Policy::Relax, DetectionPlan::default(), &mut phases).await?;
    let nothing = DetectionPlan { reruns: 0, restart: false, perturb: Vec::new() };
    let unhandled = written(subject, seed, Policy::Keep, nothing, &mut Phases::default()).await?;
    keep(&subject.folder.join("handled.json"), &handled.suite)?;
    keep(&subject.folder.join("findings.json"), &handled.findings)?;
    keep(&subject.folder.join("unhandled.json"), &unhandled.suite)?;
    Ok(Suites {
        handled,
        unhandled,
        searching: phases.searching,
        detecting: phases.detecting,
        warnings: phases.warnings,
    })
}

async fn written(
    subject: &Subject,
    seed: u64,
    policy: Policy,
    plan: DetectionPlan,
    phases: &mut Phases,
) -> Result<Outcome> {
    let mut live = subject.start(&Condition::default(), None).await?;
    let address = format!("{}{}", live.sut.url(), subject.api.openapi());
    let document = get(&address, Redirects::Anywhere, &ClientOptions::default()).await?.text;
    let document = steady_openapi::parse(&document, subject.api.name())?;
    let options = FuzzOptions {
        url: live.sut.url().parse()?,
        base_path: String::new(),
        client: ClientOptions::default(),
        time: None,
        detect_time: None,
        requests: Some(REQUESTS),
        rate: None,
        workers: NonZeroUsize::MIN,
        seed,
        shard: Shard::WHOLE,
        identities: Vec::new(),
        secrets: Secrets::default(),
        principals: Vec::new(),
        flaky: policy,
        plan,
        keep: Box::new(|_| true),
        cancel: Cancel::new()?,
    };
    let mut access = SutAccess::Managed(&mut live.sut);
    Ok(fuzz(document, options, &mut access, &mut |event| phases.hear(event)).await?)
}

/// Times the phases of a search.
struct Phases {
    since: Instant,
    searching: Duration,
    detecting: Duration,
    warnings: Vec<String>,
}

impl Default for Phases {
    fn default() -> Self {
        let none = Duration::ZERO;
        Self { since: Instant::now(), searching: none, detecting: none, warnings: Vec::new() }
    }
}

impl Phases {
    fn hear(&mut self, event: Event) {
        match event {
            Event::PhaseStarted { .. } => self.since = Instant::now(),
            Event::PhaseFinished { phase: Phase::Stabilize } => self.detecting += self.since.elapsed(),
            Event::PhaseFinished { .. } => self.searching += self.since.elapsed(),
            Event::Warning { message } => {
                println!("warning: {message}");
                self.warnings.push(message);
            }
            _ => {}
        }
    }
}

fn keep(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

//! Which mutants of the API the suites notice.

use anyhow::Result;
use steady_model::Suite;
use steady_model::rerun::Condition;

use super::live::Subject;
use super::native::{self, Ledger};
use super::suites::Suites;

/// Fresh starts of the correct API, to know what fails without a mutant.
const STARTS: u32 = 5;
/// Runs of each suite after each of them.
const BASELINE: u32 = 4;
/// Runs of each suite on a mutant.
const RUNS: u32 = 2;

/// The outcomes of the mutants.
#[derive(Debug, Default)]
pub struct Mutation {
    /// All of them.
    pub all: usize,
    /// Noticed by both suites.
    pub both: Vec<String>,
    /// Noticed by the unhandled suite only.
    pub lost: Vec<String>,
    /// Noticed by the handled suite only.
    pub gained: Vec<String>,
    /// Noticed by neither.
    pub alive: Vec<String>,
}

impl Mutation {
    /// How many the handled suite notices.
    pub fn handled(&self) -> usize {
        self.both.len() + self.gained.len()
    }

    /// How many the unhandled suite notices.
    pub fn unhandled(&self) -> usize {
        self.both.len() + self.lost.len()
    }
}

/// Runs both suites on every mutant. A suite notices one by an assertion that otherwise never fails.
pub async fn check(subject: &Subject, suites: &Suites, seed: u64) -> Result<Mutation> {
    let suites = [&suites.handled.suite, &suites.unhandled.suite];
    let mut baseline = [Ledger::default(), Ledger::default()];
    for start in 0..STARTS {
        run(subject, None, suites, BASELINE, seed + u64::from(start), &mut baseline).await?;
    }
    let [handled, unhandled] = baseline;
    let mut mutation = Mutation { all: subject.api.mutants().len(), ..Mutation::default() };
    for name in subject.api.mutants() {
        let mut ledgers = [Ledger::default(), Ledger::default()];
        run(subject, Some(name), suites, RUNS, seed, &mut ledgers).await?;
        let noticed = (notices(&ledgers[0], &handled), notices(&ledgers[1], &unhandled));
        let list = match noticed {
            (Some(_), Some(_)) => &mut mutation.both,
            (None, Some(_)) => &mut mutation.lost,
            (Some(_), None) => &mut mutation.gained,
            (None, None) => &mut mutation.alive,
        };
        let by = noticed.1.or(noticed.0).map(|by| format!(": {by}")).unwrap_or_default();
        println!("mutant {name}: handled {}, unhandled {}{by}", noticed.0.is_some(), noticed.1.is_some());
        list.push(format!("`{name}`{by}"));
    }
    Ok(mutation)
}

async fn run(
    subject: &Subject,
    mutant: Option<&str>,
    suites: [&Suite; 2],
    times: u32,
    seed: u64,
    ledgers: &mut [Ledger; 2],
) -> Result<()> {
    let plain = Condition::default();
    let mut live = subject.start(&plain, mutant).await?;
    for (suite, ledger) in suites.into_iter().zip(ledgers) {
        live.sut.reset().await?;
        native::run(&live, suite, times, seed, &plain, ledger).await?;
    }
    Ok(())
}

/// The first assertion that fails here and never did without a mutant.
fn notices<'a>(ledger: &'a Ledger, baseline: &Ledger) -> Option<&'a str> {
    let new = ledger.failures.iter().find(|(spot, _)| !baseline.failures.contains_key(spot));
    new.map(|(_, failed)| failed.message.lines().next().unwrap_or_default())
}

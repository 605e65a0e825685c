//! What a run costs over starting the command directly: the medians of both, measured alternately.
//!
//! `cargo xtask bench part process [RUNS]`
#![allow(clippy::print_stdout, reason = "a measurement is printed")]

use std::env;
use std::error::Error;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use steady_process::{Cancel, Ledger, Spec, spawn};

const PROGRAM: &str = "/bin/true";

fn main() -> Result<(), Box<dyn Error>> {
    let runs = env::args()
        .skip(1)
        .find(|argument| argument != "--bench")
        .map_or(Ok(500), |runs| runs.parse::<usize>())?
        .max(1);
    let folder = env::temp_dir().join(format!("steady-overhead-{}", std::process::id()));
    let ledger = Ledger::open(&folder)?;
    let cancel = Cancel::on_signals(Duration::from_secs(1), |_| {})?;
    let spec = Spec::program(PROGRAM).timeout(Duration::from_secs(60));
    let (mut bare, mut controlled) = (Vec::new(), Vec::new());
    while bare.len() < runs && !cancel.is_requested() {
        let start = Instant::now();
        Command::new(PROGRAM).stdin(Stdio::null()).status()?;
        bare.push(start.elapsed());

        let start = Instant::now();
        spawn(&spec)?.wait(&cancel);
        controlled.push(start.elapsed());
    }
    drop(ledger);
    std::fs::remove_dir(&folder)?;
    let (bare, controlled) = (median(bare), median(controlled));
    println!("bare        {bare:>10.1?}");
    println!("controlled  {controlled:>10.1?}");
    println!("difference  {:>10.1?}", controlled.saturating_sub(bare));
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

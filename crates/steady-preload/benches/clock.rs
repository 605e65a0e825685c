//! Prints what the shim adds to a clock read: `cargo xtask bench part clock`.

#![expect(clippy::print_stdout, reason = "the figures are its output")]

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::process::Command;
use std::time::{Instant, SystemTime};

use jiff::SignedDuration;
use steady_preload::{Control, Preload};

const READS: u32 = 2_000_000;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    if env::args().nth(1).as_deref() == Some("measure") {
        println!("{:.2}", nanoseconds_per_read());
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let preload = Preload::install(folder.path())?;
    let control = Control::create(folder.path())?;
    control.shift_clock(SignedDuration::from_hours(27))?;
    let shim = preload.environment(&control, None);
    // In turns, so that a busy machine slows both alike; the best of each counts.
    let (mut plain, mut shifted) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        plain = measured(Command::new(env::current_exe()?).arg("measure"))?.min(plain);
        shifted = measured(Command::new(env::current_exe()?).arg("measure").envs(shim.clone()))?.min(shifted);
    }
    println!("a clock read: {plain:.1} ns, with the shim {shifted:.1} ns, ratio {:.2}", shifted / plain);
    Ok(())
}

fn measured(command: &mut Command) -> Result<f64, Box<dyn Error>> {
    Ok(String::from_utf8(command.output()?.stdout)?.trim().parse()?)
}

fn nanoseconds_per_read() -> f64 {
    let start = Instant::now();
    for _ in 0..READS {
        black_box(SystemTime::now());
    }
    start.elapsed().as_nanos() as f64 / f64::from(READS)
}

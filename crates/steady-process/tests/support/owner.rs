//! Stands in for steady in the tests: cleans up, starts a command and waits for it, with the ledger open and Ctrl-C heard.
//!
//! `steady-process-owner <ledger folder> <shell command>`. It makes one temporary folder beside the ledger, and prints how the command ended.
//! With `think` for a command it starts none, and never comes to an end by itself. A third argument is the patience after a signal, in
//! milliseconds; the command then has an hour to end in peace.
#![allow(clippy::print_stdout, reason = "what it prints is what the tests read")]

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use steady_process::{Cancel, Ledger, Spec, clean_up, spawn};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(folder), Some(command)) = (arguments.next(), arguments.next()) else {
        println!("usage: steady-process-owner LEDGER COMMAND");
        return Ok(ExitCode::from(2));
    };
    let folder = PathBuf::from(folder);
    let patience = arguments.next().and_then(|patience| patience.to_str()?.parse().ok());
    let grace = Duration::from_secs(if patience.is_some() { 3600 } else { 60 });
    let cancel = Cancel::on_signals(patience.map_or(grace, Duration::from_millis), |_| {})?;
    if command == "think" {
        let _immediate = cancel.exit_immediately();
        println!("thinking");
        loop {
            thread::park();
        }
    }
    clean_up(&folder)?;
    let ledger = Ledger::open(&folder)?;
    let temp = ledger.temp_folder(folder.parent().unwrap_or(&folder))?;
    let running = spawn(&Spec::shell(command).grace(grace).set_variable("TEMP_FOLDER", temp.path()))?;
    let finished = running.wait(&cancel);
    println!("{}", finished.exit);
    Ok(ExitCode::SUCCESS)
}

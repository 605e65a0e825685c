//! Stands in for steady in the tests: cleans up, starts a command and waits for it, with the ledger open and Ctrl-C heard.
//!
//! `steady-process-owner <ledger folder> <shell command>`. It makes one temporary folder beside the ledger, and prints how the command ended.
//! With `think` for a command it starts none, and never comes to an end by itself.
#![allow(clippy::print_stdout, reason = "what it prints is what the tests read")]

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use steady_process::{Ledger, Spec, Stop, clean_up, spawn};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(folder), Some(command)) = (arguments.next(), arguments.next()) else {
        println!("usage: steady-process-owner LEDGER COMMAND");
        return Ok(ExitCode::from(2));
    };
    let folder = PathBuf::from(folder);
    let stop = Stop::on_signals()?;
    if command == "think" {
        let _at_ease = stop.at_ease();
        println!("thinking");
        loop {
            thread::park();
        }
    }
    clean_up(&folder)?;
    let ledger = Ledger::open(&folder)?;
    let temp = ledger.temp_folder(folder.parent().unwrap_or(&folder))?;
    let running =
        spawn(&Spec::shell(command).grace(Duration::from_secs(60)).set_variable("TEMP_FOLDER", temp.path()))?;
    let finished = running.wait(&stop);
    println!("{}", finished.exit);
    Ok(ExitCode::SUCCESS)
}

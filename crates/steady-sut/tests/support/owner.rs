//! Stands in for steady in a test: starts an API and waits until it is killed.
//!
//! `steady-sut-owner <steady's own folder> <command that starts the API>`. It prints the API's address.
#![allow(clippy::print_stdout, reason = "what it prints is what the test reads")]

use std::env;
use std::error::Error;
use std::path::PathBuf;

use steady_model::rerun::{Condition, Perturbation};
use steady_sut::{Sut, SutSpec};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(state), Some(start)) = (arguments.next(), arguments.next()) else {
        return Err("usage: steady-sut-owner STATE START".into());
    };
    let state = PathBuf::from(state);
    let mut sut = Sut::new(SutSpec::new(start), &state)?;
    sut.start(&Condition::of(Perturbation::Tmp, "elsewhere")).await?;
    println!("{}", sut.url());
    std::future::pending::<()>().await;
    Ok(())
}

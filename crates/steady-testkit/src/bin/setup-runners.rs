//! Installs every test runner and builds the catalogue of APIs, so that the tests find them.

use std::process::ExitCode;

use steady_model::Emitter;
use steady_testkit::{Runner, Slurm, catalogue, matrix};

#[expect(clippy::print_stderr, reason = "a command line tool talks on stderr")]
fn main() -> ExitCode {
    for emitter in Emitter::ALL {
        eprintln!("setting up {emitter}");
        if let Err(error) = Runner(emitter).install() {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    }
    eprintln!("setting up vitest");
    if let Err(error) = steady_testkit::vitest_modules() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    eprintln!("setting up WireMock");
    if let Err(error) = steady_testkit::wiremock::WireMock::start() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    for release in matrix::RELEASES {
        eprintln!("setting up {} {}", release.runner, release.version);
        if let Err(error) = release.install() {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    }
    for api in catalogue::all() {
        eprintln!("setting up the {} API of the catalogue", api.name());
        if let Err(error) = api.start_command() {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    }
    eprintln!("setting up slurm");
    if let Err(error) = Slurm::install() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

//! Actions around the API: ending it, commands in its environment, and the reset request.

use std::io;
use std::time::Duration;

use steady_http::Client;
use steady_process::{Cancel, Exit, Finished, Output, Running, SpawnError, Spec, spawn};
use tokio::task::{JoinError, spawn_blocking};

use crate::action::RequestLine;
use crate::error::{SutError, What, last_lines};
use crate::sut::Sut;

/// How many characters of a body are shown.
const BODY_START: usize = 200;

/// The remains of an API whose process has exited.
pub(crate) async fn ended(running: Running) -> Finished {
    let finished = spawn_blocking(move || match Cancel::new() {
        Ok(cancel) => running.wait(&cancel),
        Err(_) => running.stop(Sut::SHORT_GRACE),
    });
    finished.await.unwrap_or_else(nothing_known)
}

/// Ends an API, with everything it started.
pub(crate) async fn stopped(running: Running, grace: Duration) -> Finished {
    spawn_blocking(move || running.stop(grace)).await.unwrap_or_else(nothing_known)
}

/// The runtime is being shut down, and with it what would have waited.
fn nothing_known(_: JoinError) -> Finished {
    Finished {
        exit: Exit::Stopped,
        output: Output::default(),
        duration: Duration::ZERO,
        max_memory: 0,
        left_running: Vec::new(),
        survivors: 0,
    }
}

/// Runs a command to its end, which must be a success. When the caller stops waiting, it is ended.
pub(crate) async fn run(what: What, spec: Spec) -> Result<(), SutError> {
    let command = spec.display();
    let failed = |source| SutError::Spawn { what, source };
    let system = |source| SpawnError::System { program: command.clone(), source };
    let cancel = Cancel::new().map_err(|source| failed(system(source)))?;
    let waiting = Waiting(cancel.clone());
    let finished = spawn_blocking(move || Ok::<Finished, SpawnError>(spawn(&spec)?.wait(&cancel))).await;
    drop(waiting);
    let finished = finished.map_err(|error| failed(system(io::Error::other(error))))?.map_err(failed)?;
    if finished.exit.is_success() {
        return Ok(());
    }
    Err(SutError::CommandFailed { what, command, exit: finished.exit, output: last_lines(&finished.output) })
}

/// Ends the command when it goes.
struct Waiting(Cancel);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// Sends the reset request.
pub(crate) async fn send_reset(client: &Client, line: &RequestLine) -> Result<(), SutError> {
    let request = line.clone();
    match client.channel().send(&line.request()).await {
        Err(source) => Err(SutError::ResetUnanswered { request, source }),
        Ok((response, _)) if (200..300).contains(&response.status) => Ok(()),
        Ok((response, _)) => {
            let body = String::from_utf8_lossy(response.body.as_bytes());
            let body = body.trim().chars().take(BODY_START).collect();
            Err(SutError::ResetRefused { request, status: response.status, body })
        }
    }
}

//! Child processes that always end.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::RunnerError;

/// What a finished command left.
#[derive(Debug)]
pub struct Finished {
    /// Whether it ended with exit code 0.
    pub success: bool,
    /// Standard output and standard error, one after the other.
    pub output: String,
}

/// Runs a command to its end. It and its children are killed when that takes longer than `limit`.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, RunnerError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |source| RunnerError::Program { program: program.clone(), source };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(failed)?;
    let (sender, receiver) = mpsc::channel();
    let readers = [reader(child.stdout.take(), sender.clone()), reader(child.stderr.take(), sender)];
    // Both pipes are closed when the process ends, and only then.
    let ended = readers.iter().all(|_| receiver.recv_timeout(limit).is_ok());
    if !ended {
        // The whole group, since runners start children of their own; it may have ended by itself meanwhile.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    }
    let status = child.wait().map_err(failed)?;
    let output: String = readers.into_iter().map(|reader| reader.join().unwrap_or_default()).collect();
    if !ended {
        return Err(RunnerError::TooLong { program, limit, output });
    }
    Ok(Finished { success: status.success(), output })
}

/// Runs a command that must succeed.
pub(crate) fn must_succeed(command: &mut Command, limit: Duration) -> Result<(), RunnerError> {
    let finished = run(command, limit)?;
    if finished.success {
        return Ok(());
    }
    Err(RunnerError::Failed { command: format!("{command:?}"), output: finished.output })
}

fn reader(pipe: Option<impl Read + Send + 'static>, done: mpsc::Sender<()>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is all there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        // The receiver is gone when the process took too long.
        let _ = done.send(());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_are_read() {
        let finished =
            run(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]), Duration::from_secs(30));
        let finished = finished.unwrap();
        assert_eq!((finished.success, finished.output.as_str()), (false, "out\nerr\n"));
    }

    #[test]
    fn a_process_that_does_not_end_is_killed() {
        let error = run(Command::new("sleep").arg("1000"), Duration::from_millis(1)).err().unwrap();
        assert!(matches!(error, RunnerError::TooLong { .. }), "{error}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("steady-no-such-program"), Duration::from_secs(1)).err().unwrap();
        assert_eq!(error.to_string(), "cannot run `steady-no-such-program`; is it installed?");
    }
}

//! Starts commands.

use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::exit_notice::exit_notice;
use crate::live::LiveProcess;
use crate::owner::{RUN_VARIABLE, new_mark};
use crate::placeholders::PlaceholderError;
use crate::ports::Ports;
use crate::reader::Reader;
use crate::running::Running;
use crate::spec::Spec;
use crate::system;
use crate::tree;

/// Why a command did not start.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// A placeholder is unknown.
    #[error(transparent)]
    Placeholder(#[from] PlaceholderError),
    /// There is no such program.
    #[error("cannot find `{program}`; check the spelling, or whether it is installed and in PATH")]
    NotFound {
        /// Its name or path.
        program: String,
    },
    /// The interpreter that the script names does not exist.
    #[error(
        "cannot find the program that the first line of `{program}` names; install it or change the line"
    )]
    NoInterpreter {
        /// The path of the script.
        program: String,
    },
    /// The program exists but may not be run.
    #[error("may not run `{program}`; is it executable?")]
    NotExecutable {
        /// Its name or path.
        program: String,
    },
    /// The working folder does not exist.
    #[error("there is no folder `{}` to run `{program}` in", folder.display())]
    NoFolder {
        /// The name or path of the program.
        program: String,
        /// The folder.
        folder: PathBuf,
    },
    /// No port for `{port}`.
    #[error("cannot reserve a port on the loopback interface")]
    Port(#[source] io::Error),
    /// The system refuses to start it.
    #[error("cannot start `{program}`")]
    System {
        /// The name or path of the program.
        program: String,
        /// What it says.
        source: io::Error,
    },
}

/// Starts a command in a session of its own and reads its output from then on.
pub fn spawn(spec: &Spec) -> Result<Running, SpawnError> {
    let ports = match &spec.ports {
        Some(ports) => Arc::clone(ports),
        None => Arc::new(Ports::reserve(spec.asked_ports()).map_err(SpawnError::Port)?),
    };
    let mut command = spec.resolve(ports.numbers())?;
    let (mark, variable) = new_mark();
    command.env(RUN_VARIABLE, variable);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    system::prepare(&mut command, spec.nice, spec.busy_threads);

    let program = command.get_program().to_string_lossy().into_owned();
    let folder = command.get_current_dir().map(PathBuf::from);
    let failed = |source| explain(source, program, folder, spec.nice);
    let start = || {
        ports.hand_over();
        let started = Instant::now();
        let child = start_in_thread(command)?;
        Ok((Pid::from_child(&child), (child, started)))
    };
    let attached = LiveProcess::start(mark, start).and_then(|(run, (child, started))| {
        let (notice, reader) = attach(&run, child, spec.output_limit)?;
        Ok((run, notice, reader, started))
    });
    match attached {
        Ok((run, notice, reader, started)) => Ok(Running {
            run,
            notice,
            reader,
            started,
            ports,
            timeout: spec.timeout,
            grace: spec.grace,
            ended: false,
        }),
        Err(error) => Err(failed(error)),
    }
}

/// Explains the system's error.
fn explain(source: io::Error, program: String, folder: Option<PathBuf>, nice: Option<i32>) -> SpawnError {
    let is_there =
        |program: &str| program.contains('/') && folder.clone().unwrap_or_default().join(program).exists();
    match source.kind() {
        io::ErrorKind::NotFound if is_there(&program) => SpawnError::NoInterpreter { program },
        _ if folder.as_ref().is_some_and(|folder| !folder.is_dir()) => {
            SpawnError::NoFolder { program, folder: folder.unwrap_or_default() }
        }
        io::ErrorKind::NotFound => SpawnError::NotFound { program },
        // The niceness may be the part that is not permitted.
        io::ErrorKind::PermissionDenied if nice.is_none_or(|nice| nice >= 0) => {
            SpawnError::NotExecutable { program }
        }
        _ => SpawnError::System { program, source },
    }
}

/// Sets up what is needed to follow the child. If that fails, the child is ended.
fn attach(run: &LiveProcess, mut child: Child, limit: usize) -> io::Result<(OwnedFd, Reader)> {
    let mut follow = || {
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok((exit_notice(run.pid)?, Reader::start(stdout, stderr, limit)?))
    };
    follow().inspect_err(|_| {
        tree::end(run, Duration::ZERO);
        run.reap();
    })
}

struct Request {
    command: Command,
    reply: Sender<io::Result<Child>>,
}

/// Starts the command in the one thread that starts all of them.
///
/// The parent-death signal is sent when the starting thread ends, not only when the process does, and a caller's thread may end any time.
fn start_in_thread(command: Command) -> io::Result<Child> {
    static STARTER: OnceLock<Mutex<Option<Sender<Request>>>> = OnceLock::new();
    let gone = || io::Error::other("the thread that starts commands has ended");
    let (reply, replies) = mpsc::channel();
    {
        let mut starter = STARTER.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        if starter.is_none() {
            tree::adopt_orphans()?;
            let (sender, requests) = mpsc::channel::<Request>();
            thread::Builder::new().name("steady-spawn".to_owned()).spawn(move || {
                for Request { mut command, reply } in requests {
                    // The receiver is gone only when the caller panicked.
                    let _ = reply.send(command.spawn());
                }
            })?;
            *starter = Some(sender);
        }
        let sender = starter.as_ref().ok_or_else(gone)?;
        sender.send(Request { command, reply }).map_err(|_| gone())?;
    }
    replies.recv().map_err(|_| gone())?
}

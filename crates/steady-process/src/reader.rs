//! Reads what a command prints, from start to end, whether or not a caller waits for it.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStderr, ChildStdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rustix::io::ioctl_fionbio;

use crate::capture::Capture;
use crate::output::{Output, Stream};
use crate::poll::wait_readable;

/// What is still read from a pipe once the command has ended; no pipe holds more.
const LAST_BYTES: usize = 1024 * 1024;

/// The thread that reads both pipes of one command.
#[derive(Debug)]
pub(crate) struct Reader {
    capture: Arc<Mutex<Capture>>,
    /// Closing it asks the thread for its end. `None` once that was done.
    thread: Option<(PipeWriter, JoinHandle<()>)>,
}

impl Reader {
    pub(crate) fn start(stdout: ChildStdout, stderr: ChildStderr, limit: usize) -> io::Result<Self> {
        ioctl_fionbio(&stdout, true)?;
        ioctl_fionbio(&stderr, true)?;
        let capture = Arc::new(Mutex::new(Capture::new(limit)));
        let (finishing, finish) = io::pipe()?;
        let shared = Arc::clone(&capture);
        let thread = thread::Builder::new()
            .name("steady-output".to_owned())
            .spawn(move || read_all(stdout, stderr, &finishing, &shared))?;
        Ok(Self { capture, thread: Some((finish, thread)) })
    }

    /// What was printed so far.
    pub(crate) fn so_far(&self) -> Output {
        self.capture.lock().unwrap_or_else(PoisonError::into_inner).output()
    }

    /// Drains the pipes and stops reading, even when another process holds them open.
    pub(crate) fn finish(&mut self) -> Output {
        if let Some((finish, thread)) = self.thread.take() {
            drop(finish);
            // A panic there would lose the rest of the output, not what was captured.
            let _ = thread.join();
        }
        self.so_far()
    }
}

fn read_all(stdout: ChildStdout, stderr: ChildStderr, finishing: &PipeReader, capture: &Mutex<Capture>) {
    let mut stdout = Pipe::new(stdout, Stream::Stdout);
    let mut stderr = Pipe::new(stderr, Stream::Stderr);
    let mut buffer = vec![0; 64 * 1024];
    while stdout.fd().is_some() || stderr.fd().is_some() {
        let mut fds = vec![finishing.as_fd()];
        fds.extend(stdout.fd().into_iter().chain(stderr.fd()));
        let ready = wait_readable(&fds, None);
        if ready[0] {
            break;
        }
        // A pipe with nothing to read says so at once.
        stdout.read_once(&mut buffer, capture);
        stderr.read_once(&mut buffer, capture);
    }
    stdout.read_rest(&mut buffer, capture);
    stderr.read_rest(&mut buffer, capture);
}

/// One pipe until its end.
struct Pipe<R> {
    source: Option<R>,
    stream: Stream,
}

impl<R: Read + AsFd> Pipe<R> {
    fn new(source: R, stream: Stream) -> Self {
        Self { source: Some(source), stream }
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.source.as_ref().map(AsFd::as_fd)
    }

    /// Reads what is there; 0 when that is nothing.
    fn read_once(&mut self, buffer: &mut [u8], capture: &Mutex<Capture>) -> usize {
        let Some(source) = &mut self.source else { return 0 };
        match source.read(buffer) {
            Ok(0) => self.source = None,
            Ok(read) => {
                capture.lock().unwrap_or_else(PoisonError::into_inner).push(self.stream, &buffer[..read]);
                return read;
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            // What was read before an error is all there is.
            Err(_) => self.source = None,
        }
        0
    }

    fn read_rest(&mut self, buffer: &mut [u8], capture: &Mutex<Capture>) {
        let mut total = 0;
        while total < LAST_BYTES {
            match self.read_once(buffer, capture) {
                0 => break,
                read => total += read,
            }
        }
    }
}

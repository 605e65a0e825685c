//! Reads many files out of the repository through one `git cat-file --batch`.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::HistoryError;
use crate::git::Git;

/// The largest file that is read, in bytes; test files are smaller.
pub(crate) const LARGEST: u64 = 2 << 20;
/// How often git is restarted after it gave up on a blob.
const RESTARTS: usize = 20;
/// Ids are written to git in chunks of this many bytes.
const BATCH: usize = 1024;
const ACTION: &str = "cat-file";

/// The outcome of reading a blob.
pub(crate) enum Blob {
    Content(Vec<u8>),
    /// More than [`LARGEST`].
    TooLarge,
    /// Not in this clone.
    Missing,
}

/// Reads blobs as their ids arrive, and hands each over with its request. Ends with the ids, or earlier at
/// `deadline`.
pub(crate) fn read<I: AsRef<str> + Send>(
    git: &Git,
    ids: impl Iterator<Item = I> + Send,
    deadline: Instant,
    mut found: impl FnMut(I, Blob),
) -> Result<(), HistoryError> {
    let mut ids = ids.peekable();
    if ids.peek().is_none() {
        return Ok(());
    }
    let mut left = pass(git, ids, deadline, &mut found)?;
    // Old versions of git exit at a blob that would have to be fetched. The blobs after it are asked of a new process.
    for _ in 0..RESTARTS {
        let Some(id) = left.pop_front() else { return Ok(()) };
        found(id, Blob::Missing);
        left = pass(git, left.into_iter(), deadline, &mut found)?;
    }
    left.into_iter().for_each(|id| found(id, Blob::Missing));
    Ok(())
}

/// Asks one git process; returns the blobs it did not answer although there was time.
fn pass<I: AsRef<str> + Send>(
    git: &Git,
    ids: impl Iterator<Item = I> + Send,
    deadline: Instant,
    found: &mut impl FnMut(I, Blob),
) -> Result<VecDeque<I>, HistoryError> {
    let open = Mutex::new(VecDeque::new());
    let mut running = git.start(ACTION, ["--batch", "--buffer"], deadline)?;
    let (stdin, stdout) = (running.stdin(), running.stdout());
    thread::scope(|scope| {
        let open = &open;
        scope.spawn(move || {
            let mut stdin = stdin.map(|stdin| BufWriter::with_capacity(BATCH, stdin));
            for id in ids {
                let line = format!("{}\n", id.as_ref());
                open.lock().unwrap_or_else(PoisonError::into_inner).push_back(id);
                // A git that has exited reads no more; ids not written to it stay open.
                if stdin.as_mut().is_some_and(|stdin| stdin.write_all(line.as_bytes()).is_err()) {
                    stdin = None;
                }
            }
        });
        let Some(stdout) = stdout else { return };
        let mut stdout = BufReader::with_capacity(1 << 16, stdout);
        while let Ok(Some(blob)) = answer(&mut stdout) {
            let asked = open.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(id) = asked else { break };
            found(id, blob);
        }
    });
    let in_time = running.finish()?.in_time;
    let open = open.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(if in_time { open } else { VecDeque::new() })
}

/// The next answer: a line `id type size` followed by the content, or `id missing`.
fn answer(stream: &mut impl BufRead) -> io::Result<Option<Blob>> {
    let mut header = Vec::new();
    stream.read_until(b'\n', &mut header)?;
    let header = String::from_utf8_lossy(&header);
    let Some(header) = header.strip_suffix('\n') else { return Ok(None) };
    let Some(size) = header.rsplit(' ').next().and_then(|size| size.parse::<u64>().ok()) else {
        return Ok(Some(Blob::Missing));
    };
    // A line end follows the content.
    let mut rest = stream.take(size + 1);
    if size > LARGEST {
        let skipped = io::copy(&mut rest, &mut io::sink())?;
        return Ok((skipped == size + 1).then_some(Blob::TooLarge));
    }
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    rest.read_to_end(&mut content)?;
    Ok((content.len() as u64 == size + 1).then(|| {
        content.pop();
        Blob::Content(content)
    }))
}

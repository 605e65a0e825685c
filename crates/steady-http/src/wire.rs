//! The TCP stream of a connection, and the state of the exchange on it.
//!
//! HTTP/1.1 does not say which request a response belongs to: the next bytes are the next answer. What can be
//! guaranteed, and what cannot:
//!
//! - Bytes that arrive before the first byte of a request is handed to the kernel are never its answer. They are looked
//!   for immediately before that byte is written; the request then goes over a new connection, which is safe for every
//!   method, because nothing of it was sent.
//! - An unrequested response that arrives while an answer is waited for looks like that answer. It is found
//!   a few exchanges later, when a real answer is left unread. From then on the client uses every connection for
//!   one exchange only: the first response on a connection has no earlier request to belong to. A caller that keeps results
//!   asks [`Client::unrequested`](crate::Client::unrequested) whether the earlier ones are reliable.
//! - Under TLS what is unread may be a session ticket or a closing alert. The request goes over a new connection, too, but
//!   nothing is concluded from it. HTTP/2 numbers its streams and needs none of this.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// Of how many answers one is acknowledged at once.
const SAMPLED: u32 = 16;

/// A TCP stream of which hyper moves the bytes while a channel watches. Both live in one task: the lock is never waited
/// for.
#[derive(Clone)]
pub(crate) struct Wire {
    state: Arc<Mutex<State>>,
}

struct State {
    stream: TcpStream,
    is_tls: bool,
    /// How many there were.
    exchanges: u32,
    phase: Phase,
    /// When the exchange has to be over.
    end: Instant,
    unread: Option<Unread>,
}

/// How far the exchange at hand has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// There is none.
    Idle,
    /// No byte of the request was written.
    Asking,
    /// No byte of the answer was read.
    Asked,
    /// Something of the answer was read.
    Answering,
    /// And hyper asked for more than was there.
    Waiting,
    /// And it was acknowledged.
    Hurried,
}

/// What was on a connection before a request was written to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// An unrequested response.
    Response,
    /// Something else: a body where none is allowed, a 408 before closing, records of TLS.
    Other,
}

impl Unread {
    fn of(bytes: &[u8], is_tls: bool) -> Self {
        let is_response = bytes.starts_with(b"HTTP/1.") && bytes.get(9..12) != Some(b"408");
        if is_response && !is_tls { Self::Response } else { Self::Other }
    }
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, is_tls: bool) -> Self {
        let state =
            State { stream, is_tls, exchanges: 0, phase: Phase::Idle, end: Instant::now(), unread: None };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An HTTP/1.1 exchange begins that has to be over at `end`.
    pub(crate) fn begin(&self, end: Instant) {
        let mut state = self.lock();
        state.phase = Phase::Asking;
        state.end = end;
        state.unread = None;
    }

    /// The exchange is over. An `alarming` answer, and any other now and then, is acknowledged at once: a service may hold
    /// back what it has to say further until then, and the next request would carry the acknowledgement.
    pub(crate) fn finish(&self, alarming: bool) {
        let mut state = self.lock();
        state.phase = Phase::Idle;
        state.exchanges = state.exchanges.wrapping_add(1);
        if !state.is_tls && (alarming || state.exchanges.is_multiple_of(SAMPLED)) {
            state.acknowledge();
        }
    }

    /// The answer has begun and does not go on: acknowledges what is there, once per exchange.
    ///
    /// A service that writes head and body one after the other sends the body when the head is acknowledged (Nagle's
    /// algorithm), and the kernel holds an acknowledgement back for 40 ms in the hope of something to send with it.
    pub(crate) fn hurry(&self) {
        let mut state = self.lock();
        if state.phase == Phase::Waiting {
            state.phase = Phase::Hurried;
            state.acknowledge();
        }
    }

    /// What kept the exchange from starting.
    pub(crate) fn unread(&self) -> Option<Unread> {
        self.lock().unread
    }
}

impl State {
    /// Acknowledges what was read. Where that fails, the kernel does it a little later.
    fn acknowledge(&self) {
        #[cfg(target_os = "linux")]
        let _ = self.stream.set_quickack(true);
    }

    /// Looks for what arrived before the request.
    fn begin_to_write(&mut self) -> io::Result<()> {
        if self.phase != Phase::Asking {
            return Ok(());
        }
        self.phase = Phase::Asked;
        // Records of the handshake may follow it late.
        if self.is_tls && self.exchanges == 0 {
            return Ok(());
        }
        let mut start = [0; 16];
        match recv(&self.stream, &mut start, RecvFlags::PEEK | RecvFlags::DONTWAIT) {
            Err(Errno::AGAIN) => Ok(()),
            Err(error) => Err(error.into()),
            Ok((_, 0)) => Err(io::ErrorKind::ConnectionAborted.into()),
            Ok((_, length)) => {
                self.unread = Some(Unread::of(&start[..length.min(start.len())], self.is_tls));
                Err(io::ErrorKind::ConnectionAborted.into())
            }
        }
    }

    fn have_read(&mut self, bytes: &[u8]) {
        match self.phase {
            _ if bytes.is_empty() => {}
            // A record of TLS may mean anything; what it means hyper learns.
            Phase::Idle | Phase::Asking if self.is_tls => {}
            Phase::Idle | Phase::Asking => self.unread = Some(Unread::of(bytes, false)),
            Phase::Asked | Phase::Waiting => self.phase = Phase::Answering,
            Phase::Answering | Phase::Hurried => {}
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.lock();
        // hyper reads as long as there is something; the task that watches the time needs a turn.
        let is_answering = matches!(state.phase, Phase::Answering | Phase::Waiting | Phase::Hurried);
        if is_answering && Instant::now() >= state.end {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut state.stream).poll_read(context, buffer);
        match &read {
            Poll::Ready(Ok(())) => state.have_read(&buffer.filled()[before..]),
            Poll::Pending if state.phase == Phase::Answering => state.phase = Phase::Waiting,
            Poll::Ready(Err(_)) | Poll::Pending => {}
        }
        read
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut state = self.lock();
        state.begin_to_write()?;
        Pin::new(&mut state.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.lock();
        state.begin_to_write()?;
        Pin::new(&mut state.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.lock().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.lock().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farewell_is_no_response_to_worry_about() {
        let table = [
            (&b"HTTP/1.1 500 Oops"[..], false, Unread::Response),
            (b"HTTP/1.1 408 Request Timeout", false, Unread::Other),
            (b"HTTP/1.1 2", false, Unread::Response),
            (b"{\"a\": 1}", false, Unread::Other),
            (b"HTTP/1.1 500 Oops", true, Unread::Other),
        ];
        for (bytes, is_tls, unread) in table {
            assert_eq!(Unread::of(bytes, is_tls), unread, "{bytes:?}");
        }
    }
}

//! What can go wrong between a request and its answer.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use tokio_rustls::rustls;

/// No response: what happened, and at which address.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "`origin` is scheme, host and port of the service; the rest is in the messages"
)]
pub enum TransportError {
    /// The host's name has no address.
    #[error("host `{host}` has no address; check the spelling and the network")]
    Unresolved { host: String, source: io::Error },
    /// The connection is refused.
    #[error("{origin} refused the connection; is the service running there?")]
    Refused { origin: String },
    /// The connection failed for another reason.
    #[error("{origin} cannot be reached")]
    Unreachable { origin: String, source: io::Error },
    /// TLS failed, in the handshake or later.
    #[error("TLS with {origin} failed")]
    Tls { origin: String, source: io::Error },
    /// The exchange took too long.
    #[error("{origin} took longer than {limit:?} {doing}")]
    TimedOut { origin: String, limit: Duration, doing: &'static str },
    /// The connection ended before an answer began.
    #[error("{origin} closed the connection before it answered")]
    Closed { origin: String },
    /// The connection ended in the middle of the answer.
    #[error("{origin} closed the connection in the middle of its answer")]
    Incomplete { origin: String },
    /// What came back is not HTTP, or its body is not in the coding it says.
    #[error("{origin} sent a malformed answer: {detail}")]
    Malformed { origin: String, detail: String },
    /// The request cannot be put on the wire. `text` is the target or the header's name, never its value: that may be
    /// secret.
    #[error("{part} {text:?} cannot be sent over HTTP")]
    InvalidRequest { part: RequestPart, text: String },
}

/// The part of a request that cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestPart {
    /// Path and query.
    Target,
    /// The name of a header.
    HeaderName,
    /// The value of a header, which is named.
    HeaderValue,
}

impl fmt::Display for RequestPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Target => "target",
            Self::HeaderName => "header name",
            Self::HeaderValue => "value of header",
        })
    }
}

/// How far an exchange was when it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The head of the answer was not complete.
    Waiting,
    /// The head was there, the body was not complete.
    Answering,
}

impl TransportError {
    /// Whether no service takes connections there.
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Unreachable { .. } | Self::Unresolved { .. })
    }

    /// Classifies an error of hyper.
    pub(crate) fn from_hyper(error: &hyper::Error, progress: Progress, origin: String) -> Self {
        let io = causes(error).find_map(|cause| cause.downcast_ref::<io::Error>());
        if let Some(source) = io.and_then(tls_failure) {
            return Self::Tls { origin, source };
        }
        let ended = error.is_incomplete_message()
            || error.is_canceled()
            || error.is_closed()
            || io.is_some_and(|io| is_end(io.kind()));
        match progress {
            _ if error.is_parse_too_large() => {
                Self::Malformed { origin, detail: "its head is too large".to_owned() }
            }
            Progress::Waiting if ended => Self::Closed { origin },
            Progress::Answering if ended => Self::Incomplete { origin },
            _ => Self::Malformed { origin, detail: explain(error) },
        }
    }
}

fn is_end(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        kind,
        Kind::ConnectionReset
            | Kind::ConnectionAborted
            | Kind::BrokenPipe
            | Kind::UnexpectedEof
            | Kind::NotConnected
    )
}

/// TLS 1.3 lets a service object to the client only after the handshake; such an alert arrives as an I/O error.
fn tls_failure(error: &io::Error) -> Option<io::Error> {
    let cause = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    Some(io::Error::new(error.kind(), cause.clone()))
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| (*error).source())
}

/// The error and its causes in one line.
fn explain(error: &hyper::Error) -> String {
    causes(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

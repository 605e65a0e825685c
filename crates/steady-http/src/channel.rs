//! One keep-alive connection and the exchanges on it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use steady_model::{Method, Request, Response};
use tokio::time::{Instant, timeout};

use crate::client::Shared;
use crate::connect::{Connection, connect};
use crate::deadline::Deadline;
use crate::encode::{Form, encode};
use crate::error::Progress;
use crate::receive::{Received, receive};
use crate::wire::Unread;
use crate::{BaseUrl, TransportError};

/// One connection to an API: opened by the first request, kept while both sides want to, opened again when closed.
///
/// Exchanges on a channel are made one after the other; concurrency is many channels. A channel works on any tokio
/// runtime with time and I/O, and stays on the one its first request was sent on.
pub struct Channel {
    shared: Arc<Shared>,
    connection: Option<Connection>,
    address: Option<SocketAddr>,
    /// What was asked last.
    last: (Method, String),
    deadline: Deadline,
}

impl Channel {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let last = (Method::Get, String::new());
        Self { shared, connection: None, address: None, last, deadline: Deadline::default() }
    }

    /// The address its requests go to.
    pub fn base(&self) -> &BaseUrl {
        &self.shared.base
    }

    /// Sends a request and waits for the whole answer; redirects are answers like any other. The duration runs from
    /// the first byte sent to the last one received.
    ///
    /// When the service has closed a kept-alive connection, the request is sent once more on a new one: close and request
    /// crossed on the wire, which is no fault. When unread bytes are on it, nothing is sent there; see
    /// [`Client::unrequested`](crate::Client::unrequested).
    pub async fn send(&mut self, request: &Request) -> Result<(Response, Duration), TransportError> {
        let Self { shared, connection, address, last, deadline } = self;
        let limit = shared.options.timeout;
        let end = Instant::now() + limit;
        let mut exchange = Exchange { shared, connection, address, last, end };
        match deadline.limit(end, exchange.run(request)).await {
            Some(outcome) => outcome,
            None => {
                let origin = shared.base.origin();
                Err(TransportError::TimedOut { origin, limit, doing: "to answer completely" })
            }
        }
    }
}

impl std::fmt::Debug for Channel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Channel")
            .field("base", &self.shared.base)
            .field("is_connected", &self.connection.is_some())
            .finish_non_exhaustive()
    }
}

/// The parts of a channel that an exchange works with.
struct Exchange<'a> {
    shared: &'a Shared,
    connection: &'a mut Option<Connection>,
    address: &'a mut Option<SocketAddr>,
    last: &'a mut (Method, String),
    end: Instant,
}

impl Exchange<'_> {
    async fn run(&mut self, request: &Request) -> Result<(Response, Duration), TransportError> {
        // Taken out: if this exchange ends early, the connection is closed.
        if let Some(connection) = self.connection.take() {
            match self.attempt(connection, request).await {
                Err(Failure::Unread(unread)) => self.note(unread),
                Err(Failure::Transport(TransportError::Closed { .. })) => {}
                Err(Failure::Transport(error)) => return Err(error),
                Ok(answer) => return Ok(answer),
            }
        }
        let connection = self.open().await?;
        self.attempt(connection, request).await.map_err(|failure| match failure {
            Failure::Transport(error) => error,
            Failure::Unread(_) => TransportError::Malformed {
                origin: self.shared.base.origin(),
                detail: "it begins before the request".to_owned(),
            },
        })
    }

    /// Records that the service sends unrequested responses.
    fn note(&self, unread: Unread) {
        if unread == Unread::Response {
            let (method, target) = &self.last;
            let path = target.split('?').next().unwrap_or_default();
            let prefix = self.shared.base.path_prefix();
            self.shared.unrequested.get_or_init(|| format!("{method} {prefix}{path}"));
        }
    }

    async fn open(&mut self) -> Result<Connection, TransportError> {
        let limit = self.shared.options.connect_timeout;
        timeout(limit, connect(self.shared, self.address)).await.unwrap_or_else(|_| {
            let origin = self.shared.base.origin();
            Err(TransportError::TimedOut { origin, limit, doing: "to accept a connection" })
        })
    }

    async fn attempt(
        &mut self,
        mut connection: Connection,
        request: &Request,
    ) -> Result<(Response, Duration), Failure> {
        let encoded = match encode(request, self.shared, connection.form()) {
            Ok(encoded) => encoded,
            Err(error) => {
                // Nothing was sent, so the connection is as good as before.
                *self.connection = Some(connection);
                return Err(Failure::Transport(error));
            }
        };
        let max_body = self.shared.options.max_body;
        let start = Instant::now();
        let received = match connection.exchange(encoded, max_body, self.end).await {
            Ok(received) => received,
            Err((error, progress)) => {
                return Err(connection.unread().map_or_else(
                    || {
                        let origin = self.shared.base.origin();
                        Failure::Transport(TransportError::from_hyper(&error, progress, origin))
                    },
                    Failure::Unread,
                ));
            }
        };
        let elapsed = start.elapsed();
        if received.is_complete() && self.shared.unrequested.get().is_none() {
            *self.connection = Some(connection);
        }
        self.last.0 = request.method;
        self.last.1.clone_from(&request.target);
        let malformed = |detail| TransportError::Malformed { origin: self.shared.base.origin(), detail };
        let response = received.into_response(max_body).map_err(malformed).map_err(Failure::Transport)?;
        Ok((response, elapsed))
    }
}

/// Why an attempt got no answer.
enum Failure {
    /// Something went wrong on the way.
    Transport(TransportError),
    /// Nothing was sent: the connection held bytes that no request asked for.
    Unread(Unread),
}

impl Connection {
    fn form(&self) -> Form {
        match self {
            Self::Http1 { .. } => Form::Origin,
            Self::Http2 { .. } => Form::Absolute,
        }
    }

    /// What kept the last exchange from starting.
    fn unread(&self) -> Option<Unread> {
        match self {
            Self::Http1 { wire, .. } => wire.unread(),
            Self::Http2 { .. } => None,
        }
    }

    async fn exchange(
        &mut self,
        request: http::Request<Full<Bytes>>,
        max_body: usize,
        end: Instant,
    ) -> Result<Received, (hyper::Error, Progress)> {
        let waiting = |error| (error, Progress::Waiting);
        let answering = |error| (error, Progress::Answering);
        match self {
            Self::Http1 { sender, driver, wire } => {
                wire.begin(end);
                // Two steps: a request sent in the same poll that made room for it would wait for another wake-up.
                driver.drive(sender.ready()).await.map_err(waiting)?;
                let exchange = async {
                    let answer = sender.send_request(request).await.map_err(waiting)?;
                    receive(answer, max_body).await.map_err(answering)
                };
                let received = driver.drive(exchange).await;
                // A premature answer is often a server error.
                wire.finish(received.as_ref().is_ok_and(|received| received.head.status.is_server_error()));
                received
            }
            Self::Http2 { sender, .. } => {
                sender.ready().await.map_err(waiting)?;
                let answer = sender.send_request(request).await.map_err(waiting)?;
                receive(answer, max_body).await.map_err(answering)
            }
        }
    }
}

//! One keep-alive connection and the exchanges on it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use steady_model::{Request, Response};
use tokio::time::{Instant, timeout};

use crate::TransportError;
use crate::client::Shared;
use crate::connect::{Connection, connect};
use crate::deadline::Deadline;
use crate::encode::{Form, encode};
use crate::error::Progress;
use crate::receive::{Received, receive};

/// One connection to an API: opened by the first request, kept while both sides want to, opened again when closed.
///
/// Exchanges on a channel are made one after the other; concurrency is many channels. A channel works on any tokio
/// runtime with time and I/O, and stays on the one its first request was sent on.
pub struct Channel {
    shared: Arc<Shared>,
    connection: Option<Connection>,
    address: Option<SocketAddr>,
    deadline: Deadline,
}

impl Channel {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, connection: None, address: None, deadline: Deadline::default() }
    }

    /// Sends a request and waits for the whole answer; redirects are answers like any other. The duration runs from
    /// the first byte sent to the last one received.
    ///
    /// When the service has closed a connection that served before, the request is sent once more on a new one: the two
    /// crossed on the wire, and nobody did anything wrong.
    pub async fn send(&mut self, request: &Request) -> Result<(Response, Duration), TransportError> {
        let Self { shared, connection, address, deadline } = self;
        let limit = shared.options.timeout;
        let mut exchange = Exchange { shared, connection, address };
        match deadline.limit(Instant::now() + limit, exchange.run(request)).await {
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
}

impl Exchange<'_> {
    async fn run(&mut self, request: &Request) -> Result<(Response, Duration), TransportError> {
        // Taken out, so that whatever ends this exchange early also ends the connection.
        if let Some(connection) = self.connection.take() {
            match self.attempt(connection, request).await {
                Err(TransportError::Closed { .. }) => {}
                outcome => return outcome,
            }
        }
        let connection = self.open().await?;
        self.attempt(connection, request).await
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
    ) -> Result<(Response, Duration), TransportError> {
        let encoded = match encode(request, self.shared, connection.form()) {
            Ok(encoded) => encoded,
            Err(error) => {
                // Nothing was sent, so the connection is as good as before.
                *self.connection = Some(connection);
                return Err(error);
            }
        };
        let max_body = self.shared.options.max_body;
        let start = Instant::now();
        let received = connection.exchange(encoded, max_body).await.map_err(|(error, progress)| {
            TransportError::from_hyper(&error, progress, self.shared.base.origin())
        })?;
        let elapsed = start.elapsed();
        if received.is_complete() {
            *self.connection = Some(connection);
        }
        let response = received
            .into_response(max_body)
            .map_err(|detail| TransportError::Malformed { origin: self.shared.base.origin(), detail })?;
        Ok((response, elapsed))
    }
}

impl Connection {
    fn form(&self) -> Form {
        match self {
            Self::Http1 { .. } => Form::Origin,
            Self::Http2 { .. } => Form::Absolute,
        }
    }

    async fn exchange(
        &mut self,
        request: http::Request<Full<Bytes>>,
        max_body: usize,
    ) -> Result<Received, (hyper::Error, Progress)> {
        let waiting = |error| (error, Progress::Waiting);
        let answering = |error| (error, Progress::Answering);
        match self {
            Self::Http1 { sender, driver } => {
                // Two steps: a request sent in the same poll that made room for it would wait for another wake-up.
                driver.drive(sender.ready()).await.map_err(waiting)?;
                let exchange = async {
                    let answer = sender.send_request(request).await.map_err(waiting)?;
                    receive(answer, max_body).await.map_err(answering)
                };
                driver.drive(exchange).await
            }
            Self::Http2 { sender, .. } => {
                sender.ready().await.map_err(waiting)?;
                let answer = sender.send_request(request).await.map_err(waiting)?;
                receive(answer, max_body).await.map_err(answering)
            }
        }
    }
}

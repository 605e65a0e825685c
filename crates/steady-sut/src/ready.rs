//! Waits until an API answers.

use std::fmt;
use std::time::Duration;

use steady_http::{Client, TransportError};
use steady_model::Method;
use steady_process::Running;
use tokio::time::{Instant, sleep, sleep_until};

use crate::action::RequestLine;

/// The first pause between two tries, and the longest: each is twice the one before.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(100));
/// How often the process is checked.
const LOOK: Duration = Duration::from_millis(20);

/// What an API said to a request.
#[derive(Debug)]
pub enum Answer {
    /// This status.
    Status(u16),
    /// No HTTP response.
    None(TransportError),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "status {status}"),
            Self::None(error) => error.fmt(f),
        }
    }
}

/// Why an API is not ready.
#[derive(Debug)]
pub(crate) enum NotReady {
    /// Its process ended.
    Exited,
    /// It took too long; this came last.
    TooLong(Option<Answer>),
}

/// The readiness check of an API.
#[derive(Debug, Clone)]
pub(crate) struct Readiness {
    pub(crate) request: RequestLine,
    /// The first status that does not count as ready.
    too_high: u16,
}

impl Readiness {
    /// By the user's request, answered without a server error; otherwise by any answer at all.
    pub(crate) fn new(request: Option<&RequestLine>) -> Self {
        match request {
            Some(request) => Self { request: request.clone(), too_high: 500 },
            None => Self {
                request: RequestLine { method: Method::Get, target: "/".to_owned() },
                too_high: u16::MAX,
            },
        }
    }

    /// Asks until the answer passes the check.
    pub(crate) async fn wait(
        &self,
        client: &Client,
        running: &Running,
        limit: Duration,
    ) -> Result<(), NotReady> {
        let deadline = Instant::now() + limit;
        let request = self.request.request();
        let (mut pause, longest) = PAUSES;
        let mut last = None;
        loop {
            let mut channel = client.channel();
            let answer = tokio::select! {
                biased;
                () = exited(running) => return Err(NotReady::Exited),
                () = sleep_until(deadline) => return Err(NotReady::TooLong(last)),
                answer = channel.send(&request) => answer,
            };
            last = Some(match answer {
                Ok((response, _)) if response.status < self.too_high => return Ok(()),
                Ok((response, _)) => Answer::Status(response.status),
                Err(error) => Answer::None(error),
            });
            sleep_until(deadline.min(Instant::now() + pause)).await;
            pause = longest.min(pause * 2);
        }
    }
}

/// Waits for the end of a process.
pub(crate) async fn exited(running: &Running) {
    while !running.exits_before(std::time::Instant::now()) {
        sleep(LOOK).await;
    }
}

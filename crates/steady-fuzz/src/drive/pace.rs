//! Not faster than asked: the user's rate limit and the API's own.

use std::cell::Cell;
use std::time::{Duration, SystemTime};

use steady_model::Response;
use tokio::time::{Instant, sleep_until};

/// The longest pause an API can ask for.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// The pause after a 429 that names none.
const DEFAULT_PAUSE: Duration = Duration::from_secs(1);

/// Spaces requests out.
#[derive(Debug, Default)]
pub struct Pace {
    interval: Option<Duration>,
    next: Cell<Option<Instant>>,
}

impl Pace {
    /// At most this many requests a second.
    pub fn new(rate: Option<f64>) -> Self {
        let interval = rate.filter(|rate| *rate > 0.0).map(|rate| Duration::from_secs_f64(1.0 / rate));
        Self { interval, next: Cell::new(None) }
    }

    /// Waits for this request's turn.
    pub async fn turn(&self) {
        if self.interval.is_none() && self.next.get().is_none() {
            return;
        }
        let now = Instant::now();
        let turn = self.next.get().map_or(now, |next| next.max(now));
        self.next.set(self.interval.map(|interval| turn + interval));
        if turn > now {
            sleep_until(turn).await;
        }
    }

    /// Holds all requests back for as long as a 429 or 503 asks.
    pub fn hold_back(&self, response: &Response) {
        let pause = retry_after(response).unwrap_or(DEFAULT_PAUSE).min(MAX_PAUSE);
        let until = Instant::now() + pause;
        self.next.set(Some(self.next.get().map_or(until, |next| next.max(until))));
    }
}

/// `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3).
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.header("retry-after")?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?;
    let until: SystemTime = date.timestamp().into();
    until.duration_since(SystemTime::now()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use steady_model::Payload;

    fn asking(value: &str) -> Response {
        let headers = vec![("retry-after".to_owned(), value.to_owned())];
        Response { status: 429, headers, body: Payload::default(), truncated: false }
    }

    #[test]
    fn retry_after_is_read_in_both_forms() {
        assert_eq!(retry_after(&asking("7")), Some(Duration::from_secs(7)));
        assert_eq!(
            retry_after(&asking("Wed, 21 Oct 2015 07:28:00 GMT")),
            None,
            "a date in the past asks for nothing"
        );
        assert!(retry_after(&asking("Wed, 21 Oct 2099 07:28:00 GMT")).is_some());
        assert_eq!(retry_after(&asking("soon")), None);
    }
}

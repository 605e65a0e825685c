//! How long a phase may go on.

use std::cell::Cell;
use std::future::Future;
use std::time::{Duration, Instant as SystemInstant};

use steady_process::Cancel;
use tokio::time::{Instant, sleep, sleep_until};

/// Until when a phase may go on: its deadline, and the user's patience.
#[derive(Debug, Clone)]
pub struct Limit {
    deadline: Option<Instant>,
    cancel: Cancel,
    /// How long it may go on after the user asked for the end.
    grace: Duration,
    asked: Cell<Option<Instant>>,
}

impl Limit {
    /// No deadline: it goes on until the user asks for the end.
    pub fn new(cancel: Cancel) -> Self {
        Self { deadline: None, cancel, grace: Duration::ZERO, asked: Cell::new(None) }
    }

    /// The same with a deadline.
    #[must_use]
    pub fn until(self, deadline: Option<SystemInstant>) -> Self {
        Self { deadline: deadline.map(Instant::from_std), ..self }
    }

    /// The same, and this long after the user asked for the end.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// Whether the user asked for the end.
    pub fn is_interrupted(&self) -> bool {
        let interrupted = self.cancel.is_requested();
        if interrupted && self.asked.get().is_none() {
            self.asked.set(Some(Instant::now()));
        }
        interrupted
    }

    /// Whether there is no time left.
    pub fn is_over(&self) -> bool {
        self.remaining().is_some_and(|left| left.is_zero())
    }

    /// How much time is left; `None` when nothing limits it.
    pub fn remaining(&self) -> Option<Duration> {
        self.is_interrupted();
        let patience = self.asked.get().map(|asked| asked + self.grace);
        let end = [self.deadline, patience].into_iter().flatten().min()?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// What `work` yields, unless the time is over before; what it was about to do is then not done.
    pub async fn within<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.over() => None,
        }
    }

    /// Waits this long, but not beyond the end.
    pub async fn pause(&self, pause: Duration) {
        self.within(sleep(pause)).await;
    }

    /// Waits for the end.
    pub async fn over(&self) {
        let deadline = async {
            match self.deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = deadline => {}
            () = self.patience() => {}
        }
    }

    async fn patience(&self) {
        self.cancel.requested().await;
        self.is_interrupted();
        let left =
            self.asked.get().map(|asked| (asked + self.grace).saturating_duration_since(Instant::now()));
        sleep(left.unwrap_or_default()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_never_ends_is_given_up_at_the_deadline() {
        let limit =
            Limit::new(Cancel::new().unwrap()).until(Some(SystemInstant::now() + Duration::from_millis(20)));
        assert!(!limit.is_over());
        assert_eq!(limit.within(std::future::pending::<()>()).await, None);
        assert!(limit.is_over());
    }

    #[tokio::test]
    async fn after_an_interruption_only_the_grace_is_left() {
        let cancel = Cancel::new().unwrap();
        let limit = Limit::new(cancel.clone()).with_grace(Duration::from_secs(3600));
        let impatient = Limit::new(cancel.clone());
        assert_eq!(limit.remaining(), None);
        cancel.request();
        assert!(!limit.is_over() && limit.remaining().is_some());
        assert_eq!(limit.within(async { 1 }).await, Some(1));
        assert!(impatient.is_over());
        assert_eq!(impatient.within(std::future::pending::<()>()).await, None);
    }
}

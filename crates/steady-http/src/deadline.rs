//! A time limit that costs almost nothing to set.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use tokio::task::coop::unconstrained;
use tokio::time::{Instant, Sleep, sleep_until};

/// A timer that outlives the exchanges it limits.
///
/// Exchanges take microseconds and limits are seconds: arming a timer per exchange would cost more than the check. The
/// timer stays armed for an earlier exchange's limit and is moved only when it goes off before the present one.
#[derive(Debug, Default)]
pub(crate) struct Deadline {
    timer: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    /// Waits for `future` until `end`; `None` when that came first. Limits must not go backwards.
    pub(crate) async fn limit<F: Future>(&mut self, end: Instant, future: F) -> Option<F::Output> {
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(end)));
        let mut future = pin!(future);
        poll_fn(|context| {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return Poll::Ready(Some(output));
            }
            // A future that always has something to read, such as interim answers without end, uses up the share of
            // the task; tokio then reports every timer as not due, however late it is.
            while pin!(unconstrained(timer.as_mut())).poll(context).is_ready() {
                if Instant::now() >= end {
                    return Poll::Ready(None);
                }
                timer.as_mut().reset(end);
            }
            Poll::Pending
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_timer_armed_for_an_earlier_limit_does_not_cut_a_later_one_short() {
        let mut deadline = Deadline::default();
        let first = deadline.limit(Instant::now() + Duration::from_millis(20), tokio::task::yield_now());
        first.await.unwrap();
        let end = Instant::now() + Duration::from_millis(100);
        assert_eq!(deadline.limit(end, pending::<()>()).await, None);
        assert!(Instant::now() >= end);
    }

    #[tokio::test]
    async fn a_future_that_never_rests_is_cut_off_too() {
        let start = Instant::now();
        let busy = async {
            while start.elapsed() < Duration::from_secs(10) {
                tokio::task::coop::consume_budget().await;
            }
        };
        let mut deadline = Deadline::default();
        assert_eq!(deadline.limit(start + Duration::from_millis(50), busy).await, None);
    }

    #[tokio::test]
    async fn what_is_ready_is_in_time_even_after_the_limit() {
        let mut deadline = Deadline::default();
        assert_eq!(deadline.limit(Instant::now(), std::future::ready(3)).await, Some(3));
    }
}

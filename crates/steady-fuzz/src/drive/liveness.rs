//! Whether the API is still there.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use steady_model::Request;

/// Refused connections in a row that mean the API is gone.
const REFUSED: u32 = 20;
/// Requests in a row without an answer that make it worth asking whether anything is answered.
const UNANSWERED: u32 = 3;
/// The least time an API that answered before has for its next answer.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most time it is waited for when the time of a phase is over.
const MOST_PATIENCE: Duration = Duration::from_millis(1500);
/// How many of its slowest answer the next may take.
const SLOWER: u32 = 3;
/// Answers after a restart that make it worth another one.
const USEFUL: u64 = 5;
/// Restarts in a row that did not help.
const MAX_USELESS_RESTARTS: u32 = 3;

/// What is known about the life of an API.
#[derive(Debug)]
pub struct Liveness {
    /// When the first request was sent, and how much of the run's time was left for its answer.
    first: Cell<Option<(Instant, Duration)>>,
    answered: Cell<u64>,
    slowest: Cell<Duration>,
    /// A request that is known to be answered.
    known: RefCell<Option<Request>>,
    /// Whether a request was sent of which nothing is known since: it is under way, or was given up.
    pending: Cell<bool>,
    refused: Cell<u32>,
    unanswered: Cell<u32>,
    restarts: Cell<u32>,
    useless_restarts: Cell<u32>,
    answered_at_restart: Cell<u64>,
    /// What the last request got instead of an answer.
    error: RefCell<String>,
    gone: Cell<bool>,
}

impl Liveness {
    pub fn new() -> Self {
        Self {
            first: Cell::new(None),
            answered: Cell::new(0),
            slowest: Cell::new(Duration::ZERO),
            known: RefCell::default(),
            pending: Cell::new(false),
            refused: Cell::new(0),
            unanswered: Cell::new(0),
            restarts: Cell::new(0),
            useless_restarts: Cell::new(0),
            answered_at_restart: Cell::new(0),
            error: RefCell::default(),
            gone: Cell::new(false),
        }
    }

    /// A request is sent, with `left` of the run's time for its answer.
    pub fn asked(&self, left: Duration) {
        self.pending.set(true);
        self.first.set(self.first.get().or_else(|| Some((Instant::now(), left))));
    }

    /// The API is greeted.
    pub fn greeting(&self, left: Duration) {
        self.first.set(Some((Instant::now(), left)));
    }

    /// The greeting was answered: the API is there. How long other requests take is still unknown.
    pub fn greeted(&self) {
        self.first.set(None);
    }

    /// How long the API has had to answer anything; `None` when it was asked nothing.
    ///
    /// What steady itself spent after its time was over does not count: nothing waited for an answer then.
    pub fn waited(&self) -> Option<Duration> {
        self.first.get().map(|(first, left)| first.elapsed().min(left))
    }

    /// A request was answered.
    pub fn answer(&self, request: &Request, elapsed: Duration) {
        self.answered.set(self.answered.get() + 1);
        self.slowest.set(self.slowest.get().max(elapsed));
        self.refused.set(0);
        self.unanswered.set(0);
        self.pending.set(false);
        self.gone.set(false);
        self.error.borrow_mut().clear();
        if request.method.is_safe() && self.known.borrow().is_none() {
            self.known.replace(Some(request.clone()));
        }
    }

    /// The connection was refused.
    pub fn refusal(&self, error: String) {
        self.error.replace(error);
        self.pending.set(false);
        self.refused.set(self.refused.get() + 1);
        self.gone.set(self.gone.get() || self.refused.get() >= REFUSED);
    }

    /// The connection was taken, and no answer came; says whether it is worth asking whether anything is answered.
    pub fn silence(&self, error: &str) -> bool {
        error.clone_into(&mut self.error.borrow_mut());
        self.pending.set(false);
        self.unanswered.set(self.unanswered.get() + 1);
        self.unanswered.get().is_multiple_of(UNANSWERED)
    }

    /// It does not come back.
    pub fn mark_gone(&self) {
        self.gone.set(true);
        if self.error.borrow().is_empty() {
            self.error.replace("no answer came in time".to_owned());
        }
    }

    /// It was restarted.
    pub fn restarted(&self) {
        let answers = self.answered.get() - self.answered_at_restart.get();
        self.useless_restarts.set(if answers < USEFUL { self.useless_restarts.get() + 1 } else { 0 });
        self.restarts.set(self.restarts.get() + 1);
        self.answered_at_restart.set(self.answered.get());
        self.refused.set(0);
        self.unanswered.set(0);
        self.gone.set(false);
    }

    /// How often it was restarted.
    pub fn restarts(&self) -> u32 {
        self.restarts.get()
    }

    /// Whether another restart may help.
    pub fn may_restart(&self) -> bool {
        self.useless_restarts.get() < MAX_USELESS_RESTARTS
    }

    /// Requests that were answered.
    pub fn answers(&self) -> u64 {
        self.answered.get()
    }

    /// How long the next answer may take before it is odd.
    pub fn patience(&self) -> Duration {
        (self.slowest.get() * SLOWER).clamp(PATIENCE, MOST_PATIENCE)
    }

    /// Whether the last request was not answered.
    pub fn is_uncertain(&self) -> bool {
        let unanswered = self.pending.get() || self.refused.get() > 0 || self.unanswered.get() > 0;
        self.gone.get() || self.answered.get() > 0 && unanswered
    }

    /// A request that it answered before.
    pub fn known_request(&self) -> Option<Request> {
        self.known.borrow().clone()
    }

    /// Whether it is gone.
    pub fn is_gone(&self) -> bool {
        self.gone.get()
    }

    /// What the last request got instead of an answer, when it is gone.
    pub fn gone(&self) -> Option<String> {
        self.gone.get().then(|| self.error.borrow().clone())
    }
}

#[cfg(test)]
mod tests {
    use steady_model::Method;

    use super::*;

    fn request() -> Request {
        Request { method: Method::Get, target: "/".to_owned(), headers: Vec::new(), body: None }
    }

    #[test]
    fn refusals_in_a_row_mean_gone_and_an_answer_means_back() {
        let liveness = Liveness::new();
        liveness.answer(&request(), Duration::ZERO);
        (1..REFUSED).for_each(|_| liveness.refusal("refused".to_owned()));
        assert!(!liveness.is_gone());
        liveness.refusal("refused".to_owned());
        assert_eq!(liveness.gone().as_deref(), Some("refused"));
        liveness.answer(&request(), Duration::ZERO);
        assert_eq!((liveness.gone(), liveness.answers()), (None, 2));
    }

    #[test]
    fn restarts_that_do_not_help_come_to_an_end() {
        let liveness = Liveness::new();
        for _ in 0..10 {
            (0..USEFUL).for_each(|_| liveness.answer(&request(), Duration::ZERO));
            assert!(liveness.may_restart());
            liveness.restarted();
        }
        (0..MAX_USELESS_RESTARTS).for_each(|_| liveness.restarted());
        assert!(!liveness.may_restart());
    }
}

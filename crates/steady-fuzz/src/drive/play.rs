//! Plays plans over the wire.

use std::cell::RefCell;
use std::time::Duration;

use steady_flaky::drive::SutAccess;
use steady_http::{BaseUrl, Channel, Client, ClientOptions, TransportError};
use steady_model::rerun::Condition;
use steady_model::{Identity, Method, Request, Response, Secrets};
use steady_suite::{Credentials, Environment as _, Sessions};
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use super::budget::Budget;
use super::error::FuzzError;
use super::liveness::Liveness;
use super::options::FuzzOptions;
use super::pace::Pace;
use crate::{ApiModel, Execution, Plan, Random};

/// How often a request is sent that is answered with 429.
const PATIENCE: usize = 3;
/// How long the API has to answer at its root, which the document may well not describe, before its operations are tried.
const HELLO: Duration = Duration::from_secs(1);
/// The pause after a refused connection.
const REFUSED: Duration = Duration::from_millis(100);

/// Sends what executions ask for, as whom they ask.
pub struct Player<'a, 'f> {
    pub budget: &'a Budget,
    /// The API itself, to be restarted when it dies.
    pub access: Mutex<&'a mut SutAccess<'f>>,
    pub pace: Pace,
    client: RefCell<Client>,
    options: ClientOptions,
    identities: &'a [Identity],
    secrets: &'a Secrets,
    sessions: RefCell<Sessions>,
    credentials: RefCell<Vec<Credentials>>,
    liveness: Liveness,
    /// What came instead of an answer at the API's root.
    hello: RefCell<Option<TransportError>>,
}

impl<'a, 'f> Player<'a, 'f> {
    /// Checks that the API takes connections and logs every identity in.
    pub async fn connect(
        options: &'a FuzzOptions,
        client: Client,
        budget: &'a Budget,
        access: &'a mut SutAccess<'f>,
    ) -> Result<Self, FuzzError> {
        let sessions = Sessions::new(options.identities.clone(), options.client.clone());
        let player = Self {
            budget,
            access: Mutex::new(access),
            client: RefCell::new(client),
            options: options.client.clone(),
            pace: Pace::new(options.rate),
            identities: &options.identities,
            secrets: &options.secrets,
            sessions: RefCell::new(sessions),
            credentials: RefCell::default(),
            liveness: Liveness::new(),
            hello: RefCell::default(),
        };
        let limit = budget.limit();
        let mut channel = player.channel();
        limit.within(player.greet(&mut channel, &options.base_path)).await.transpose()?;
        match limit.within(player.log_in(&mut player.channel())).await {
            Some(logged_in) => logged_in?,
            None if limit.is_interrupted() => {}
            None => return Err(FuzzError::SlowLogin),
        }
        Ok(player)
    }

    /// Checks that something listens. Any answer will do; silence at the root says nothing about the operations.
    async fn greet(&self, channel: &mut Channel, base_path: &str) -> Result<(), FuzzError> {
        let target = format!("{base_path}/");
        let hello = Request { method: Method::Get, target, headers: Vec::new(), body: None };
        self.liveness.greeting(self.budget.left());
        match timeout(HELLO, channel.send(&hello)).await {
            Ok(Err(source)) if is_refusal(&source) => return Err(FuzzError::Unreachable { source }),
            Ok(Err(source)) => drop(self.hello.replace(Some(source))),
            Ok(Ok(_)) => self.liveness.greeted(),
            Err(_) => {}
        }
        Ok(())
    }

    /// What is wrong with an API that answered nothing at all.
    pub fn never_answered(&self) -> Option<FuzzError> {
        if self.liveness.answers() > 0 || self.budget.interrupted() {
            return None;
        }
        if let Some(source) = self.hello.take() {
            return Some(FuzzError::Unreachable { source });
        }
        // One that was asked late, or not at all, is not to blame.
        let spent = self.budget.elapsed();
        let Some(limit) = self.liveness.waited().filter(|waited| *waited >= HELLO || *waited * 2 >= spent)
        else {
            return Some(FuzzError::NoTime { spent });
        };
        let origin = self.client.borrow().base().origin();
        let source = TransportError::TimedOut { origin, limit, doing: "to answer any request" };
        Some(FuzzError::Unreachable { source })
    }

    /// A connection of one's own.
    pub fn channel(&self) -> Channel {
        self.client.borrow().channel()
    }

    /// The secrets that tests are run with.
    pub fn secrets(&self) -> &Secrets {
        self.secrets
    }

    /// New sessions for replaying tests.
    pub fn sessions(&self) -> Sessions {
        self.sessions.borrow().clone()
    }

    /// Opens a session for every identity, in place of the one it had.
    pub async fn log_in(&self, channel: &mut Channel) -> Result<(), FuzzError> {
        let mut sessions = self.sessions.borrow().clone();
        let mut opened = Vec::with_capacity(self.identities.len());
        for identity in self.identities {
            sessions.forget(&identity.name);
            opened.push(sessions.credentials(channel, &identity.name, self.secrets).await?);
        }
        self.sessions.replace(sessions);
        self.credentials.replace(opened);
        Ok(())
    }

    /// The last request on the connection where a response lay that no request had asked for, if there was one.
    pub fn unrequested(&self) -> Option<String> {
        self.client.borrow().unrequested().map(str::to_owned)
    }

    /// Connects to a managed API again: detection restarted it, on another port and without sessions.
    pub async fn reconnect(&self) -> Result<(), FuzzError> {
        let Some(url) = self.access.lock().await.url() else { return Ok(()) };
        let Ok(base) = url.parse::<BaseUrl>() else { return Ok(()) };
        self.client.replace(Client::new(base, self.options.clone())?);
        self.log_in(&mut self.channel()).await
    }

    /// Requests that were answered so far.
    pub fn answers(&self) -> u64 {
        self.liveness.answers()
    }

    /// Whether the API no longer answers.
    pub fn api_is_gone(&self) -> bool {
        self.liveness.is_gone()
    }

    /// Why the API that is gone does not answer; `None` for one that is there.
    pub fn gone(&self) -> Option<String> {
        self.liveness.gone()
    }

    /// Notes that the API does not come back.
    pub fn mark_gone(&self, error: String) {
        self.liveness.refusal(error);
        self.liveness.mark_gone();
    }

    /// Notes that a request that the player did not send got no answer.
    pub fn note_unanswered(&self) {
        self.liveness.silence("no answer came");
    }

    /// How often the API was restarted because it no longer answered.
    pub fn restarts(&self) -> u32 {
        self.liveness.restarts()
    }

    /// Whether the API answers; asks only after an unanswered request, and restarts a managed API that does not. `seen` is how often it
    /// had been restarted when that request was sent: of several workers that see one crash, the first restarts the API.
    pub async fn ensure_answering(&self, seen: u32) -> bool {
        // A user who interrupts does not wait for an answer, and a request that was given up for that says nothing about the API.
        if self.liveness.restarts() == seen && self.liveness.is_uncertain() && !self.budget.interrupted() {
            Box::pin(self.ask_again()).await;
            return !self.liveness.is_gone() || Box::pin(self.restart_if_managed(seen)).await;
        }
        !self.liveness.is_gone()
    }

    /// Checks at the end of a phase whether an external API still answers; a managed one is restarted by the next phase.
    pub async fn confirm_answering(&self) {
        let ours = self.access.lock().await.is_managed();
        if !ours && !self.liveness.is_gone() && self.liveness.is_uncertain() && !self.budget.interrupted() {
            self.ask_again().await;
        }
    }

    /// Asks what it answered before; one that refuses may be about to start.
    async fn ask_again(&self) {
        let Some(known) = self.liveness.known_request() else { return };
        let mut channel = self.channel();
        let limit = self.liveness.patience();
        let asking = async {
            loop {
                match channel.send(&known).await {
                    Err(error) if is_refusal(&error) => self.liveness.refusal(error.to_string()),
                    Err(error) => {
                        self.liveness.silence(&error.to_string());
                    }
                    Ok((_, elapsed)) => return self.liveness.answer(&known, elapsed),
                }
                sleep(REFUSED).await;
            }
        };
        if timeout(limit, asking).await.is_err() {
            self.liveness.mark_gone();
        }
    }

    /// Restarts a managed API, unless another worker did so since `seen`; says whether it is worth going on.
    async fn restart_if_managed(&self, seen: u32) -> bool {
        let mut access = self.access.lock().await;
        if self.liveness.restarts() > seen {
            return true;
        }
        if !access.is_managed() || !self.liveness.may_restart() {
            return false;
        }
        match access.restart(&Condition::default()).await {
            Ok(()) => {
                self.liveness.restarted();
                // Without a session the next calls are refused, and the search warns of lost access.
                let _ = self.log_in(&mut self.channel()).await;
                true
            }
            Err(error) => {
                self.mark_gone(error.to_string());
                false
            }
        }
    }

    /// Plays a plan to its end.
    pub async fn play(
        &self,
        channel: &mut Channel,
        plan: Plan,
        model: &ApiModel,
        random: &mut Random,
    ) -> Execution {
        let mut execution = Execution::new(plan, random);
        while let Some((request, identity)) = execution.next(model, self.secrets) {
            let with_credentials = identity.and_then(|identity| self.with_credentials(request, identity));
            let Some(outcome) = self.send(channel, with_credentials.as_ref().unwrap_or(request)).await else {
                break;
            };
            if let Ok(response) = &outcome {
                self.secrets.exchanged(request, response);
            }
            execution.answer(outcome);
        }
        execution
    }

    fn with_credentials(&self, request: &Request, identity: usize) -> Option<Request> {
        let credentials = self.credentials.borrow();
        let credentials = credentials.get(identity)?;
        let mut with_credentials = request.clone();
        credentials.apply(&mut with_credentials);
        Some(with_credentials)
    }

    /// The answer, or why there is none; `None` when the request says nothing about the API.
    async fn send(&self, channel: &mut Channel, request: &Request) -> Option<Result<Response, String>> {
        let restarts = self.liveness.restarts();
        for attempt in 0..PATIENCE {
            self.pace.turn().await;
            self.budget.spend();
            self.liveness.asked(self.budget.left());
            match channel.send(request).await {
                Ok((response, elapsed)) => {
                    self.liveness.answer(request, elapsed);
                    if response.status == 429 && attempt + 1 < PATIENCE {
                        self.pace.hold_back(&response);
                    } else {
                        return Some(Ok(response));
                    }
                }
                Err(TransportError::InvalidRequest { .. }) => return None,
                Err(error) if is_refusal(&error) => {
                    self.liveness.refusal(error.to_string());
                    if !Box::pin(self.restart_if_managed(restarts)).await {
                        sleep(REFUSED).await;
                    }
                    return None;
                }
                Err(error) => {
                    let error = error.to_string();
                    if self.liveness.silence(&error) {
                        Box::pin(self.ask_again()).await;
                        if self.liveness.is_gone() && Box::pin(self.restart_if_managed(restarts)).await {
                            return None;
                        }
                    }
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// Whether nothing takes connections.
fn is_refusal(error: &TransportError) -> bool {
    matches!(
        error,
        TransportError::Refused { .. }
            | TransportError::Unresolved { .. }
            | TransportError::Unreachable { .. }
    )
}

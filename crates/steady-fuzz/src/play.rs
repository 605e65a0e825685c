//! Plays plans over the wire.

use std::cell::{Cell, RefCell};

use steady_http::{Channel, Client, TransportError};
use steady_model::{Identity, Method, Request, Response};
use steady_replay::{Credentials, KnownSecrets, Sessions};
use steady_search::{Execution, Plan, Random, Terrain};

use crate::budget::Budget;
use crate::error::FuzzError;
use crate::options::FuzzOptions;
use crate::pace::Pace;

/// How often a request that was told to come back later does so.
const PATIENCE: usize = 3;
/// Refused connections in a row that mean the API is gone.
const GONE: u32 = 50;

/// Sends what executions ask for, as whom they ask.
pub struct Player<'a> {
    pub budget: &'a Budget,
    client: Client,
    pace: Pace,
    identities: &'a [Identity],
    secrets: &'a KnownSecrets,
    sessions: RefCell<Sessions>,
    credentials: RefCell<Vec<Credentials>>,
    refused: Cell<u32>,
}

impl<'a> Player<'a> {
    /// Checks that the API answers and logs everybody in.
    pub async fn connect(
        options: &'a FuzzOptions,
        client: Client,
        budget: &'a Budget,
    ) -> Result<Self, FuzzError> {
        let sessions = Sessions::new(options.identities.clone(), options.client.clone());
        let player = Self {
            budget,
            client,
            pace: Pace::new(options.rate),
            identities: &options.identities,
            secrets: &options.secrets,
            sessions: RefCell::new(sessions),
            credentials: RefCell::default(),
            refused: Cell::new(0),
        };
        let mut channel = player.channel();
        let hello = Request {
            method: Method::Get,
            target: format!("{}/", options.base_path),
            headers: Vec::new(),
            body: None,
        };
        // Any answer will do; only silence is an error.
        if let Err(source) = channel.send(&hello).await
            && !matches!(
                source,
                TransportError::Malformed { .. }
                    | TransportError::Closed { .. }
                    | TransportError::Incomplete { .. }
            )
        {
            return Err(FuzzError::Unreachable { source });
        }
        player.log_in(&mut channel).await?;
        Ok(player)
    }

    /// A connection of one's own.
    pub fn channel(&self) -> Channel {
        self.client.channel()
    }

    /// The secrets, for whoever replays tests.
    pub fn secrets(&self) -> &KnownSecrets {
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

    /// Whether the API no longer takes connections.
    pub fn api_is_gone(&self) -> bool {
        self.refused.get() >= GONE
    }

    /// Plays a plan to its end.
    pub async fn play(
        &self,
        channel: &mut Channel,
        plan: Plan,
        terrain: &Terrain,
        random: &mut Random,
    ) -> Execution {
        let mut execution = Execution::new(plan, random);
        while let Some((request, identity)) = execution.next(terrain, self.secrets) {
            let dressed = identity.and_then(|identity| self.dressed(request, identity));
            let Some(outcome) = self.send(channel, dressed.as_ref().unwrap_or(request)).await else { break };
            execution.answer(outcome);
        }
        execution
    }

    fn dressed(&self, request: &Request, identity: usize) -> Option<Request> {
        let credentials = self.credentials.borrow();
        let credentials = credentials.get(identity)?;
        let mut dressed = request.clone();
        credentials.apply(&mut dressed);
        Some(dressed)
    }

    /// The answer, or why there is none; `None` when the request says nothing about the API.
    async fn send(&self, channel: &mut Channel, request: &Request) -> Option<Result<Response, String>> {
        for attempt in 0..PATIENCE {
            self.pace.turn().await;
            self.budget.spend();
            let sent = tokio::select! {
                biased;
                sent = channel.send(request) => sent,
                () = self.budget.interruption() => return None,
            };
            match sent {
                Ok((response, _)) if response.status == 429 && attempt + 1 < PATIENCE => {
                    self.pace.hold_back(&response);
                }
                Ok((response, _)) => {
                    self.refused.set(0);
                    return Some(Ok(response));
                }
                Err(TransportError::InvalidRequest { .. }) => return None,
                Err(
                    TransportError::Refused { .. }
                    | TransportError::Unresolved { .. }
                    | TransportError::Unreachable { .. },
                ) => {
                    self.refused.set(self.refused.get() + 1);
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    return None;
                }
                Err(error) => return Some(Err(error.to_string())),
            }
        }
        None
    }
}

//! The mocks of a run: one address per service, one admin API for all of them.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use crate::address::Addresses;
use crate::server::{Door, ListenError, Listening, listen};
use crate::state::{JournalLimits, State, lock};
use crate::trust::{Authority, TrustError, acceptor};

/// How many addresses are tried for a service.
const TRIES: usize = 256;

/// How a run's mocks behave.
#[derive(Debug, Clone, Default)]
pub struct MockOptions {
    /// The name of the run: another run has other addresses.
    pub run: String,
    /// How addresses are chosen.
    pub addresses: Addresses,
    /// Decides everything that is drawn at random.
    pub seed: u64,
    /// How many requests are kept.
    pub journal: JournalLimits,
}

/// The mocks of a run. Everything listens on loopback, and ends when this is dropped.
#[derive(Debug)]
pub struct Mocks {
    options: MockOptions,
    state: Arc<State>,
    authority: Arc<Authority>,
    running: Mutex<Running>,
}

#[derive(Debug, Default)]
struct Running {
    /// The address of each host.
    hosts: IndexMap<String, Ipv4Addr>,
    /// The listeners of services.
    services: IndexMap<(String, u16), Listening>,
    /// The others.
    plain: Vec<Listening>,
}

impl Mocks {
    /// Mocks without stubs; nothing listens yet.
    pub fn new(options: MockOptions) -> Result<Self, TrustError> {
        let state = Arc::new(State::new(options.seed, options.journal));
        Ok(Self { options, state, authority: Arc::new(Authority::new()?), running: Mutex::default() })
    }

    /// Stubs, scenarios and requests.
    pub fn state(&self) -> &Arc<State> {
        &self.state
    }

    /// What clients have to trust.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Where a service is mocked; it is from now on when it was not before. The port is the service's own unless the system keeps it
    /// for itself or somebody has it.
    pub async fn service(&self, host: &str, port: u16) -> Result<SocketAddr, ListenError> {
        let key = (host.to_ascii_lowercase(), port);
        let known = {
            let running = lock(&self.running);
            if let Some(listening) = running.services.get(&key) {
                return Ok(listening.address);
            }
            running.hosts.get(&key.0).copied()
        };
        let listener = match known {
            Some(address) => match listen((address, port).into()).await {
                Ok(listener) => listener,
                // The host keeps its address; the port is not as important.
                Err(_) => listen((address, 0).into()).await?,
            },
            None => self.first_free(&key.0, port).await?,
        };
        let listening =
            Listening::start(listener, |own| self.door(own, Some((key.0.as_str().into(), port)), true))?;
        let mut running = lock(&self.running);
        let address = listening.address;
        if let std::net::IpAddr::V4(address) = address.ip() {
            running.hosts.insert(key.0.clone(), address);
        }
        // Whoever asked at the same time and was first has the service.
        Ok(running.services.entry(key).or_insert(listening).address)
    }

    async fn first_free(&self, host: &str, port: u16) -> Result<tokio::net::TcpListener, ListenError> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in self.options.addresses.candidates(&self.options.run, host).take(TRIES) {
            if lock(&self.running).hosts.values().any(|taken| *taken == address) {
                continue;
            }
            match listen((address, port).into()).await {
                Err(ListenError::Bind { source, .. }) if source.kind() == io::ErrorKind::PermissionDenied => {
                    return listen((address, 0).into()).await;
                }
                Err(ListenError::Bind { source, .. }) => last = source,
                other => return other,
            }
        }
        Err(ListenError::NoneFree { port, source: last })
    }

    /// Serves all stubs on this address, with TLS and without; the `host` header says which service is meant.
    pub async fn listen(&self, address: SocketAddr) -> Result<SocketAddr, ListenError> {
        self.open(address, true).await
    }

    /// Serves the admin API alone on this address.
    pub async fn admin(&self, address: SocketAddr) -> Result<SocketAddr, ListenError> {
        self.open(address, false).await
    }

    async fn open(&self, address: SocketAddr, serves_stubs: bool) -> Result<SocketAddr, ListenError> {
        let listener = listen(address).await?;
        let listening = Listening::start(listener, |own| self.door(own, None, serves_stubs))?;
        let address = listening.address;
        lock(&self.running).plain.push(listening);
        Ok(address)
    }

    fn door(
        &self,
        own: SocketAddr,
        service: Option<(Arc<str>, u16)>,
        serves_stubs: bool,
    ) -> Result<Door, ListenError> {
        let own_host = own.ip().to_string();
        let named = service.as_ref().map_or(own_host.as_str(), |(host, _)| host).to_owned();
        let tls = acceptor(&self.authority, named).map_err(ListenError::Tls)?;
        Ok(Door {
            state: Arc::clone(&self.state),
            service,
            own: (own_host.into(), own.port()),
            tls: Some(tls),
            serves_stubs,
        })
    }

    /// The services that are mocked, with their addresses.
    pub fn services(&self) -> Vec<((String, u16), SocketAddr)> {
        lock(&self.running).services.iter().map(|(key, listening)| (key.clone(), listening.address)).collect()
    }
}

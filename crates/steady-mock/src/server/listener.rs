//! Accepts connections on one address.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::connection::{Door, serve};

/// How long accepting rests after the system refused, as when file descriptors run out.
const REST: Duration = Duration::from_millis(20);

/// An address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ListenError {
    #[error("cannot listen on {address}")]
    Bind { address: SocketAddr, source: io::Error },
    #[error("{0} is not a loopback address")]
    NotLoopback(SocketAddr),
    #[error("no loopback address is free for port {port}")]
    NoneFree { port: u16, source: io::Error },
    #[error("TLS could not be set up")]
    Tls(#[source] tokio_rustls::rustls::Error),
}

impl ListenError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Bind { address, source } => match source.kind() {
                io::ErrorKind::AddrInUse => Some(format!(
                    "end the program that listens on {address}, or choose another port; 0 takes a free one"
                )),
                io::ErrorKind::PermissionDenied => Some("choose a port above 1023".to_owned()),
                _ => None,
            },
            Self::NotLoopback(_) => Some("mocks listen on 127.0.0.0/8 or ::1 only".to_owned()),
            Self::NoneFree { .. } | Self::Tls(_) => None,
        }
    }
}

/// A listener at work; it and its connections end when this is dropped.
#[derive(Debug)]
pub(crate) struct Listening {
    pub(crate) address: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Opens a listener, without accepting anything yet.
pub(crate) async fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    if !address.ip().is_loopback() {
        return Err(ListenError::NotLoopback(address));
    }
    TcpListener::bind(address).await.map_err(|source| ListenError::Bind { address, source })
}

impl Listening {
    /// Serves what connects.
    pub(crate) fn start(
        listener: TcpListener,
        door: impl FnOnce(SocketAddr) -> Result<Door, ListenError>,
    ) -> Result<Self, ListenError> {
        let address = listener.local_addr().map_err(|source| {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            ListenError::Bind { address, source }
        })?;
        let door = Arc::new(door(address)?);
        Ok(Self { address, task: tokio::spawn(accept(listener, door)) })
    }
}

/// The set of connections belongs to the task: when it is aborted, they are, too.
async fn accept(listener: TcpListener, door: Arc<Door>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, Arc::clone(&door)));
                }
                Err(_) => tokio::time::sleep(REST).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

//! Opening a connection: name, TCP, TLS, HTTP.

use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::Poll;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::task::AbortHandle;
use tokio_rustls::rustls::pki_types::ServerName;
use url::Host;

use crate::client::Shared;
use crate::error::Progress;
use crate::wire::Wire;
use crate::{HttpVersion, TransportError, tls};

/// The most bytes an answer's head may have.
const MAX_HEAD: usize = 256 << 10;

/// What requests are handed to.
pub(crate) enum Connection {
    /// HTTP/1.1: one exchange at a time, so the waiting task also moves the bytes.
    Http1 { sender: http1::SendRequest<Full<Bytes>>, driver: Driver, wire: Wire },
    /// HTTP/2: a task of its own answers pings and window updates, even between exchanges.
    Http2 { sender: http2::SendRequest<Full<Bytes>>, _task: AbortOnDrop },
}

/// The half of an HTTP/1.1 connection that moves bytes. Polling it from the waiting task rather than spawning it spares
/// every exchange two switches between tasks, and dropping it closes the connection at once.
pub(crate) struct Driver {
    connection: Option<Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>>,
    wire: Wire,
}

impl Driver {
    /// Waits for `future` and moves the connection's bytes meanwhile.
    pub(crate) async fn drive<F: Future>(&mut self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|context| {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return Poll::Ready(output);
            }
            let Some(connection) = &mut self.connection else { return Poll::Pending };
            // `future` learns how the connection ended, too.
            if connection.as_mut().poll(context).is_ready() {
                self.connection = None;
            }
            let output = future.as_mut().poll(context);
            if output.is_pending() {
                self.wire.hurry();
            }
            output
        })
        .await
    }
}

/// Ends a task when dropped.
pub(crate) struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Opens a connection to the client's API. `known` is the address that worked last time; it spares the resolver.
pub(crate) async fn connect(
    shared: &Shared,
    known: &mut Option<SocketAddr>,
) -> Result<Connection, TransportError> {
    let stream = match known {
        Some(address) => match TcpStream::connect(*address).await {
            Ok(stream) => stream,
            Err(_) => reach(shared, known).await?,
        },
        None => reach(shared, known).await?,
    };
    let origin = || shared.base.origin();
    stream.set_nodelay(true).map_err(|source| TransportError::Unreachable { origin: origin(), source })?;
    let wire = Wire::new(stream, shared.tls.is_some());
    let Some(connector) = &shared.tls else {
        return start(wire.clone(), wire, shared.options.version == HttpVersion::Http2, shared).await;
    };
    let failed = |source| TransportError::Tls { origin: origin(), source };
    let name = server_name(shared).map_err(failed)?;
    let stream = connector.connect(name, wire.clone()).await.map_err(failed)?;
    let is_http2 = match shared.options.version {
        HttpVersion::Auto => stream.get_ref().1.alpn_protocol() == Some(tls::H2),
        HttpVersion::Http1 => false,
        HttpVersion::Http2 => true,
    };
    start(stream, wire, is_http2, shared).await
}

/// Finds the host's addresses and connects to the first that answers.
async fn reach(shared: &Shared, known: &mut Option<SocketAddr>) -> Result<TcpStream, TransportError> {
    *known = None;
    let mut failure = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in resolve(shared).await? {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                *known = Some(address);
                return Ok(stream);
            }
            Err(error) => failure = error,
        }
    }
    let origin = shared.base.origin();
    Err(match failure.kind() {
        io::ErrorKind::ConnectionRefused => TransportError::Refused { origin },
        _ => TransportError::Unreachable { origin, source: failure },
    })
}

async fn resolve(shared: &Shared) -> Result<Vec<SocketAddr>, TransportError> {
    let port = shared.base.port();
    match shared.base.host() {
        Host::Ipv4(address) => Ok(vec![(address, port).into()]),
        Host::Ipv6(address) => Ok(vec![(address, port).into()]),
        Host::Domain(name) => match lookup_host((name, port)).await {
            Ok(addresses) => Ok(addresses.collect()),
            Err(source) => Err(TransportError::Unresolved { host: name.to_owned(), source }),
        },
    }
}

fn server_name(shared: &Shared) -> io::Result<ServerName<'static>> {
    Ok(match shared.base.host() {
        Host::Ipv4(address) => ServerName::from(std::net::IpAddr::from(address)),
        Host::Ipv6(address) => ServerName::from(std::net::IpAddr::from(address)),
        Host::Domain(name) => ServerName::try_from(name.to_owned()).map_err(io::Error::other)?,
    })
}

/// Starts HTTP on a connected stream.
async fn start<S>(
    stream: S,
    wire: Wire,
    is_http2: bool,
    shared: &Shared,
) -> Result<Connection, TransportError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let failed =
        |error: hyper::Error| TransportError::from_hyper(&error, Progress::Waiting, shared.base.origin());
    let stream = TokioIo::new(stream);
    if is_http2 {
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .max_header_list_size(MAX_HEAD as u32)
            .handshake(stream)
            .await
            .map_err(failed)?;
        let task = tokio::spawn(connection);
        return Ok(Connection::Http2 { sender, _task: AbortOnDrop(task.abort_handle()) });
    }
    let (sender, connection) =
        http1::Builder::new().max_buf_size(MAX_HEAD).handshake(stream).await.map_err(failed)?;
    let driver = Driver { connection: Some(Box::pin(connection)), wire: wire.clone() };
    Ok(Connection::Http1 { sender, driver, wire })
}

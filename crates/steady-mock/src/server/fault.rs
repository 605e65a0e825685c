//! What goes wrong with a connection on purpose.

use std::sync::Mutex;
use std::time::Duration;

use rustix::net::sockopt::set_socket_linger;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use crate::mapping::Fault;
use crate::state::lock;

/// The fault a connection ends with, once a stub asked for one.
#[derive(Debug, Default)]
pub(super) struct PendingFault(Mutex<Option<Fault>>);

/// Ends the exchange: the connection, or the stream of HTTP/2.
#[derive(Debug, thiserror::Error)]
#[error("a stub asked for this fault: {0:?}")]
pub(super) struct FaultRequested(Fault);

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
/// Neither a status line nor a chunk.
const GARBAGE: &[u8] = b"lskdu018973t09sylgasjkfg1][]'./.sdlv\x00\xff\xfe\x01 not a chunk";

impl PendingFault {
    pub(super) fn request(&self, fault: Fault) -> FaultRequested {
        *lock(&self.0) = Some(fault);
        FaultRequested(fault)
    }

    /// Ends the connection the way that was asked for, or in good order. Errors mean that the client has closed it already.
    pub(super) async fn happen(&self, stream: &mut (impl AsyncWrite + Socket + Unpin)) {
        let fault = lock(&self.0).take();
        match fault {
            None | Some(Fault::EmptyResponse) => {}
            Some(Fault::MalformedResponseChunk) => {
                let _ = stream.write_all(&[HEAD, GARBAGE].concat()).await;
            }
            Some(Fault::RandomDataThenClose) => {
                let _ = stream.write_all(GARBAGE).await;
            }
            Some(Fault::ConnectionResetByPeer) => {
                // Closing a socket that does not linger resets the connection.
                let _ = set_socket_linger(stream.socket(), Some(Duration::ZERO));
                return;
            }
        }
        let _ = stream.shutdown().await;
    }
}

/// What has a socket, with TLS around it or without.
pub(super) trait Socket {
    fn socket(&self) -> &TcpStream;
}

impl Socket for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

impl Socket for TlsStream<TcpStream> {
    fn socket(&self) -> &TcpStream {
        self.get_ref().0
    }
}
